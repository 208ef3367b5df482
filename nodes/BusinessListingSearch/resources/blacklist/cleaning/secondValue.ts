import type { Found, ItemType } from './itemTypes';
import { readValue } from './readValue';
import { unwrap, type Unwrapped } from './unwrap';

/**
 * A place ID that goes on, `ChIJLU7jZClu5kcR4PcOOO6p3I0info@example.com`; a CID or a phone number in front of a name,
 * `10222232094831998944info@example.com`, `00436601234567info@…`, also behind what the readers leave out.
 */
const GLUED = /ChIJ[\w-]{24}|^(?:%20|\\?u003e|\w+:\/\/|[Ww]{3}\.)*(?:\d{17,20}|00\d{8,})[A-Za-z]/;

/**
 * Whether there is another value beside this one: it must not be dropped silently. It can only be in what the
 * reader left over: the name in front of `<…>`, the path and the query.
 *
 * @param type the type that was asked for: with Email, what is beside an address is its name
 */
export function hasAnother(type: ItemType | 'auto', found: Found, unwrapped: Unwrapped): boolean {
	const { text, name, query = '' } = unwrapped;
	const { rest = '', path = '' } = found.address ?? {};
	const behind = rest + query;
	if (GLUED.test(text) || BEHIND_LINK.test(name) || BEHIND_MAIL.test(query)) return true;
	if (type === 'email' || name + behind === '') return false;
	if (BEHIND_SIGN.test(behind) || begins(behind)) return true;
	// HTML ends a character with a semicolon, which then separates nothing: `&#39;` counts as `&`.
	if (/;[^+%]/.test(behind.replace(/&(?:amp|#\w{1,7});/gi, '&'))) return true;
	const texts = [...name.split(SEPARATOR), ...behind.split(SEPARATOR).slice(1)];
	texts.push(...(name.match(IN_NAME) ?? []), ...(path.match(END_OF_ADDRESS) ?? []));
	return texts.some((each) => {
		const other = readValue('auto', unwrap(each).text);
		// The same one again, or the website of an address: www.example.com <info@example.com>
		return 'value' in other && !`@${found.value}`.endsWith(`@${other.value}`);
	});
}

/** What separates two values: `example.com/menu|example.org` */
const SEPARATOR = /[<>\t"|•·、，；]|\\[nrt]/;

/** Values in a name: `Ada (https://example.com)`. A part that is only a domain is none: `Dr.Med Anna Li`. */
const IN_NAME =
	/(?:https?:\/\/|www\.)\S*|ChIJ[\w-]{23}|0x[\da-f]{9,16}(?::0x[\da-f]{1,16})?|\d{17,20}/gi;

/** A Google Maps link in front of a name, in a line that was not split: `google.com/maps/…, Ada <ada@example.com>` */
const BEHIND_LINK = /\bgoogle\.[^]*[,;]/i;

/** Another address behind that of a mail: `ada@example.com?subject=Hi bob@example.com` */
const BEHIND_MAIL = /\s\S*@/;

/** How a value begins right behind the host, `/10222232094831998944`, and behind a sign: `,example.com`. */
const BEHIND_SIGN =
	/(?:^[/?#]+\d{17}|[^\w/=+%.!:-]\d{14}|(?:^[/?#]+|[,;<>|"\\•·、，；“”])(?:0x|\w*id:))|,\d[.,]?\d*e\+|,[^\s/?#+%,;=]*(?:\.\p{L}{2}|@)|(?:data=!|lrd=)[^]*,[^\w&+%]*[a-z]/iu;

/** How a value begins anywhere behind the host. */
const BEGIN =
	/(?:[Hh]ttps?|HTTPS?):\/\/|mailto:|[Ww]ww\.|WWW\.|(?:maps\.)?google\.[a-z.]{2,6}[/?]|[CG]hIJ[\w-]{20}|0x[\da-f]{9}/g;

/** What it does not begin behind: a parameter, `?url=https://…`, a place's name, a map's data, `!19sChIJ…`. */
const NO_BEGIN = /(?:[=:+]|[:=]\/\/|%\w\w|\/place\/|(?:!|%21)\d\d?s)$/;

function begins(text: string): boolean {
	BEGIN.lastIndex = 0;
	for (let found; (found = BEGIN.exec(text)); BEGIN.lastIndex = found.index + 1) {
		const before = text.slice(Math.max(0, found.index - 7), found.index);
		const isOfHost = before.endsWith('.') && /^(?:maps\.)?google/.test(found[0]);
		if (!isOfHost && !NO_BEGIN.test(before)) return true;
	}
	return false;
}

/** The host of an address with the sign before it, which is enough to read one: `o@example.com`. */
const END_OF_ADDRESS = /[^/]@[\p{L}\p{M}\d.-]+/gu;
