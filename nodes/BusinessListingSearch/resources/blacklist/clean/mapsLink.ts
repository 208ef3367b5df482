import { urlDecoded } from '../../../../shared/input';
import { KINDS, type Cleaned } from '../values';
import { readWebAddress } from './host';
import { readCid, readPlaceId, secondNumber } from './place';

/** Links to a place or to a search for places, as host and path. */
const MAPS_LINK = new RegExp(
	[
		String.raw`^(?:`,
		String.raw`(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?/(?:maps|search|local)`,
		String.raw`|(?:maps|search|local|consent)\.google\.[a-z]{2,3}(?:\.[a-z]{2})?`,
		String.raw`|(?:maps|places)\.googleapis\.com|maps\.app\.goo\.gl|goo\.gl/maps`,
		String.raw`|g\.page|g\.co/kgs|share\.google`,
		String.raw`)(?:[/?#]|$)`,
	].join(''),
	'i',
);

/** In a parameter, or in the path's data, where `!1s` marks other texts as well. */
const PLACE_ID_IN_LINK =
	/(?<=[?&#](?:(?:query_)?place_?id=|q(?:uery)?=place_id:)|!\d{1,2}s(?=ChIJ))[\w-]+(?=[!?&#/]|$)/g;
const CID_IN_LINK = /(?<=[?&#](?:ludo)?cid=)\d+(?=[&#]|$)/g;
const HEX_PAIR_IN_LINK = /0x[\da-f]{1,16}:0x[\da-f]{1,16}(?![\da-f])/gi;

/** Whether a text is a link to Google Maps, or to Google's search for places. */
export function isMapsLink(text: string): boolean {
	const { host, rest } = readWebAddress(text);
	return MAPS_LINK.test(host + rest);
}

/** Reads the place ID or the CID of a link, whichever it has. */
export function recognizeMapsLink(link: string): Cleaned {
	const hasPlaceId = findInLink('place_id', link).length > 0;
	const hasCid = findInLink('cid', link).length > 0;
	if (hasPlaceId && hasCid) {
		return { reason: 'is a Google Maps link with both a place ID and a CID: choose a type' };
	}
	if (hasPlaceId) return readMapsLink('place_id', link);
	if (hasCid) return readMapsLink('cid', link);
	return { reason: 'is a Google Maps link with neither a place ID nor a CID' };
}

/**
 * Reads the identifier of this type in a link. A link with directions can name several places, which makes
 * it ambiguous.
 */
export function readMapsLink(type: 'place_id' | 'cid', link: string): Cleaned {
	// A second value may follow, and must not be dropped silently.
	if (/\s/.test(link)) return { reason: 'contains a space' };
	const [found, another] = findInLink(type, link);
	if (found === undefined) return { reason: `is a Google Maps link with no ${KINDS[type].name}` };
	if (another !== undefined) {
		return { reason: `is a Google Maps link with more than one ${KINDS[type].name}` };
	}
	return type === 'cid' ? readCid(found) : readPlaceId(found);
}

/** The distinct identifiers of this type in a link, a CID as its feature ID if the link has that. */
function findInLink(type: 'place_id' | 'cid', link: string): string[] {
	const text = urlDecoded(link);
	if (type === 'place_id') return [...new Set(text.match(PLACE_ID_IN_LINK))];
	const cids = new Map((text.match(CID_IN_LINK) ?? []).map((cid) => [cid, cid]));
	for (const pair of text.match(HEX_PAIR_IN_LINK) ?? []) cids.set(secondNumber(pair), pair);
	return [...cids.values()];
}
