import { urlDecoded } from '../../../../shared/text';
import { ITEM_TYPES, type Found, type Invalid, type ItemType, type WebAddress } from './itemTypes';

/** `place_id:ChIJ…` and the like, copied from a link or from JSON. */
export const LABELLED_PLACE_ID = /^(?:query_)?place_?id["'\s]*[:=]["'\s]*/i;

/**
 * Reads a place ID, with or without a label. Google guarantees neither length nor prefix; the shortest
 * known have 27 characters. A UUID is none, nor is what has only digits and signs.
 */
export function readPlaceId(text: string): Found | Invalid {
	const value = text.replace(LABELLED_PLACE_ID, '');
	if (/^(?:\d+|0x[\da-f]+)$/i.test(value)) return { reason: 'is a number, not a place ID' };
	const isPlaceId = /^[\w-]{20,}$/.test(value) && !/^[\da-f-]+$/i.test(value);
	return isPlaceId ? { type: 'place_id', value } : { reason: 'is not a place ID' };
}

/** `cid: 10222232094831998944`, `"ludocid": "…` */
const CID_LABEL = /^(?:ludo)?cid["'\s]*[:=]["'\s]*/i;

/** A CID in hexadecimal, also as the second number of Google's feature ID of a place: `0x47e6:0x8ddc`. */
const HEXADECIMAL = /^(?:0x[\da-f]{1,16}:)?0x[\da-f]{1,16}$/i;

/** `1.02E+19`, and with a comma where numbers are written so. */
const ROUNDED = /^\d[.,\d]*e\+?\d+$/i;

/** `12,345,678`: splitting it could pay for several wrong values. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

/** `10222232094831998944`: phone numbers with a prefix, card numbers and times have fewer digits than 17. */
const LONG = /^[1-9]\d{16,}$/;

/** Whether a text can only be meant as a CID, whether it is a valid one or not. */
export function isWrittenAsCid(text: string): boolean {
	const forms = [CID_LABEL, HEXADECIMAL, ROUNDED, GROUPED, LONG];
	return /^[\dcl]/i.test(text) && forms.some((form) => form.test(text));
}

const LARGEST_CID = 2n ** 64n - 1n;

/**
 * Reads a CID, with or without a label, in decimal or in hexadecimal, or a feature ID.
 *
 * @param isExact whether nothing can have rounded it
 */
export function readCid(text: string, isExact = false): Found | Invalid {
	const written = text.replace(CID_LABEL, '');
	const isHexadecimal = HEXADECIMAL.test(written);
	const value = isHexadecimal ? cidOf(written) : written;
	const reason = problemOfCid(value, isHexadecimal || isExact);
	return reason === undefined ? { type: 'cid', value } : { reason };
}

/** @returns why a text is no CID: the first reason that fits; undefined if it is one */
function problemOfCid(cid: string, isExact: boolean): string | undefined {
	if (ROUNDED.test(cid)) return 'is a rounded number, as spreadsheets show long numbers';
	if (GROUPED.test(cid))
		return 'is one number with thousands separators, or several CIDs: separate CIDs with semicolons';
	// Google writes 0 in the feature ID of a place without a CID.
	const number = /^\d{1,20}$/.test(cid) ? BigInt(cid) : 0n;
	if (number === 0n || number > LARGEST_CID) return 'is not a CID';
	if (!isExact && looksRounded(cid))
		return 'is probably a rounded number, because it ends in zeros: if it is right, use Add Item';
	return undefined;
}

/** @returns a CID in hexadecimal, also that of a feature ID, in decimal */
function cidOf(hexadecimal: string): string {
	return BigInt(hexadecimal.slice(hexadecimal.indexOf(':') + 1)).toString();
}

/**
 * Whether a CID lost its last digits: spreadsheets keep 15 digits of a number, expressions about 17, and
 * both put zeros in place of the others. Two in a thousand CIDs look like this by chance.
 */
function looksRounded(cid: string): boolean {
	const kept = cid.replace(/0+$/, '').length;
	const bySpreadsheet = cid.length > 15 && kept <= 15;
	const byExpression = cid.length >= 18 && String(Number(cid)) === cid;
	return bySpreadsheet || byExpression;
}

/** `www.google.com`, `google.co.uk` */
const GOOGLE = /^(?:[a-z]+\.)?google(?:\.[a-z]{2,3}){1,2}$/i;

/** Hosts of links that do not say where they lead: `maps.app.goo.gl` */
const SHORT_LINKS = /^(?:maps\.app\.goo\.gl|g\.page|share\.google)$/i;

function isShortLink({ host, rest }: WebAddress): boolean {
	return SHORT_LINKS.test(host) ? rest !== '' : /^goo\.gl$/i.test(host) && /^\/maps\//i.test(rest);
}

/** Whether a web address is a link to a place or to a search for places in Google Maps, or a short link. */
export function isMapsLink(address: WebAddress): boolean {
	const { host, rest } = address;
	if (!GOOGLE.test(host)) return isShortLink(address);
	// maps.google.com/?cid=
	const isOfMaps = /^maps\./i.test(host) && /^\/?\?/.test(rest);
	return isOfMaps || /^\/(?:maps|search|local)\b/i.test(rest);
}

/** `&query_place_id=ChIJ…`, `?q=place_id:ChIJ…`; in the path's data, `!19sChIJ…`, where `!1s` marks other texts. */
const PLACE_IDS =
	/[?&#](?:(?:query_)?place_?id=|q(?:uery)?=place_id:)[^!?&#]*|!\d\d?sChIJ[^!?&#]*/g;

/** What stands around the ID in such a field: `?q=place_id:`, `!19s`, and a `/` at the end. */
const AROUND_ID = /^.(?:\w+=(?:place_id:)?|\d\d?s)|\/$/g;

/** `?cid=10222232094831998944`: the whole field, which is no CID if anything stands behind the number. */
const CIDS = /[?&#](?:ludo)?cid=[^&#]*/g;

/** `0x1:0x2`, and with `!5s`, the building that the place is in, and `!3s`, a place that others are near. */
const FEATURE_IDS = /(?:[35]s)?0x[\da-f]{1,16}:0x[\da-f]{1,16}(?![\da-f])/gi;

/**
 * Reads the place ID or the CID of a Google Maps link. A link with directions can name several places,
 * which makes it ambiguous.
 *
 * @param type which of the two, or `auto` for the one that the link has; of the same place, its place ID
 */
export function readMapsLink(type: ItemType | 'auto', address: WebAddress): Found | Invalid {
	const { rest } = address;
	// A second value may follow, and must not be dropped silently.
	if (/\s/.test(rest)) return { reason: 'contains a space' };
	const text = urlDecoded(rest.replace(/&(?:amp|#38|#x26);/gi, '&'));
	const ids = type === 'cid' ? [] : (text.match(PLACE_IDS) ?? []);
	const placeIds = new Set(ids.map((field) => field.replace(AROUND_ID, '')));
	const cids = new Map<string, string>();
	if (type !== 'place_id') {
		const found = (text.match(CIDS) ?? []).map((field) => field.slice(field.indexOf('=') + 1));
		for (const cid of found) cids.set(cid, cid);
		// Replaces the same CID in decimal, which looks rounded if it ends in zeros.
		for (const id of text.match(FEATURE_IDS) ?? []) if (/^0x/i.test(id)) cids.set(cidOf(id), id);
	}
	// The ID of a place and its CID are one place.
	if (cids.size > 0) for (const placeId of placeIds) cids.delete(cidOfPlaceId(placeId));
	const [found, another] = [...placeIds, ...cids.values()];
	if (found === undefined && isShortLink(address)) {
		return { reason: 'is a short link: open it, and copy the address that it leads to' };
	}
	const kind = type === 'auto' ? 'place ID or CID' : ITEM_TYPES[type].name;
	if (found === undefined) return { reason: `is a Google Maps link with no ${kind}` };
	if (another !== undefined) return { reason: `is a Google Maps link with more than one ${kind}` };
	// The Places API has this parameter in its links: nothing has rounded their CID.
	const isExact = /[?&]g_mp=/.test(text);
	const reading = placeIds.has(found) ? readPlaceId(found) : readCid(found, isExact);
	return 'reason' in reading ? reading : { type: reading.type, value: reading.value, address };
}

/**
 * The CID that a place ID contains: `ChIJ…` is the base64 of `0a 12 09`, eight bytes, `11`, and the CID's
 * eight bytes, the lowest first.
 *
 * @returns the CID in decimal; an empty text for a place ID of another form
 */
function cidOfPlaceId(placeId: string): string {
	const bytes = Buffer.from(placeId, 'base64url');
	const hasCid = bytes.length === 20 && bytes.readUIntBE(0, 3) === 0x0a1209 && bytes[11] === 0x11;
	return hasCid ? bytes.readBigUInt64LE(12).toString() : '';
}
