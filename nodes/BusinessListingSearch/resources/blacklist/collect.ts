import { show } from '../input';
import { checkValue, cleanValue, splitValues } from './clean';
import type { ItemType } from './values';

/** What an input row brings: one text, a text of many, or an array. */
export interface Row {
	/** The index of the input item. */
	row: number;
	blacklist: string;
	type: ItemType | 'auto';
	values: unknown;
}

/** One value of a row, and what becomes of it. */
export interface Entry {
	row: number;
	blacklist: string;
	type: ItemType | 'auto';
	value: string;
	/** `pending` until it was sent. */
	status: 'pending' | 'added' | 'duplicate' | 'invalid' | 'failed';
	/** Why it is invalid or failed. */
	reason?: string;
}

/**
 * Collects the values of all rows, each of them once for each blacklist.
 *
 * @param cleans whether values are cleaned first
 * @returns an entry for each value in the order of the input: `pending` for those to send, `duplicate`
 * for those that are among them already, `invalid` with the reason for those that cannot be sent
 */
export function collect(rows: Row[], cleans: boolean): Entry[] {
	const judge = cleans ? cleanValue : checkValue;
	const seen = new Set<string>();
	const entries: Entry[] = [];
	for (const { row, blacklist, type, values } of rows) {
		for (const raw of splitValues(values)) {
			const text = textOf(raw);
			const result = typeof text === 'string' ? judge(type, text) : text;
			if ('reason' in result) {
				const { reason } = result;
				entries.push({ row, blacklist, type, value: show(raw), status: 'invalid', reason });
				continue;
			}
			const key = JSON.stringify([blacklist, result.type, result.value]);
			const status = seen.has(key) ? 'duplicate' : 'pending';
			seen.add(key);
			entries.push({ row, blacklist, ...result, status });
		}
	}
	return entries;
}

/** A value as text; a number that has lost digits, or anything but a value, is not one. */
function textOf(raw: unknown): string | { reason: string } {
	if (typeof raw === 'string') return raw;
	if (typeof raw === 'number') {
		return Number.isSafeInteger(raw)
			? String(raw)
			: { reason: 'is a number that has lost digits; give it as text' };
	}
	return { reason: 'is not a text' };
}
