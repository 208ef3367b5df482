import { isMapsLink } from './clean/mapsLink';
import { LONGEST_PASTED, withoutWrapping } from './unwrap';

/**
 * Separators, and what contains one: quoted names (`"Smith, John" <john@example.com>`), characters
 * escaped as in HTML (`&amp;`), rounded numbers (`1,02E+19`), and numbers with thousands separators.
 */
const SEPARATORS =
	/"[^"\r\n]{0,1000}"(?=[ \t]*<)|&(?:amp|#x?[\da-f]{1,6});|(?<![^;\s])\d,\d{1,20}E\+\d{1,3}|(?<![^;\s])\d{1,3}(?:,\d{3}){1,9}(?![\d,])|[,;\r\n\u2028\u2029]{1,1000}|$/gi;

/**
 * How a Google Maps link continues after a comma of its own: `/@52.5,13.4,17z/`, `/Café,+Berlin/`.
 * The next value of a list never starts like this.
 */
const LINK_GOES_ON =
	/^(?:[+%]|-?\d{1,3}(?:\.\d{1,20})?(?:[/?&!#\s]|$)|\d{1,8}(?:\.\d{1,20})?[a-z](?:[/?&!#\s]|$))/i;

/**
 * Splits a text at commas, semicolons and line breaks, but not at the commas of a Google Maps link.
 *
 * @returns the values one by one, trimmed. It also yields empty texts, so that the caller can pause
 * in a long text.
 */
export function* splitText(text: string): Generator<string> {
	let value: Extent = { start: 0, firstEnd: 0, end: 0 };
	let pieceStart = 0;
	let separator = '';
	for (const { 0: token, index } of text.matchAll(SEPARATORS)) {
		if (/[^,;\s]/.test(token)) {
			yield '';
			continue;
		}
		const piece = text.slice(pieceStart, index);
		if (separator === ',' && LINK_GOES_ON.test(piece) && isLink(text, value)) {
			value.end = index;
			yield '';
		} else {
			yield text.slice(value.start, value.end).trim();
			value = { start: pieceStart, firstEnd: index, end: index };
		}
		separator = token;
		pieceStart = index + token.length;
	}
	yield text.slice(value.start, value.end).trim();
}

/** The position of a value in its text. */
interface Extent {
	start: number;
	/** The end of its first piece: a Google Maps link can have several, with commas between them. */
	firstEnd: number;
	end: number;
	isLink?: boolean;
}

/** Looks only at the start, which is enough; every link to Google Maps contains a "g". */
function isLink(text: string, value: Extent): boolean {
	if (value.isLink === undefined) {
		const end = Math.min(value.firstEnd, value.start + LONGEST_PASTED);
		const beginning = text.slice(value.start, end);
		value.isLink = /g/i.test(beginning) && isMapsLink(withoutWrapping(beginning));
	}
	return value.isLink;
}
