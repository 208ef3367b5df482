/** What stands where the key was. */
const PLACEHOLDER = '[API key]';

/** A shorter key could be part of ordinary words, so it is only taken out where it stands alone. */
const SHORTEST_DISTINCT_KEY = 8;

/** Where a short key stands alone: at the start, after anything but a letter or digit, or an escape. */
const ALONE_BEFORE = '(?<=^|[^\\p{L}\\p{N}]|%[\\da-f]{2}|\\\\[bfnrt]|\\\\u[\\da-f]{4})';

/** Nested deeper than this, an answer is not read: taking the key out of it would exhaust the stack. */
const DEEPEST_VALUE = 500;

/** Takes the key of a credential out of what a service sends. */
export class Secret {
	private readonly pattern: RegExp;
	private readonly isDistinct: boolean;
	/** Whether it can be a part of what a service documents, such as the name of a blacklist. */
	private readonly isWord: boolean;

	/** @param key the bare key, not empty */
	constructor(key: string) {
		// Backslashes in a row are one character here, which would else be read in ever more ways.
		const written = Array.from(key.match(/\\+|[^\\]/gu) ?? [], waysToWrite).join('');
		this.isDistinct = key.length >= SHORTEST_DISTINCT_KEY;
		this.isWord = !this.isDistinct || /^[\p{L}\p{M} _-]+$/u.test(key);
		this.pattern = new RegExp(
			this.isDistinct ? written : `${ALONE_BEFORE}${written}(?![\\p{L}\\p{N}])`,
			'giu',
		);
	}

	/** @returns the text without the key, however it is escaped: for JSON, a URL or HTML */
	removeFrom(text: string): string {
		return text.replace(this.pattern, PLACEHOLDER);
	}

	/**
	 * @param value parsed JSON
	 * @param documented fields of the service's document. They are passed on as they are where the key is
	 * short or an ordinary word: a blacklist may have it as its name
	 * @returns the value without the key in any text or field name of it
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

/**
 * A pattern for the ways a character can be written in an answer. The number of repeated escapes is
 * limited, so that a long run of backslashes costs no more than its length.
 */
function waysToWrite(character: string): string {
	if (character.startsWith('\\')) return writtenBackslashes(character.length);
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	const bytes = Array.from(new TextEncoder().encode(character));
	const ways = [
		`\\\\{1,15}u${hex.padStart(4, '0')}`,
		// A URL, encoded once or more
		bytes.map(percent).join(''),
		`&#(?:0{0,4}${code}|x0{0,4}${hex});`,
	];
	if (code > 0x7f) {
		// Encoded as Latin-1, or UTF-8 that was read as Latin-1, as headers are; or not readable at all.
		ways.push(percent(code), bytes.map((byte) => escaped(String.fromCharCode(byte))).join(''));
		ways.push('\ufffd');
	}
	if (character === ' ') ways.push('\\+');
	const entity = HTML_ENTITIES[character];
	if (entity !== undefined) ways.push(entity);
	// JSON, also as a text inside a text: "/", "\/", "\\\/". The last, because others begin like it.
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
	// In a pattern with the flag u, only these may be escaped.
	return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
