import { findGap, isTemplate, quote, serialized, type Form } from '../../../../shared/input';
import { cleanValue } from '../cleaning/clean';
import { LONGEST_VALUE, type Cleaned, type ItemType } from '../cleaning/itemTypes';

/** A distinct value of a blacklist of an account, with its outcome. */
export interface Value {
	/** The index of the input item that names it first. */
	row: number;
	/** Identifies the summary that it counts in. */
	summaryKey: string;
	blacklist: string;
	type: ItemType | 'auto';
	value: string;
	status: 'pending' | 'added' | 'valid' | 'invalid' | 'failed';
	/** Why it is invalid or failed. */
	reason?: string;
	/** How often the rows name it. */
	times: number;
	/** The indexes of all input items that name it, if each has an item on the error output. */
	rows: number[];
}

/** An input item and its parameters. */
export interface Row {
	/** The index of the input item. */
	index: number;
	/** Identifies the blacklist: its account and its name. */
	listKey: string;
	/** Identifies the summary that it counts in: one for all accounts that cannot be read. */
	summaryKey: string;
	blacklist: string;
	type: ItemType | 'auto';
	/** A text of one or many values, an array of such texts, or anything else an expression returns. */
	values: unknown;
}

export const VALUES = { label: 'Values', name: 'values' };

/**
 * The values of all rows, each once per blacklist of an account. Every row can contain all values again,
 * so each text is cleaned once, and a repeated value is only counted.
 */
export class DistinctValues {
	/** What each text became, by its list, type and text. */
	private readonly texts = new Map<string, Value>();
	/** The values, by their list, type and, if they are invalid, reason. */
	private readonly distinct = new Map<string, Value>();

	/** @param hasErrorOutput whether each row is told of its values; every row can contain all values again */
	constructor(
		private readonly form: Form,
		private readonly hasErrorOutput = false,
	) {}

	/** In the order in which the rows name them first. */
	get values(): Value[] {
		return [...this.distinct.values()];
	}

	/**
	 * Adds a value of a row.
	 *
	 * @param part one value as text, or anything else that an expression returns
	 * @returns the value, which can have been added before
	 */
	add(row: Row, part: unknown): Value {
		const value = this.find(row, part);
		value.times += 1;
		if (this.hasErrorOutput && value.rows.at(-1) !== row.index) value.rows.push(row.index);
		return value;
	}

	private find(row: Row, part: unknown): Value {
		const text = textOf(part);
		if (typeof text !== 'string') {
			const shown = typeof part === 'object' ? serialized(part) : part;
			return this.distinctOf(row, quote(shown), text);
		}
		const key = `${row.listKey} ${row.type} ${text}`;
		const known = this.texts.get(key);
		if (known) return known;
		const shown = text.length > LONGEST_VALUE ? quote(text) : text;
		const value = this.distinctOf(row, shown, this.judge(row.type, text));
		this.texts.set(key, value);
		return value;
	}

	private judge(type: Row['type'], text: string): Cleaned {
		if (isTemplate(text)) return { reason: 'contains an expression that was not evaluated' };
		const gap = findGap(VALUES, text, this.form);
		if (gap) return { reason: `contains "${gap.word}". ${gap.advice}` };
		const cleaned = cleanValue(type, text);
		if (!('sharedSite' in cleaned)) return cleaned;
		return { reason: `${cleaned.reason}: to exclude all of it, type it in Add Item` };
	}

	/** @param shown how an invalid value is reported */
	private distinctOf(row: Row, shown: string, cleaned: Cleaned): Value {
		const found: Value = {
			row: row.index,
			summaryKey: row.summaryKey,
			blacklist: row.blacklist,
			...('reason' in cleaned
				? { type: row.type, value: shown, status: 'invalid', reason: cleaned.reason }
				: { ...cleaned, status: 'pending' }),
			times: 0,
			rows: [],
		};
		const key = [row.listKey, found.type, found.reason, found.value].join(' ');
		const value = this.distinct.get(key) ?? found;
		this.distinct.set(key, value);
		return value;
	}
}

/** A value as text; anything but a text or an exact number is invalid. */
function textOf(part: unknown): string | { reason: string } {
	if (typeof part === 'string') return part;
	if (Number.isSafeInteger(part)) return String(part);
	return {
		reason: Number.isInteger(part)
			? 'has lost its last digits where it was read: make the column a text there, and read it again'
			: 'is not text: choose a field in "Values", e.g. {{ $json.emails.map(e => e.email) }}',
	};
}
