import { findGap, isTemplate, type Form } from '../../../../shared/readField';
import { quote, serialized } from '../../../../shared/text';
import { cleanValue } from '../cleaning/clean';
import { LONGEST_VALUE, type Cleaned, type ItemType } from '../cleaning/itemTypes';

/** A value of a blacklist, with its outcome. */
export interface Value {
	list: List;
	type: ItemType | 'auto';
	value: string;
	status: 'pending' | 'added' | 'valid' | 'invalid' | 'failed';
	/** Why it is invalid or failed. */
	reason?: string;
	/** The index of the input item that names it first. */
	row: number;
	/** How often the input items name it. */
	times: number;
}

export const VALUES = { label: 'Values', name: 'values' };

/** A blacklist of an account, with its values, each once. */
export class List {
	/** The indexes of the input items that name the blacklist. */
	readonly rows: number[] = [];
	/** By type, reason and value. */
	private readonly distinct = new Map<string, Value>();
	/** The value of each text: input items repeat them. */
	private readonly texts = new Map<string, Value>();

	constructor(
		readonly blacklist: string,
		private readonly form: Form,
	) {}

	/** In the order in which the input items name them first. */
	get values(): Value[] {
		return [...this.distinct.values()];
	}

	/**
	 * Adds a value of an input item, or counts it, if it has been added before.
	 *
	 * @param part one value as text, or anything else that an expression returns
	 */
	add(type: Value['type'], part: unknown, row: number): Value {
		const text = textOf(part);
		const key = `${type} ${String(text)}`;
		const isText = typeof text === 'string';
		let value = isText ? this.texts.get(key) : undefined;
		if (!value) {
			const shown = typeof part === 'object' ? serialized(part) : part;
			const isLong = !isText || text.length > LONGEST_VALUE;
			const cleaned = isText ? this.clean(type, text) : text;
			value = this.findOrAdd(type, isLong ? quote(shown) : text, cleaned, row);
			if (isText) this.texts.set(key, value);
		}
		value.times += 1;
		return value;
	}

	/** @param shown how an invalid value is reported */
	private findOrAdd(type: Value['type'], shown: string, cleaned: Cleaned, row: number): Value {
		const found: Value = {
			...('reason' in cleaned
				? { type, value: shown, status: 'invalid', reason: cleaned.reason }
				: { ...cleaned, status: 'pending' }),
			list: this,
			row,
			times: 0,
		};
		const key = [found.type, found.reason, found.value].join(' ');
		const value = this.distinct.get(key) ?? found;
		this.distinct.set(key, value);
		return value;
	}

	private clean(type: Value['type'], text: string): Cleaned {
		if (isTemplate(text)) return { reason: 'contains an expression that was not evaluated' };
		const gap = findGap(VALUES, text, this.form);
		if (gap) return { reason: `contains "${gap.word}". ${gap.advice}` };
		const cleaned = cleanValue(type, text);
		if (!('sharedSite' in cleaned)) return cleaned;
		return { reason: `${cleaned.reason}: to exclude all of it, type it in Add Item` };
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
