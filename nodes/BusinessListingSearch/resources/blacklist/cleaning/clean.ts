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
	const [, address] = /^mailto:([^?]*)/i.exec(unwrapped) ?? [];
	const text = address === undefined ? unwrapped : withoutWrapping(urlDecoded(address));
	if (text === '') return { reason: 'is empty' };
	if (INVISIBLE.test(text)) return { reason: 'contains an invisible character' };
	if (type === 'auto') return address === undefined ? recognize(text) : readEmail(text);
	if (type === 'email') return readEmail(text);
	if (type === 'domain') return readDomain(text);
	if (isMapsLink(text)) return readMapsLink(type, text);
	return type === 'cid' ? readCid(text) : readPlaceId(text);
}

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

/** Phone numbers with a prefix, card numbers and times have fewer digits; most CIDs have 17 to 20. */
const CLEAR_CID = /^[1-9]\d{16,}$/;

function recognize(text: string): Cleaned {
	if (LABELLED_PLACE_ID.test(text)) return readPlaceId(text);
	if (WRITTEN_AS_CID.test(text) || CLEAR_CID.test(text)) return readCid(text);
	if (isMapsLink(text)) return readMapsLink('auto', text);
	if (/^\d+$/.test(text)) {
		return { reason: 'is a short number, which could be a CID or a phone number: choose a type' };
	}
	if (/^ChIJ[\w-]{16,}$/.test(text)) return readPlaceId(text);
	// Not a link: tiktok.com/@name, https://name@example.com
	if (/^\/*[^/@]*@/.test(text)) return readEmail(text);
	if (text.includes('.')) return readDomain(text);
	return { reason: 'is not clearly an email address, a domain, a place ID or a CID' };
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
	const isName = isSame || !/@[^\s@]+\./.test(other);
	return isName ? withoutEnds(value) : inner;
}

/** A loop, because a regular expression would backtrack from every space inside: quadratic time. */
function withoutEnds(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && BEFORE.test(text.charAt(start))) start++;
	while (start < end && AFTER.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}
