/** What an item of a blacklist can be (service interface, section 2). */
export type ItemType = 'email' | 'domain' | 'place_id' | 'cid';

/**
 * Why a value is invalid, as the end of "The value …"; for a domain that many businesses share, also the site
 * to exclude for all of them.
 */
export type Invalid = { reason: string } | { reason: string; sharedSite: string };

/** A value as the service accepts it, or why it is invalid. */
export type Cleaned = { type: ItemType; value: string } | Invalid;

/**
 * A web address, taken apart: the scheme, also mistyped, `http//`; the host, as it is written, without the port; all
 * that is behind it, `/menu?a=b#c`, and of this the path. All but the host can be empty.
 */
export type WebAddress = { scheme: string; host: string; rest: string; path: string };

/** What a reader found in a text, with the web address that it was in. */
export type Found = { type: ItemType; value: string; address?: WebAddress };

/**
 * The label and the description in the form; a pattern that rejects only what cannot be a value of the type, because
 * the service has the last word; and what a valid value looks like.
 */
type TypeOfItem = { name: string; description: string; pattern: RegExp; looksLike: string };

/** The types, in the order of the form. */
export const ITEM_TYPES: Record<ItemType, TypeOfItem> = {
	cid: {
		name: 'CID',
		description: 'The number of a business in Google Maps links (?cid=)',
		pattern: /^\d+$/,
		looksLike: 'only digits, e.g. 12345678901234567890',
	},
	domain: {
		name: 'Domain',
		description: 'The domain of a website',
		// Names with a dot behind each; the last name can be missing: example.com.
		pattern: /^(?!www\.$)[^\s/\\:@?#,;<>*.]+\.(?:[^\s/\\:@?#,;<>*.]+\.)*[^\s/\\:@?#,;<>*.]*$/,
		looksLike: 'a domain without https://, spaces or slashes, e.g. example.com',
	},
	email: {
		name: 'Email',
		description: 'An email address',
		pattern: /^[^\s@:,;<>]+@[^\s@:,;<>]+$/,
		looksLike: 'one email address, e.g. name@example.com',
	},
	place_id: {
		name: 'Place ID',
		description: 'The text that identifies a place in Google Maps, usually beginning with ChIJ',
		pattern: /^[^\s,;<>#/]+$/,
		looksLike: 'one identifier without spaces, not a link',
	},
};

/** The longest value that is sent, in characters: longer than any address, name or link. */
export const LONGEST_VALUE = 10_000;

/** Half a character, or one that nobody sees. Not tabs and line breaks, which separate two values. */
export const INVISIBLE = /[\0-\x08\x0e-\x1f\x7f-\x9f\p{Cf}\p{Cs}\p{DI}]/u;

/** @returns why a value cannot be of its type, as the end of "The value …"; undefined if it can */
export function problemOf(type: ItemType, value: string): string | undefined {
	const { name, pattern } = ITEM_TYPES[type];
	if (value === '') return 'is empty';
	if (value.length > LONGEST_VALUE) return 'is too long';
	if (INVISIBLE.test(value)) return 'contains an invisible character';
	return pattern.test(value) ? undefined : `is invalid for the type ${name}`;
}
