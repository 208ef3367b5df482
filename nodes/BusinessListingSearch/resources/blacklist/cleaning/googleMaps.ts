import { urlDecoded } from '../../../../shared/input';
import { ITEM_TYPES, type Cleaned } from './itemTypes';

/** `place_id:ChIJ…` and the like, copied from a link or from JSON. */
export const LABELLED_PLACE_ID = /^(?:query_)?place_?id["'\s]*[:=]["'\s]*/i;

/**
 * Reads a place ID, with or without a label. Google guarantees neither length nor prefix; the shortest
 * known have 27 characters. A UUID is none, nor is what has only digits and signs.
 */
export function readPlaceId(text: string): Cleaned {
	const value = text.replace(LABELLED_PLACE_ID, '');
	if (/^(?:\d+|0x[\da-f]+)$/i.test(value)) return { reason: 'is a number, not a place ID' };
	if (!/^(?![\da-f-]+$)[\w-]{20,}$/i.test(value)) return { reason: 'is not a place ID' };
	return { type: 'place_id', value };
}

const CID_LABEL = /^(?:ludo)?cid["'\s]*[:=]["'\s]*/i;

/** Google's feature ID of a place: two numbers, the second of which is the CID. */
const FEATURE_ID = /^0x[\da-f]{1,16}:0x[\da-f]{1,16}$/i;

/** `1.02E+19`, and with a comma where numbers are written so. */
const ROUNDED = /^\d[.,\d]*e\+?\d+$/i;

/** `12,345,678`: splitting it could pay for several wrong values. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

/** Phone numbers with a prefix, card numbers and times have fewer digits; most CIDs have 17 to 20. */
const LONG = /^[1-9]\d{16,}$/;

/** What can only be meant as a CID, whether it is a valid one or not. */
export const WRITTEN_AS_CID = new RegExp(
	[CID_LABEL, FEATURE_ID, ROUNDED, GROUPED, LONG].map(({ source }) => source).join('|'),
	'i',
);

const LARGEST_CID = 2n ** 64n - 1n;

/**
 * Reads a CID, with or without a label, or a feature ID.
 *
 * @param isExact whether nothing can have rounded it
 */
export function readCid(text: string, isExact = false): Cleaned {
	const written = text.replace(CID_LABEL, '');
	if (ROUNDED.test(written)) {
		return { reason: 'is a rounded number, as spreadsheets show long numbers' };
	}
	if (GROUPED.test(written)) {
		return {
			reason:
				'is one number with thousands separators, or several CIDs: separate CIDs with semicolons',
		};
	}
	const isFeatureId = FEATURE_ID.test(written);
	const value = isFeatureId ? cidOf(written) : written;
	// A place without a CID has a feature ID with 0.
	if (!/^\d{1,20}$/.test(value) || BigInt(value) === 0n || BigInt(value) > LARGEST_CID) {
		return { reason: 'is not a CID' };
	}
	if (!isFeatureId && !isExact && looksRounded(value)) {
		return {
			reason:
				'is probably a rounded number, because it ends in zeros: if it is right, use Add Item',
		};
	}
	return { type: 'cid', value };
}

/** @returns the CID of a feature ID, in decimal */
function cidOf(featureId: string): string {
	return BigInt(featureId.slice(featureId.indexOf(':') + 1)).toString();
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

/** Links that do not say where they lead. */
const SHORT_LINK =
	/^(?:(?:https?:)?\/\/)?(?:maps\.app\.goo\.gl|goo\.gl\/maps|g\.page|share\.google)\//i;

/** Links to a place or to a search for places, and short links. */
const MAPS_LINK = new RegExp(
	[
		/^(?:(?:https?:)?\/\/)?(?:[a-z]+\.)?google(?:\.[a-z]{2,3}){1,2}\/(?:maps|search|local)\b/,
		/^(?:(?:https?:)?\/\/)?maps\.google(?:\.[a-z]{2,3}){1,2}\/?\?/,
		SHORT_LINK,
	]
		.map(({ source }) => source)
		.join('|'),
	'i',
);

/** Whether a text is a link to Google Maps, or to Google's search for places. */
export function isMapsLink(text: string): boolean {
	return MAPS_LINK.test(text);
}

/** In a parameter, or in the path's data, where `!1s` marks other texts as well. */
const PLACE_ID_IN_LINK =
	/(?<=[?&#](?:(?:query_)?place_?id=|q(?:uery)?=place_id:)|!\d{1,2}s(?=ChIJ))[\w-]+(?=[!?&#/]|$)/g;
const CID_IN_LINK = /(?<=[?&#](?:ludo)?cid=)\d+(?=[&#]|$)/g;
/** Except for `!5s`, the building that the place is in, and `!3s`, a place that others are near. */
const FEATURE_ID_IN_LINK = /(?<!![35]s)0x[\da-f]{1,16}:0x[\da-f]{1,16}(?![\da-f])/gi;

/**
 * Reads the place ID or the CID of a Google Maps link. A link with directions can name several places,
 * which makes it ambiguous.
 *
 * @param type which of the two, or `auto` for the one that the link has; of the same place, its place ID
 */
export function readMapsLink(type: 'place_id' | 'cid' | 'auto', link: string): Cleaned {
	// A second value may follow, and must not be dropped silently.
	if (/\s/.test(link)) return { reason: 'contains a space' };
	const text = urlDecoded(link.replace(/&(?:amp|#38|#x26);/gi, '&'));
	const placeIds = new Set<string>(type === 'cid' ? [] : text.match(PLACE_ID_IN_LINK));
	const cids = new Map<string, string>();
	if (type !== 'place_id') {
		for (const cid of text.match(CID_IN_LINK) ?? []) cids.set(cid, cid);
		// Replaces the same CID in decimal, which looks rounded if it ends in zeros.
		for (const id of text.match(FEATURE_ID_IN_LINK) ?? []) cids.set(cidOf(id), id);
	}
	// The ID of a place and its CID are one place.
	if (cids.size > 0) for (const placeId of placeIds) cids.delete(cidOfPlaceId(placeId));
	const [found, another] = [...placeIds, ...cids.values()];
	if (found === undefined && SHORT_LINK.test(link)) {
		return { reason: 'is a short link: open it, and copy the address that it leads to' };
	}
	const wanted = type === 'auto' ? 'place ID or CID' : ITEM_TYPES[type].name;
	if (found === undefined) return { reason: `is a Google Maps link with no ${wanted}` };
	if (another !== undefined)
		return { reason: `is a Google Maps link with more than one ${wanted}` };
	// The Places API has this parameter in its links.
	return placeIds.has(found) ? readPlaceId(found) : readCid(found, /[?&]g_mp=/.test(text));
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
