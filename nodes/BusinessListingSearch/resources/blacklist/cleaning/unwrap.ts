import { urlDecoded } from '../../../../shared/text';

/**
 * A pasted text, taken apart: the value, what stands in front of `<…>`, and, for the address of a mail, what stands
 * behind it, such as `subject=Hi`. The name and the query can be empty.
 */
export type Unwrapped = { text: string; name: string; query?: string };

/**
 * Takes off what is pasted around a value: spaces, quotes, brackets, the name in `Ada <ada@example.com>`,
 * `mailto:`, a subject.
 */
export function unwrap(pasted: string): Unwrapped {
	const { name, text } = withoutName(withoutEnds(pasted));
	// This test is cheap, and most values end here: they are no mail.
	if (!text.includes('?') && !/^mailto:/i.test(text)) return { text, name };
	const [, mailto, address = mailto, query = ''] = MAIL.exec(text) ?? [];
	const isMail = mailto !== undefined || SUBJECT_OR_BODY.test(query);
	if (address === undefined || !isMail) return { text, name };
	const inner = withoutName(withoutEnds(urlDecoded(address || (TO.exec(query)?.[1] ?? ''))));
	return { text: inner.text, name: `${name} ${inner.name}`, query };
}

/** `mailto:ada@example.com`, `ada@example.com?subject=Hi`: the address and the query. */
const MAIL = /^(?:mailto:([^?]*)|([^/?@]*@[^/?@]*)\?)\??(.*)$/is;

/** The only parameters of an address that is pasted without `mailto:`: `subject=Hi&body=…` */
const SUBJECT_OR_BODY = /^(?:(?:subject|body)=[^&]*(?:&|$))+$/i;

/** `mailto:?subject=Hi&to=ada@example.com` */
const TO = /(?:^|&)to=([^&]*)/i;

/** Spaces, quotes, brackets, characters that nobody sees, the `*` of a list, and the end of a sentence: `ada@example.com).` */
const BEFORE = /[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{Cf}\p{DI}"'`´<>*]/u;
const AFTER = /[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{Cf}\p{DI}"'`´<>.,;:!?]/u;

/**
 * Takes off spaces, quotes, brackets and the end of a sentence: `(ada@example.com).` A loop, because a
 * regular expression would backtrack from every space inside: quadratic time.
 */
function withoutEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && BEFORE.test(text.charAt(start))) start++;
	while (start < end && AFTER.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** `Ada <ada@example.com`, of which the last sign is already taken off. */
const NAME_AND_VALUE = /^([^<>]*)<([^<>]*)$/;

/** What is probably an address: `ada@example.com`, and not `Chef@Home`. */
const ADDRESS_IN_NAME = /@[^\s@]+\./;

function withoutName(text: string): { name: string; text: string } {
	// The pattern is tried only where it can match: most values have no name.
	const parts = text.includes('<') ? NAME_AND_VALUE.exec(text) : null;
	if (!parts) return { name: '', text };
	const [, name = '', value = ''] = parts;
	// Another address in place of the name must not be dropped silently.
	const other = withoutEnds(name).toLowerCase();
	const isSame = [other, `mailto:${other}`].includes(value.toLowerCase());
	if (!isSame && ADDRESS_IN_NAME.test(other)) return { name: '', text };
	return { name, text: withoutEnds(value) };
}
