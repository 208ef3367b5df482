import { urlDecoded } from '../../../../shared/input';
import { readDomain, readEmail } from './emailAndDomain';
import {
	isMapsLink,
	LABELLED_PLACE_ID,
	readCid,
	readMapsLink,
	readPlaceId,
	WRITTEN_AS_CID,
} from './googleMaps';
import {
	INVISIBLE,
	ITEM_TYPES,
	LONGEST_VALUE,
	problemOf,
	type Cleaned,
	type ItemType,
} from './itemTypes';

/**
 * Cleans one pasted value: an address with a name, a web address, a Google Maps link. It never
 * guesses: an ambiguous value is invalid.
 *
 * @param type the type of the value, or `auto` to detect it
 * @returns the value as the service accepts it (service interface, section 2), or why it is invalid;
 * never throws
 */
export function cleanValue(type: ItemType | 'auto', pasted: string): Cleaned {
	if (pasted.length > LONGEST_VALUE) return { reason: 'is too long' };
	const unwrapped = withoutWrapping(pasted);
	const address = /^mailto:|@.*\?/i.test(unwrapped) ? MAILTO.exec(unwrapped)?.[1] : undefined;
	const text = address === undefined ? unwrapped : withoutWrapping(urlDecoded(address));
	if (text === '') return { reason: 'is empty' };
	if (INVISIBLE.test(text)) return { reason: 'contains an invisible character' };
	const cleaned = read(type === 'auto' && address !== undefined ? 'email' : type, text);
	if ('reason' in cleaned || !hasAnother(type, pasted, text, cleaned.value)) return cleaned;
	return { reason: 'is probably two values: separate them with a comma' };
}

/** With the address before the query, or in it; also without `mailto:` before a subject or a body. */
const MAILTO =
	/^(?:mailto:(?:\?(?:.*&)?to=)?|(?=[^?/]*@[^?/]*\?(?:(?:subject|body)=[^&]*(?:&|$))+$))((?<=[?&]to=)[^&]*|[^?]*)/i;

/**
 * Checks one value without cleaning it. With `auto`, a value that cleaning would change is invalid.
 *
 * @returns the value, or why it is invalid; never throws
 */
export function checkValue(type: ItemType | 'auto', value: string): Cleaned {
	if (type !== 'auto') {
		const problem = problemOf(type, value);
		if (problem === undefined) return { type, value };
		return { reason: `${problem}; expected ${ITEM_TYPES[type].looksLike}` };
	}
	const cleaned = cleanValue('auto', value);
	if ('reason' in cleaned || cleaned.value === value) return cleaned;
	const { name } = ITEM_TYPES[cleaned.type];
	return { reason: `needs cleaning to be of the type ${name}, but "Clean Values" is off` };
}

function read(type: ItemType | 'auto', text: string): Cleaned {
	// Not a link: tiktok.com/@name, https://name@example.com
	if (type === 'email' || (type === 'auto' && /^\/*[^/@]*@/.test(text))) return readEmail(text);
	if (type === 'domain') return readDomain(text);
	if (isMapsLink(text)) return readMapsLink(type, text);
	if (type === 'cid') return readCid(text);
	if (type === 'place_id' || LABELLED_PLACE_ID.test(text)) return readPlaceId(text);
	if (WRITTEN_AS_CID.test(text)) return readCid(text);
	if (text.includes('.')) return readDomain(text);
	if (/^\d+$/.test(text)) {
		return { reason: 'is a short number, which could be a CID or a phone number: choose a type' };
	}
	if (/^ChIJ[\w-]{16,}$/.test(text)) return readPlaceId(text);
	return { reason: 'is not clearly an email address, a domain, a place ID or a CID' };
}

/**
 * What separates two values, a name included, and what begins a web address in a path: not in a parameter,
 * `?url=https://…`, nor in the name of a place, `/place/www.…`.
 */
const BETWEEN =
	/https?:\/\/(?<!(?:^|:\/\/|\/place\/|[=?#:&+]|%\w\w)https?:\/\/)|www\.(?<=(?:[^/]\/[^/.?#]*| )www\.)(?<!\/place\/www\.)|<(?:br ?\/?>)?|[\t"|•·、，；]|\\[nrt]/i;

/** A place ID or a CID that goes on, and an ID behind a website that is no parameter: not `?id=ChIJ…`. */
const GLUED_ID =
	/^\d{17,20}[/ |"]*[a-zA-Z]|ChIJ[\w-]{23}(?:[/ |"]*[\w-]|(?<!(?:^[\s\p{P}\p{Cf}`´<>]*|[=:"'\s]|%3A|!\d{1,2}s).{27}))|\/(?<=\.[a-z]+\/)(?:\d{17,20}$|0x[\da-f]+:0x|place_?id:)/u;

/** The host of an address in a path, and not of `/logo/@2x`. In a query, an address is a parameter. */
const ADDRESS_IN_PATH = /^(?=[^@]*\/)[^?#]*[\p{L}\d]@([\p{L}\p{M}\d.-]+)/u;

/** Whether there is another value beside this one: it must not be dropped silently. */
function hasAnother(type: ItemType | 'auto', pasted: string, text: string, value: string): boolean {
	const host = text.includes('@') && ADDRESS_IN_PATH.exec(text)?.[1];
	if (GLUED_ID.test(pasted) || (host && 'value' in readEmail(`x@${host}`))) return true;
	// With the type chosen, what is beside an address is its name.
	if (type === 'email' || value.length === pasted.length || !BETWEEN.test(pasted)) return false;
	const parts = pasted.split(BETWEEN).filter((part) => !part.includes(value));
	const others = parts.map((part) => cleanValue('auto', part));
	// The website of an address can be its name: www.example.com <info@example.com>
	return others.some((other) => 'value' in other && !`@${value}`.endsWith(`@${other.value}`));
}

/** Spaces, quotes, brackets, and characters that nobody sees. */
const BEFORE = /[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{Cf}\p{DI}"'`´<>]/u;
const AFTER = /[\s\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{Cf}\p{DI}"'`´<>.,;:!?]/u;

/** Removes what is pasted around a value: spaces, quotes, brackets, a name. */
function withoutWrapping(text: string): string {
	const inner = withoutEnds(text);
	// Most values have no name.
	if (!inner.includes('<')) return inner;
	// The end of "Name <value>" is already removed.
	const [, name = '', value = inner] = /^([^<>]*)<([^<>]*)$/.exec(inner) ?? [];
	// Another address in place of the name must not be dropped silently.
	const other = withoutEnds(name).toLowerCase();
	const isSame = [other, `mailto:${other}`].includes(value.toLowerCase());
	return isSame || !/@[^\s@]+\./.test(other) ? withoutEnds(value) : inner;
}

/** A loop, because a regular expression would backtrack from every space inside: quadratic time. */
function withoutEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && BEFORE.test(text.charAt(start))) start++;
	while (start < end && AFTER.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}
