/**
 * Splits values at line breaks, commas and semicolons, but not behind a Google Maps link in the same line: such links
 * have commas of their own.
 *
 * @param values a text of one or many values, a list of such texts, or anything else
 * @returns the values one by one, texts trimmed, also empty ones
 */
export function* split(values: unknown): Generator<unknown> {
	for (const entry of Array.isArray(values) ? (values as unknown[]) : [values]) {
		if (typeof entry !== 'string') yield entry ?? '';
		else for (const line of entry.split(/[\r\n\u2028\u2029]/)) yield* splitLine(line);
	}
}

/** A line can have all values of a run, so it gives them one by one. */
function* splitLine(line: string): Generator<string> {
	const text = line.slice(0, LINK.exec(line)?.index);
	let start = 0;
	for (const { index } of text.matchAll(/[,;]/g)) {
		if (isOfValue(text, index)) continue;
		yield line.slice(start, index).trim();
		start = index + 1;
	}
	yield line.slice(start).trim();
}

/** A link to Google, and no address there: `google.com/maps/place/Café,+Paris`, not `info@google.com`. */
const LINK = /\bgoogle\.[a-z.]{2,7}[/?]/i;

/**
 * Whether a comma or semicolon belongs to a value: to a character as HTML writes it, `&amp;`, to a number, `12,345` and
 * `1,02E+19`, or to a quoted name, `"Doe, Jane" <jane@example.com>`.
 */
function isOfValue(text: string, index: number): boolean {
	const before = text.slice(Math.max(0, index - 9), index);
	const after = text.slice(index + 1, index + 210);
	const isNumber =
		text[index] === ',' &&
		/(?:^|[\s,;"'=:<(])\d{1,3}$/.test(text.slice(Math.max(0, index - 4), index)) &&
		/^(?:\d{3}(?!\d)|\d{1,20}e\+)/i.test(after);
	return isNumber || /&(?:amp|#\w{1,7})$/i.test(before) || /^[^"]{0,99}"[ \t]*</.test(after);
}
