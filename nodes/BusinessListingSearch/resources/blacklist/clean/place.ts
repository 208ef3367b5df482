import type { Cleaned } from '../values';

/** `place_id:ChIJ…` and the like, copied from a link or from JSON. */
export const PLACE_ID_LABEL = /^(?:query_)?place_?id["'\s]*[:=]["'\s]*/i;
export const CID_LABEL = /^(?:ludo)?cid["'\s]*[:=]["'\s]*/i;

/**
 * Reads a place ID, with or without a label. Google guarantees neither length nor prefix; the shortest known
 * have 27 characters.
 */
export function readPlaceId(text: string): Cleaned {
	const value = text.replace(PLACE_ID_LABEL, '');
	if (/^(?:\d+|0x[\da-f]+)$/i.test(value)) return { reason: 'is a number, not a place ID' };
	if (!/^[\w-]{10,}$/.test(value)) return { reason: 'is not a place ID' };
	return { type: 'place_id', value };
}

/** Google's feature ID of a place: two numbers, the second of which is the CID. */
export const HEX_PAIR = /^0x[\da-f]{1,16}:0x[\da-f]{1,16}$/i;

/** @returns the CID of a feature ID, in decimal */
export function secondNumber(pair: string): string {
	return BigInt(pair.slice(pair.indexOf(':') + 1)).toString();
}

/** `1.02E+19`, and with a comma where numbers are written so. */
export const ROUNDED = /^\d[.,\d]*e\+?\d+$/i;

/** `12,345,678`: splitting it could pay for several wrong values. */
export const GROUPED = /^\d{1,3}(?:,\d{3})+$/;

const LARGEST_CID = 2n ** 64n - 1n;

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

/** Reads a CID, with or without a label, or a feature ID. */
export function readCid(text: string): Cleaned {
	const value = text.replace(CID_LABEL, '');
	if (HEX_PAIR.test(value)) return exactCid(secondNumber(value));
	if (ROUNDED.test(value)) {
		return { reason: 'is a rounded number, as spreadsheets show long numbers' };
	}
	if (GROUPED.test(value)) {
		return {
			reason:
				'is one number with thousands separators, or several CIDs: separate CIDs with semicolons',
		};
	}
	if (!/^\d+$/.test(value)) return { reason: 'is not a CID' };
	if (value.length > 20 || BigInt(value) > LARGEST_CID) return { reason: 'is too large for a CID' };
	if (looksRounded(value)) {
		return {
			reason:
				'is probably a rounded number, because it ends in zeros: if it is right, use Add Item',
		};
	}
	return exactCid(value);
}

/** A place without a CID has a pair with 0. */
function exactCid(value: string): Cleaned {
	return /^0+$/.test(value) ? { reason: 'is not a CID' } : { type: 'cid', value };
}
