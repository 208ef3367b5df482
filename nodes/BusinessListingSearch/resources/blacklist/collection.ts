import { show } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';
import { checkValue, cleanValue } from './clean';
import type { Settings } from './settings';
import { splitText } from './split';
import type { Cleaned, ItemType } from './values';

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
	/** How often it occurs, if it is invalid. */
	times?: number;
}

/** An occurrence of a value. */
export interface Occurrence {
	row: number;
	value: Value;
}

/** How many values there are, including repeated ones. */
interface Counts {
	valid: number;
	invalid: number;
}

/** The result of a row's values. */
interface Found extends Counts {
	/** The invalid ones, one entry per occurrence. */
	problems: Value[];
}

/** What the rows contain for a blacklist. */
export interface BlacklistTally extends Counts {
	/** All rows that name it. */
	rows: number[];
	/** How many different values are valid. */
	distinct: number;
}

/** The parameters of an input row. */
export interface Row {
	/** Identifies its account: another account has lists of its own. */
	account: string;
	blacklist: string;
	type: ItemType | 'auto';
	/** A text of one or many values, an array of such texts, or anything else an expression returns. */
	values: unknown;
}

/** The texts seen so far of one type for one blacklist of an account. */
interface Texts {
	type: ItemType | 'auto';
	blacklist: string;
	tally: BlacklistTally;
	/** The values of the blacklist, by their type and, if invalid, the reason. */
	distinct: Map<string, Map<string, Value>>;
	/** The value of each text that is a single value. */
	values: Map<string, Value>;
	/** The values of each other text. */
	lists: Map<string, Value[]>;
}

/** Longer texts are not cached: they are rare, and too large. */
const LONGEST_KEPT = 2_000;

const MOST_ITEMS = 100_000;

/** After how many known values the work can be interrupted. */
const QUICK_VALUES = 256;

/**
 * The values of all rows. Each is kept once per blacklist of an account; a repeated one is only counted, because
 * every row can contain all values again.
 */
export class Collection {
	/** In the order in which the rows name them first. */
	readonly values: Value[] = [];
	/** By blacklist, in the order in which the rows name them. */
	readonly tallies = new Map<string, BlacklistTally>();
	/** All values in input order, one per output item; empty for a summary. */
	readonly occurrences: Occurrence[] = [];

	private readonly distinctValues = new Map<string, Texts['distinct']>();
	private readonly texts = new Map<string, Texts>();
	private last: { values: unknown; found: Map<Texts, Found & { from: number; to: number }> } = {
		values: undefined,
		found: new Map(),
	};

	constructor(private readonly settings: Settings) {}

	/**
	 * Adds the values of a row. It yields wherever it can be interrupted.
	 *
	 * @throws Refusal for more values than output items are allowed
	 */
	*add(row: number, { account, blacklist, type, values }: Row): Generator<void, void> {
		const texts = this.textsOf(account, blacklist, type);
		const { tally } = texts;
		tally.rows.push(row);

		// Without an expression, the values are the same for all rows.
		if (values !== this.last.values) this.last = { values, found: new Map() };
		let found = this.last.found.get(texts);
		if (found) {
			for (let index = found.from; index < found.to; index++) {
				this.note(row, this.occurrences[index]!.value);
			}
		} else {
			const from = this.occurrences.length;
			const counts = yield* this.find(row, texts, Array.isArray(values) ? values : [values]);
			found = { ...counts, from, to: this.occurrences.length };
			this.last.found.set(texts, found);
		}
		tally.valid += found.valid;
		tally.invalid += found.invalid;
		for (const problem of found.problems) problem.times = (problem.times ?? 0) + 1;
	}

	private *find(row: number, texts: Texts, entries: unknown[]): Generator<void, Found> {
		const counts: Found = { valid: 0, invalid: 0, problems: [] };
		const count = (value: Value) => {
			const isInvalid = value.status === 'invalid';
			counts[isInvalid ? 'invalid' : 'valid'] += 1;
			if (isInvalid) counts.problems.push(value);
			this.note(row, value);
		};
		let quick = 0;
		for (const entry of entries) {
			if (entry === undefined || entry === null) continue;
			const text = textOf(entry);
			if (typeof text !== 'string') {
				count(this.distinct(row, texts, show(entry), text));
				yield;
				continue;
			}
			const value = texts.values.get(text);
			const list = value ? undefined : texts.lists.get(text);
			if (value) count(value);
			else if (list) list.forEach(count);
			else yield* this.split(row, texts, text, count);
			quick += 1 + (list?.length ?? 0);
			if (quick >= QUICK_VALUES) {
				quick = 0;
				yield;
			}
		}
		return counts;
	}

	private *split(
		row: number,
		texts: Texts,
		text: string,
		count: (value: Value) => void,
	): Generator<void, void> {
		const isKept = text.length <= LONGEST_KEPT;
		const list: Value[] = [];
		for (const part of splitText(text)) {
			yield;
			if (part === '') continue;
			const value = texts.values.get(part) ?? this.clean(row, texts, part);
			count(value);
			if (isKept) list.push(value);
		}
		if (isKept && !texts.values.has(text)) texts.lists.set(copied(text), list);
	}

	private clean(row: number, texts: Texts, part: string): Value {
		const judge = this.settings.cleans ? cleanValue : checkValue;
		const isKept = part.length <= LONGEST_KEPT;
		const value = this.distinct(row, texts, isKept ? part : show(part), judge(texts.type, part));
		if (isKept) texts.values.set(part === value.value ? value.value : copied(part), value);
		return value;
	}

	/** @param shown how an invalid value is reported */
	private distinct(row: number, texts: Texts, shown: string, cleaned: Cleaned): Value {
		const { blacklist, tally } = texts;
		const isValid = 'value' in cleaned;
		const { type, value } = isValid ? cleaned : { type: texts.type, value: shown };
		const group = isValid ? type : `${type} ${cleaned.reason}`;
		const values = getOrAdd(texts.distinct, group, () => new Map<string, Value>());
		const known = values.get(value);
		if (known) return known;
		const added: Value = {
			row,
			blacklist,
			type,
			value: copied(value),
			status: isValid ? 'pending' : 'invalid',
			...(!isValid && { reason: cleaned.reason }),
		};
		values.set(added.value, added);
		this.values.push(added);
		if (isValid) tally.distinct += 1;
		return added;
	}

	private note(row: number, value: Value): void {
		if (this.settings.output !== 'items') return;
		if (this.occurrences.length === MOST_ITEMS) {
			throw new Refusal(
				`"Output" cannot be "Each Value" for more than ${MOST_ITEMS.toLocaleString('en')} values`,
				'Choose "Summary", or split the values across several runs.',
			);
		}
		this.occurrences.push({ row, value });
	}

	private textsOf(account: string, blacklist: string, type: ItemType | 'auto'): Texts {
		const list = JSON.stringify([account, blacklist]);
		const create = (): Texts => ({
			type,
			blacklist,
			tally: getOrAdd(this.tallies, blacklist, () => ({
				rows: [],
				distinct: 0,
				valid: 0,
				invalid: 0,
			})),
			distinct: getOrAdd(this.distinctValues, list, () => new Map()),
			values: new Map(),
			lists: new Map(),
		});
		return getOrAdd(this.texts, `${type} ${list}`, create);
	}
}

function getOrAdd<Key, Item>(map: Map<Key, Item>, key: Key, create: () => Item): Item {
	const known = map.get(key);
	if (known !== undefined) return known;
	const created = create();
	map.set(key, created);
	return created;
}

/** An entry as text; anything but a text or an exact number is invalid. */
function textOf(entry: unknown): string | { reason: string } {
	if (typeof entry === 'string') return entry;
	if (typeof entry === 'number') {
		return Number.isSafeInteger(entry)
			? String(entry)
			: { reason: 'is not an exact whole number; pass it as text' };
	}
	return { reason: 'is not text' };
}

/** In V8 a substring keeps the whole text in memory; a copy does not. */
function copied(text: string): string {
	return ` ${text}`.slice(1);
}
