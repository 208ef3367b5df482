/**
 * Splits values at commas, semicolons, line breaks, and spaces between two web addresses or email addresses, but
 * not at commas and semicolons of a Google Maps link.
 *
 * @param values a text of one or many values, a list of such texts, or anything else
 * @returns the values one by one, texts trimmed. It also yields empty texts, so that the caller can do other
 * work in the middle of a long text.
 */
export function* split(values: unknown): Generator<unknown> {
	for (const entry of Array.isArray(values) ? (values as unknown[]) : [values]) {
		if (typeof entry !== 'string') yield entry ?? '';
		else if (!SEPARATOR.test(entry)) yield entry;
		else yield* splitText(entry);
	}
}

/** What every text of several values has: `a.com;b.com`. Most are one value. */
const SEPARATOR = /[,;\s]/;

/** `ada@example.com` as it stands, without quotes, brackets and `mailto:`; and the first of several. */
const ADDRESS = /^[^\s@:"<>()]{1,64}@[^\s@:"<>()]{1,190}\.\p{L}[^\s@:"<>()]{1,62}$/u;
const ADDRESS_AND_SPACE = /^[^\s@:"<>()]{1,64}@[^\s@:"<>()]{1,253}\s/;

/** Splits a text at its spaces, if each part is an address. */
function splitAddresses(text: string): string[] {
	if (!ADDRESS_AND_SPACE.test(text)) return [text];
	const parts = text.split(/\s+/);
	return parts.every((part) => ADDRESS.test(part)) ? parts : [text];
}

/** What can stand between two values, or a quoted name: `"Smith, John" <john@example.com>`. */
const SIGN = /"[^"\r\n]{0,1000}"[ \t]*<|[,;\r\n\u2028\u2029]| (?:https?:\/\/|www\.)/gi;

/** How a value begins that a space separates from a web address: `https://example.com www.example.org`. */
const WEB_ADDRESS = /^\s{0,99}(?:https?:\/\/|www\.)/i;

/** A link to Google at the end of a text, `google.com/maps/place/Café`, up to a length, and the next part of one. */
const LINK = /\bgoogle(?:\.[a-z]{2,3}){1,2}\/\S{0,1999}$/i;
const MORE_OF_LINK = /^\S{0,1999}$/;

function* splitText(text: string): Generator<string> {
	let start = 0;
	// What is read of the value, up to a sign of its own
	let from = 0;
	let isLink = false;
	for (const { 0: sign, index } of text.matchAll(SIGN)) {
		if (index < from || sign.startsWith('"')) continue;
		if (sign.startsWith(' ') && !WEB_ADDRESS.test(text.slice(start, index))) continue;
		const part = text.slice(from, index);
		isLink = (isLink && MORE_OF_LINK.test(part)) || LINK.test(part);
		from = endOfOwn(sign, text, index, isLink);
		const value = from === index ? text.slice(start, index).trim() : '';
		yield* splitAddresses(value);
		if (from !== index) continue;
		start = from = index + 1;
		isLink = false;
	}
	yield* splitAddresses(text.slice(start).trim());
}

/** The `1` of a rounded number, `1,02E+19`, and the `12` of `12,345,678`. */
const START_OF_NUMBER = /(?:^|[;\s])\d{1,3}$/;

/** The rest of these: `,02E+19`, `,345,678` */
const REST_OF_NUMBER = /,(?:\d{1,20}E\+\d{1,3}|\d{3}(?:,\d{3}){0,8}(?![\d,]))/iy;

/** A comma in the text of a link, `,+Berlin`, or before a coordinate, a zoom or a height: `/@52.5,13.4,17z/`. */
const IN_LINK =
	/,(?:[+%]|(?:-?\d{1,3}(?:\.\d{1,20})?|\d{1,8}(?:\.\d{1,20})?[a-z])(?:[,;/?&!#\s"')>]|$))/iy;

/**
 * The rest of a place's name, which can be empty, before the coordinates, the data or an ID: `,Inc/@52.5`,
 * `;+Inc/@52.5`. It is read once for all its signs. Letters that links escape have up to nine characters each.
 */
const REST_OF_NAME =
	/(?:,|;[+%])(?:&amp;|&(?!amp;)|[^&,;\s"/?]|,(?![,/&])|;[+%]){0,2000}(?:\/@-?\d|\/data=!|&(?:amp;)?(?:ftid|\w*cid|\w*place_?id)=)/iy;

/** The beginning of a character as HTML writes it: `&amp;`, of which the last sign is no separator. */
const ESCAPED = /&(?:amp|#x?[\da-f]{1,6})$/i;

/** @returns where a value is read on behind a sign of its own; where the sign is, if it ends the value */
function endOfOwn(sign: string, text: string, index: number, isLink: boolean): number {
	if (sign === ';' && ESCAPED.test(text.slice(0, index).slice(-9))) return index + 1;
	const isNumber = START_OF_NUMBER.test(text.slice(Math.max(0, index - 4), index));
	if (isNumber && isAt(REST_OF_NUMBER, text, index)) return REST_OF_NUMBER.lastIndex;
	if (isLink && isAt(IN_LINK, text, index)) return index + 1;
	return isLink && isAt(REST_OF_NAME, text, index) ? REST_OF_NAME.lastIndex : index;
}

function isAt(pattern: RegExp, text: string, index: number): boolean {
	pattern.lastIndex = index;
	return pattern.test(text);
}
