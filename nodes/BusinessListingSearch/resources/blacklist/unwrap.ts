/** The longest text that is unwrapped: a value with everything that was pasted around it. */
export const LONGEST_PASTED = 100_000;

/** In front of an address: `"Smith, John" <john@example.com>`. */
const NAME_IN_QUOTES = /"([^"\r\n]*)"(?=[ \t]*<)/g;

const ADDRESS = /\S@\S/;

/** Soft hyphens, zero-width spaces, direction marks, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Zero-width joiners. */
const JOINERS = /[\u200c\u200d]/g;

const BEFORE_A_VALUE = /[\s\u200c\u200d"'`´‘’‚‛“”„‟«»‹›「」『』()[\]{}<>]/;
const AFTER_A_VALUE = /[\s\u200c\u200d"'`´‘’‚‛“”„‟«»‹›「」『』()[\]{}<>.,;:!?…。、，；：！？]/;

/**
 * Removes what is pasted around a value: blanks, quotes, brackets, a name, characters that nobody sees.
 *
 * @param value at most `LONGEST_PASTED` characters
 */
export function withoutWrapping(value: string): string {
	const withoutName = value.replace(NAME_IN_QUOTES, (_quoted, name: string) =>
		ADDRESS.test(name) ? name : '',
	);
	const text = withoutName.replace(INVISIBLE, '');
	const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>[^<>\p{L}\p{N}]*$/u.exec(text) ?? [];
	const outside = withoutEnds(name);
	// "Name <value>"; another address in place of the name must not be dropped silently.
	const isName = !ADDRESS.test(outside) || bracketed?.includes(outside);
	return withoutJoiners(withoutEnds(isName ? (bracketed ?? text) : text));
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
