import type { Found, ItemType } from './itemTypes';
import { readValue } from './readValue';
import { unwrap, type Unwrapped } from './unwrap';

/** A place ID that goes on: `ChIJLU7jZClu5kcR4PcOOO6p3I0info@example.com` */
const LONG_PLACE_ID = /ChIJ[\w-]{24}/;

/**
 * A CID or a phone number in front of a name: `10222232094831998944info@example.com`, `00436601234567info@…`, also
 * behind what the readers leave out.
 */
const NUMBER_AND_NAME = /^(?:%20|\\?u003e|https?:\/\/|www\.)*(?:\d{17,20}|00\d{8,})[a-z]/i;

/**
 * Whether there is another value beside this one: it must not be dropped silently. It can only be in what the
 * reader left over: the name in front of `<…>`, the path and the query. What is there is given to the same
 * readers.
 *
 * @param type the type that was asked for: with Email, what is beside an address is its name
 */
export function hasAnother(type: ItemType | 'auto', found: Found, unwrapped: Unwrapped): boolean {
	const { text, name, query = '' } = unwrapped;
	if (LONG_PLACE_ID.test(text) || NUMBER_AND_NAME.test(text)) return true;
	const { rest = query, path = '' } = found.address ?? {};
	if (type === 'email' || name + rest === '') return false;
	const texts = textsBehind(rest, path);
	// Most values have no name.
	if (name !== '') texts.push(...name.split(SEPARATOR), ...(name.match(IN_NAME) ?? []));
	return texts.some((each) => {
		const other = readValue('auto', unwrap(each).text);
		// The same one again, or the website of an address: www.example.com <info@example.com>
		return 'value' in other && !`@${found.value}`.endsWith(`@${other.value}`);
	});
}

/** What separates two values: `example.com/menu|example.org` */
const SEPARATOR = /<(?:br ?\/?>)?|[\t"|•·、，；]|\\[nrt]/i;

/** Values in a name: `Ada (https://example.com)`. A part that is only a domain is none: `Dr.Med Anna Li`. */
const IN_NAME =
	/(?:https?:\/\/|www\.)\S*|ChIJ[\w-]{23}|0x[\da-f]{9,16}(?::0x[\da-f]{1,16})?|\d{17,20}/gi;

/** How a value begins behind the host: `/https://example.com`, `/www.example.com`, `/ChIJ…`. */
const BEGIN = /https?:\/\/(?:www\.)?|www\.|(ChIJ[\w-]{23})/gi;

/** What stands before a parameter, `?url=https://…`, `?url=//www.…`, a place's name and a map's data, `!19sChIJ…`. */
const PARAMETER = /(?:=\/\/|[=:+]|%\w\w|\/place\/|!\d\d?s)$/i;

/** The host of an address with the sign before it, which is enough to read one: `o@example.com`. */
const END_OF_ADDRESS = /[^/]@[\p{L}\p{M}\d.-]+/gu;

/** An ID right behind the host: `/10222232094831998944`. */
const ID_BEHIND_HOST = /^[/?#]+(?:\d{17}|0x|cid:|place_?id:)/i;

function textsBehind(rest: string, path: string): string[] {
	if (rest.length < 2) return [];
	// A sign that separates, where a value begins
	const mark = (begin: string, id: string | undefined, index: number) => {
		if (PARAMETER.test(rest.slice(0, index).slice(-7))) return begin;
		return id === undefined ? `|${begin}` : `|${id}|`;
	};
	const marked = rest.search(BEGIN) === -1 ? rest : rest.replace(BEGIN, mark);
	const texts = SEPARATOR.test(marked) ? marked.split(SEPARATOR).slice(1) : [];
	// In a query, an address is a parameter: ?mail=info@example.com
	if (path.includes('@')) texts.push(...(path.match(END_OF_ADDRESS) ?? []));
	if (ID_BEHIND_HOST.test(rest)) texts.push(rest.replace(/^[/?#]+/, ''));
	return texts;
}
