import { readEmail } from './email';
import {
	isMapsLink,
	isWrittenAsCid,
	LABELLED_PLACE_ID,
	readCid,
	readMapsLink,
	readPlaceId,
} from './googleMaps';
import type { Found, Invalid, ItemType } from './itemTypes';
import { readDomain, webAddressOf } from './webAddress';

/** `ada@example.com`, and no link: not `tiktok.com/@name`, `https://name@example.com` */
const ADDRESS = /^\/*[^/@]*@/;

/** In the block lists of mail programs, everybody at a company: `@example.com`, `.example.com`. */
export const EVERYBODY = /^[@.](?=[\p{L}\p{M}\d-]+(?:\.[\p{L}\p{M}\d-]+)+$)/u;

/** A number that is rarely a CID, `57`: a wrong column would cost a request for each row. */
const SHORT = /^0*[1-9]\d{0,12}$/;

const IS_SHORT = 'has fewer than 14 digits, which a CID rarely has: if it is right, use Add Item';

/**
 * Gives one value to the reader of its type.
 *
 * @param type the type of the value, or `auto` to detect it
 * @param text the value, with nothing around it
 */
export function readValue(type: ItemType | 'auto', text: string): Found | Invalid {
	if (type === 'email' || (type === 'auto' && ADDRESS.test(text))) return readEmail(text);
	if (type === 'domain') return readDomain(webAddressOf(text.replace(EVERYBODY, '')));
	const address = text.includes('.') ? webAddressOf(text) : undefined;
	if (address && isMapsLink(address)) return readMapsLink(type, address);
	if (type === 'cid') return SHORT.test(text) ? { reason: IS_SHORT } : readCid(text);
	if (type === 'place_id' || LABELLED_PLACE_ID.test(text)) return readPlaceId(text);
	if (isWrittenAsCid(text)) return readCid(text);
	if (address) return readDomain(address);
	if (/^\d+$/.test(text)) {
		return { reason: 'is a short number, which could be a CID or a phone number: choose a type' };
	}
	if (/^ChIJ[\w-]{16,}$/.test(text)) return readPlaceId(text);
	return { reason: 'is not clearly an email address, a domain, a place ID or a CID' };
}
