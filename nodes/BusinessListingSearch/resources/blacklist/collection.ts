import { show } from '../../../shared/input';
import { checkValue, cleanValue } from './clean';
import { splitText } from './split';
import { LONGEST_VALUE, type Cleaned, type ItemType } from './values';

/** A distinct value of a blacklist of an account, with its outcome. */
export interface Value {
	/** The index of the input item that names it first. */
	row: number;
	blacklist: string;
	type: ItemType | 'auto';
	value: string;
	status: 'pending' | 'added' | 'invalid' | 'failed';
	/** Why it is invalid or failed. */
	reason?: string;
	/** How often the rows name it. */
	times: number;
}

/** An input item and its parameters. */
export interface Row {
	/** The index of the input item. */
	index: number;
	account: string;
	blacklist: string;
	type: ItemType | 'auto';
	/** A text of one or many values, an array of such texts, or anything else an expression returns. */
	values: unknown;
}

/**
 * The values of all rows, each once per blacklist of an account. Every row can contain all values again,
 * so each text is cleaned once, and a repeated value is only counted.
 */
export class Collection {
	/** What each text became, by its list, type and text. */
	private readonly texts = new Map<string, Value>();
	/** The values, by their list, type and, if they are invalid, reason. */
	private readonly distinct = new Map<string, Value>();

	/** @param cleans whether values are cleaned, or only checked */
	constructor(private readonly cleans: boolean) {}

	/** In the order in which the rows name them first. */
	get values(): Value[] {
		return [...this.distinct.values()];
	}

	/**
	 * Adds the values of a row.
	 *
	 * @returns them one by one, repeated ones too. It also yields undefined, so that the caller can pause
	 * in a long text.
	 */
	*add(row: Row): Generator<Value | undefined, void> {
		const { account, blacklist, type, values } = row;
		const list = JSON.stringify([account, blacklist]);
		for (const entry of Array.isArray(values) ? (values as unknown[]) : [values]) {
			if (entry === undefined || entry === null) continue;
			const text = textOf(entry);
			if (typeof text !== 'string') {
				yield this.count(row, list, show(entry), text);
				continue;
			}
			const isKnown = this.texts.has(`${list} ${type} ${text}`);
			for (const part of isKnown ? [text] : splitText(text)) {
				yield part === '' ? undefined : this.read(row, list, part);
			}
		}
	}

	private read(row: Row, list: string, text: string): Value {
		const key = `${list} ${row.type} ${text}`;
		const known = this.texts.get(key);
		if (known) {
			known.times += 1;
			return known;
		}
		const judge = this.cleans ? cleanValue : checkValue;
		const shown = text.length > LONGEST_VALUE ? show(text) : text;
		const value = this.count(row, list, shown, judge(row.type, text));
		this.texts.set(key, value);
		return value;
	}

	/** @param shown how an invalid value is reported */
	private count(row: Row, list: string, shown: string, cleaned: Cleaned): Value {
		const found: Value = {
			row: row.index,
			blacklist: row.blacklist,
			...('reason' in cleaned
				? { type: row.type, value: shown, status: 'invalid', reason: cleaned.reason }
				: { ...cleaned, status: 'pending' }),
			times: 0,
		};
		const key = [list, found.type, found.reason, found.value].join(' ');
		const value = this.distinct.get(key) ?? found;
		this.distinct.set(key, value);
		value.times += 1;
		return value;
	}
}

/** An entry as text; anything but a text or an exact number is invalid. */
function textOf(entry: unknown): string | { reason: string } {
	if (typeof entry === 'string') return entry;
	if (Number.isSafeInteger(entry)) return String(entry);
	if (typeof entry !== 'number') return { reason: 'is not text' };
	return { reason: 'is not an exact whole number; pass it as text' };
}
