import { hasHalfCharacter } from '../../../../shared/input';
import { LONGEST_PASTED, withoutWrapping } from '../unwrap';
import { hasInvisible, KINDS, LONGEST_VALUE, type Cleaned, type ItemType } from '../values';
import { readDomain } from './domain';
import { isWrittenLikeAnEmail, MAILTO, readEmail, recognizeEmail } from './email';
import { isMapsLink, readMapsLink, recognizeMapsLink } from './mapsLink';
import {
	CID_LABEL,
	GROUPED,
	HEX_PAIR,
	PLACE_ID_LABEL,
	readCid,
	readPlaceId,
	ROUNDED,
} from './place';

/**
 * Cleans one pasted value: an address with a name, a web address, a Google Maps link. It never
 * guesses: an ambiguous value is invalid.
 *
 * @param type the type of the value, or `auto` to detect it
 * @returns the value as the service accepts it (service interface, section 2), or why it is invalid;
 * never throws
 */
export function cleanValue(type: ItemType | 'auto', value: string): Cleaned {
	const pasted = value.trim();
	if (pasted.length > LONGEST_PASTED) return { reason: 'is too long' };
	const text = withoutWrapping(pasted);
	if (text === '') return { reason: 'is empty' };
	if (text.length > LONGEST_VALUE) return { reason: 'is too long' };
	return CLEAN[type](text);
}

/**
 * Checks one value without cleaning it, apart from trimming. With `auto`, a value that cleaning would
 * change is invalid.
 *
 * @returns the value, or why it is invalid; never throws
 */
export function checkValue(type: ItemType | 'auto', value: string): Cleaned {
	const text = value.trim();
	if (text === '') return { reason: 'is empty' };
	if (text.length > LONGEST_VALUE) return { reason: 'is too long' };
	if (type !== 'auto') {
		const { name, isPossible, looksLike } = KINDS[type];
		if (hasHalfCharacter(text)) return { reason: 'contains an incomplete character' };
		if (hasInvisible(text)) return { reason: 'contains an invisible character' };
		if (isPossible(text)) return { type, value: text };
		return { reason: `is invalid for the type ${name}; expected ${looksLike}` };
	}
	const cleaned = cleanValue('auto', text);
	if ('reason' in cleaned || cleaned.value === text) return cleaned;
	return {
		reason: `needs cleaning to be of the type ${KINDS[cleaned.type].name}, but "Clean Values" is off`,
	};
}

const CLEAN: Record<ItemType | 'auto', (text: string) => Cleaned> = {
	auto: recognize,
	cid: (text) => (isMapsLink(text) ? readMapsLink('cid', text) : readCid(text)),
	domain: readDomain,
	email: readEmail,
	place_id: (text) => (isMapsLink(text) ? readMapsLink('place_id', text) : readPlaceId(text)),
};

/** Phone numbers with a prefix, card numbers and times have fewer digits; most CIDs have 17 to 20. */
const CLEAR_CID = /^[1-9]\d{16,}$/;

function recognize(text: string): Cleaned {
	if (PLACE_ID_LABEL.test(text)) return readPlaceId(text);
	if (CID_LABEL.test(text)) return readCid(text);
	if (isMapsLink(text)) return recognizeMapsLink(text);
	if (HEX_PAIR.test(text)) return readCid(text);
	if (ROUNDED.test(text) || GROUPED.test(text)) return readCid(text);
	if (/^\d+$/.test(text)) {
		if (CLEAR_CID.test(text)) return readCid(text);
		return { reason: 'is a short number, which could be a CID or a phone number: choose a type' };
	}
	if (/^ChIJ[\w-]{16,}$/.test(text)) return readPlaceId(text);
	if (MAILTO.test(text) || isWrittenLikeAnEmail(text)) return recognizeEmail(text);
	if (text.includes('.')) return readDomain(text);
	return { reason: 'is not clearly an email address, a domain, a place ID or a CID' };
}
