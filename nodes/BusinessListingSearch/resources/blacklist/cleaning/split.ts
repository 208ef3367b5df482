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

function splitLine(line: string): string[] {
	const link = LINK.exec(line)?.index ?? line.length;
	const parts = line.slice(0, link).split(SEPARATOR);
	parts.push(parts.pop()! + line.slice(link));
	return parts.map((part) => part.trim());
}

/** A link to Google, and no address there: `google.com/maps/place/Café,+Paris`, not `info@google.com`. */
const LINK = /\bgoogle\.[a-z.]{2,7}[/?]/i;

/**
 * A comma or semicolon, but not one of a character as HTML writes it, `&amp;`, of a number, `12,345` and `1,02E+19`,
 * or of a quoted name, `"Doe, Jane" <jane@example.com>`.
 */
const SEPARATOR =
	/(?<!&(?:amp|#\w{1,7}))[,;](?!(?<=(?:^|[\s,;"'=:<(])\d{1,3},)(?:\d{3}(?!\d)|\d{1,20}e\+)|[^"]{0,99}"[ \t]*<)/i;
