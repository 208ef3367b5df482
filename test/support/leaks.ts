/**
 * Expects no part of a key in a value, even if it is escaped: resolves the escapes of JSON, URLs and
 * HTML first, layer by layer.
 *
 * @param key with at least two words of four letters or more that occur nowhere else
 */
export function expectNothingOf(key: string, value: unknown): void {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const readable = layersOf(text).join('\n');
	const words = key.match(/\w{4,}/g) ?? [];
	expect(words.length).toBeGreaterThan(1);
	for (const word of words) expect(around(readable, word)).toBe('');
}

/** The text, with its escapes resolved once, twice and so on. */
function layersOf(text: string): string[] {
	const layers = [text];
	for (let layer = text, next = unescaped(text); next !== layer; next = unescaped(layer)) {
		layers.push(next);
		layer = next;
	}
	return layers;
}

function unescaped(text: string): string {
	return text
		.replace(/\\+u([\da-f]{4})/gi, (_escape, code: string) => character(parseInt(code, 16)))
		.replace(/&#x([\da-f]+);/gi, (_escape, code: string) => character(parseInt(code, 16)))
		.replace(/&#(\d+);/g, (_escape, code: string) => character(Number(code)))
		.replace(/%([\da-f]{2})/gi, (_escape, code: string) => character(parseInt(code, 16)))
		.replace(/\\+(?=[/"])/g, '');
}

function character(code: number): string {
	return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/**
 * A word with its context, for the message of a failing test; empty if the text does not contain it.
 */
function around(text: string, word: string): string {
	const at = text.indexOf(word);
	return at < 0 ? '' : text.slice(Math.max(0, at - 60), at + 60);
}
