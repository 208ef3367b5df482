/** A coordinate, a zoom or a height in a Google Maps link: `/@52.5,13.4,17z/`. */
const COORDINATE = /(?:-?\d{1,3}(?:\.\d{1,20})?|\d{1,8}(?:\.\d{1,20})?[a-z])(?:[,;/?&!#\s"')>]|$)/;

/**
 * The rest of a place's name, which can be empty, before the coordinates, the data or an ID: `Doe,Inc/@52.5`.
 * Letters that links escape have up to nine characters each.
 */
const REST_OF_NAME =
	/(?:&amp;|[^,;\s"/?]|,(?![,/&])){0,2000}(?=\/(?:@-?\d|data=!)|&(?:amp;)?(?:ftid|(?:ludo)?cid|(?:query_)?place_?id)=)/;

/**
 * How a link goes on after its own comma, also in `/Café,+Berlin/`: the next value never starts like this. A
 * name is read once for all its commas.
 */
const LINK_GOES_ON = `(?:(?=[+%]|${COORDINATE.source})|${REST_OF_NAME.source})`;

/** A character as HTML writes it: `&amp;`. */
const ESCAPED = /&(?:amp|#x?[\da-f]{1,6});/;

/** A space in front of a web address separates it from another one, and not from a name. */
const SEPARATOR = /[,;\r\n\u2028\u2029]| (?=https?:\/\/|www\.)/i;
const WEB_ADDRESS = /^\s{0,99}(?:https?:\/\/|www\.)/i;

/** What contains a separator that is part of a value, and the separators. */
const TOKENS = new RegExp(
	[
		// A quoted name: "Smith, John" <john@example.com>
		/"[^"\r\n]{0,1000}"(?=[ \t]*<)/,
		ESCAPED,
		// Rounded numbers, 1,02E+19, and numbers with thousands separators, 12,345,678
		/(?<![^;\s])\d,\d{1,20}E\+\d{1,3}/,
		/(?<![^;\s])\d{1,3}(?:,\d{3}){1,9}(?![\d,])/,
		// Links to Google, up to a length, so that other work can be done in between
		new RegExp(
			`\\bgoogle(?:\\.[a-z]{2,3}){1,2}/(?:${ESCAPED.source}|[^,;\\s]|,${LINK_GOES_ON}){0,2000}`,
		),
		new RegExp(`(?:${SEPARATOR.source}){1,1000}`),
	]
		.map(({ source }) => source)
		.join('|'),
	'gi',
);

/**
 * Splits values at commas, semicolons, line breaks, and spaces between two web addresses, but not at commas
 * and semicolons of a Google Maps link.
 *
 * @param values a text of one or many values, a list of such texts, or anything else
 * @returns the values one by one, texts trimmed. It also yields empty texts, so that the caller can do other
 * work in the middle of a long text.
 */
export function* split(values: unknown): Generator<unknown> {
	for (const entry of Array.isArray(values) ? (values as unknown[]) : [values]) {
		if (typeof entry !== 'string') yield entry ?? '';
		else if (SEPARATOR.test(entry)) yield* splitText(entry);
		else yield entry.trim();
	}
}

function* splitText(text: string): Generator<string> {
	let start = 0;
	for (const { 0: token, index } of text.matchAll(TOKENS)) {
		const value = text.slice(start, index);
		const isSeparator = token === ' ' ? WEB_ADDRESS.test(value) : /^[,;\s]/.test(token);
		yield isSeparator ? value.trim() : '';
		if (isSeparator) start = index + token.length;
	}
	yield text.slice(start).trim();
}
