/** Replaces the key. */
const PLACEHOLDER = '[API key]';

/** A shorter key could be part of ordinary words, so it is only removed where it stands alone. */
const SHORTEST_DISTINCT_KEY = 8;

/**
 * A longer key is searched for in parts of about this many characters: one pattern for all of it would
 * be too large for the engine.
 */
const PART = 100;
/** The longest part. */
const LONGEST_PART = 400;

/** What precedes a short key that stands alone: the start, an escape, or no letter or digit. */
const ALONE_BEFORE = '(?<=^|[^\\p{L}\\p{N}]|%[\\da-f]{2}|\\\\[bfnrt]|\\\\u[\\da-f]{4})';

/** The deepest nesting that is read: removing the key from more would overflow the stack. */
const DEEPEST_VALUE = 500;

/** Removes the key of a credential from what the service sends. */
export class Secret {
	/** The first part of the key, and the others, which follow it. */
	private readonly first: RegExp;
	private readonly others: RegExp[];
	/** The beginning of the key, and all that follows. */
	private readonly beginning: string;
	private readonly isDistinct: boolean;
	/** Whether it can occur in documented values, such as the name of a blacklist. */
	private readonly isWord: boolean;

	/** @param key the bare key, not empty */
	constructor(key: string) {
		// Backslashes in a row count as one character, or the pattern would match in exponentially
		// many ways.
		const characters = key.match(/\\+|[^\\]/gu) ?? [];
		this.isDistinct = key.length >= SHORTEST_DISTINCT_KEY;
		this.isWord = !this.isDistinct || /^[\p{L}\p{M} _-]+$/u.test(key);
		const [first = '', ...others] = partsOf(characters).map((part) =>
			part.map(waysToWrite).join(''),
		);
		this.first = new RegExp(
			this.isDistinct ? first : `${ALONE_BEFORE}${first}(?![\\p{L}\\p{N}])`,
			'giu',
		);
		this.others = others.map((part) => new RegExp(part, 'iuy'));
		const beginning = characters.slice(0, SHORTEST_DISTINCT_KEY).map(waysToWrite).join('');
		this.beginning = `${beginning}[^]*`;
	}

	/** @returns the text without the key, even if it is escaped for JSON, a URL or HTML */
	removeFrom(text: string): string {
		const { first } = this;
		if (this.others.length === 0) return text.replace(first, PLACEHOLDER);
		let removed = '';
		let from = 0;
		first.lastIndex = 0;
		for (let match = first.exec(text); match; match = first.exec(text)) {
			const end = this.endOfOthers(text, first.lastIndex);
			first.lastIndex = end ?? match.index + 1;
			if (end === undefined) continue;
			removed += text.slice(from, match.index) + PLACEHOLDER;
			from = end;
		}
		return removed + text.slice(from);
	}

	/** As `removeFrom`, for a text that may break off within the key. */
	removeFromPart(text: string): string {
		const removed = this.removeFrom(text);
		if (this.isWord) return removed;
		return removed.replace(new RegExp(this.beginning, 'iu'), PLACEHOLDER);
	}

	/** @returns where the other parts of the key end; undefined if they do not follow */
	private endOfOthers(text: string, start: number): number | undefined {
		let end = start;
		for (const part of this.others) {
			part.lastIndex = end;
			if (!part.test(text)) return undefined;
			end = part.lastIndex;
		}
		return end;
	}

	/**
	 * Removes the key from a whole response.
	 *
	 * @param value parsed JSON
	 * @param documented documented fields, passed on unchanged when the key is short or an ordinary
	 * word: a blacklist may have the same name
	 * @returns the value without the key in its texts and, unless it is short, in undocumented field
	 * names
	 * @throws RangeError for a value nested too deeply
	 */
	removeFromValue(value: unknown, documented: readonly string[] = [], depth = 0): unknown {
		if (typeof value === 'string') return this.removeFrom(value);
		if (typeof value === 'number') {
			const text = this.removeFrom(String(value));
			return text === PLACEHOLDER ? text : value;
		}
		if (typeof value !== 'object' || value === null) return value;
		if (depth > DEEPEST_VALUE) throw new RangeError('nested too deeply');
		if (Array.isArray(value)) {
			return value.map((entry) => this.removeFromValue(entry, documented, depth + 1));
		}
		return Object.fromEntries(
			Object.entries(value).map(([field, entry]) => [
				this.isDistinct && !documented.includes(field) ? this.removeFrom(field) : field,
				this.isWord && typeof entry !== 'object' && documented.includes(field)
					? entry
					: this.removeFromValue(entry, documented, depth + 1),
			]),
		);
	}
}

/** A part ends with a letter or digit: an escape could also be read as a "%" and what follows it. */
function partsOf(characters: string[]): string[][] {
	const parts: string[][] = [[]];
	for (const character of characters) {
		const part = parts.at(-1)!;
		part.push(character);
		const mayEnd = part.length >= PART && /^[a-z\d]$/i.test(character);
		if (mayEnd || part.length >= LONGEST_PART) parts.push([]);
	}
	return parts.filter(({ length }) => length > 0);
}

/**
 * A pattern for the ways a character can be escaped in a response. The number of repeated escapes is
 * limited, so that a long run of backslashes takes linear time.
 */
function waysToWrite(character: string): string {
	if (character.startsWith('\\')) return writtenBackslashes(character.length);
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	const bytes = Array.from(new TextEncoder().encode(character));
	const ways = [
		`\\\\{1,15}u${hex.padStart(4, '0')}`,
		// URL-encoded, once or more.
		bytes.map(percent).join(''),
		`&#(?:0{0,4}${code}|x0{0,4}${hex});`,
	];
	if (code > 0x7f) {
		// As Latin-1, as UTF-8 read as Latin-1 (as in headers), or as the replacement character.
		ways.push(percent(code), bytes.map((byte) => escaped(String.fromCharCode(byte))).join(''));
		ways.push('\ufffd');
	}
	if (character === ' ') ways.push('\\+');
	const entity = HTML_ENTITIES[character];
	if (entity !== undefined) ways.push(entity);
	// JSON, also nested: "/", "\/", "\\\/". Last, because other escapes begin like it.
	ways.push(`\\\\{0,15}${escaped(character)}`);
	return `(?:${ways.join('|')})`;
}

function writtenBackslashes(count: number): string {
	const encoded = `\\\\{1,15}u005c|${percent(0x5c)}|&#(?:0{0,4}92|x0{0,4}5c);`;
	return `(?:(?:${encoded}){${count}}|\\\\{${count},${16 * count}})`;
}

function percent(byte: number): string {
	return `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`;
}

const HTML_ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

function escaped(character: string): string {
	// With the flag u, only these may be escaped.
	return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
