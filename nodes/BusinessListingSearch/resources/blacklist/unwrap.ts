/** The longest text that is unwrapped: a value with everything that was pasted around it. */
export const LONGEST_PASTED = 100_000;

/** In front of an address: `"Smith, John" <john@example.com>`. */
const NAME_IN_QUOTES = /"([^"\r\n]*)"(?=[ \t]*<)/g;

/**
 * Soft hyphens, zero-width spaces, direction marks, byte order marks. Not joiners, which are part of some
 * names.
 */
export const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\p{DI}]/gu;

/** Zero-width joiners. */
const JOINERS = /[\u200c\u200d]/g;

const BEFORE_A_VALUE = /[\s\u200c\u200d"'`´‘’‚‛“”„‟«»‹›「」『』()[\]{}<>]/;
const AFTER_A_VALUE = /[\s\u200c\u200d"'`´‘’‚‛“”„‟«»‹›「」『』()[\]{}<>.,;:!?…。、，；：！？]/;

/**
 * Removes what is pasted around a value: spaces, quotes, brackets, a name, invisible characters.
 *
 * @param value at most `LONGEST_PASTED` characters
 */
export function withoutWrapping(value: string): string {
	const withoutName = value.replace(NAME_IN_QUOTES, (_quoted, name: string) =>
		addressesIn(name).length > 0 ? name : '',
	);
	const text = withoutName.replace(INVISIBLE, '');
	const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>[^<>\p{L}\p{N}]*$/u.exec(text) ?? [];
	const outside = withoutEnds(name);
	// "Name <value>"; another address in place of the name must not be dropped silently.
	const isName = addressesIn(outside).every((found) => bracketed?.toLowerCase().includes(found));
	return withoutJoiners(withoutEnds(isName ? (bracketed ?? text) : text));
}

/** The email addresses in a name, in lower case: `Ada (ada@example.com)` has one, `Sales@Acme` none. */
function addressesIn(name: string): string[] {
	return name
		.toLowerCase()
		.split(/[\s()[\]"',;|]/)
		.filter((word) => word.indexOf('@') > 0 && word.lastIndexOf('.') > word.indexOf('@'));
}

/** A loop, because a regular expression would backtrack from every space inside: quadratic time. */
function withoutEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && BEFORE_A_VALUE.test(text.charAt(start))) start++;
	while (start < end && AFTER_A_VALUE.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** Joiners are part of Persian and Indian names; in ASCII text they were pasted along. */
export function withoutJoiners(text: string): string {
	const joined = text.replace(JOINERS, '');
	return /[^\0-\x7f]/.test(joined) ? text : joined;
}
