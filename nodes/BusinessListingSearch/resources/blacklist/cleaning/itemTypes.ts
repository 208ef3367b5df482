/** What an item of a blacklist can be (service interface, section 2). */
export type ItemType = 'email' | 'domain' | 'place_id' | 'cid';

/**
 * A value as the service accepts it, or why it is invalid, as the end of "The value …"; for a domain that
 * many businesses share, also the site to exclude for all of them.
 */
export type Cleaned =
	{ type: ItemType; value: string } | { reason: string } | { reason: string; sharedSite: string };

interface TypeOfItem {
	/** Its label in the form. */
	name: string;
	description: string;
	/** Rejects only what cannot be a value of the type; the service has the last word. */
	pattern: RegExp;
	/** What a valid value looks like. */
	looksLike: string;
}

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
		pattern: /^(?=.*\.)(?!\.|.*\.\.)[^\s/\\:@?#,;<>*]+$/,
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
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{DI}](?<![\t-\r])/u;

/** @returns why a value cannot be of its type, as the end of "The value …"; undefined if it can */
export function problemOf(type: ItemType, value: string): string | undefined {
	const { name, pattern } = ITEM_TYPES[type];
	if (value === '') return 'is empty';
	if (value.length > LONGEST_VALUE) return 'is too long';
	if (INVISIBLE.test(value)) return 'contains an invisible character';
	return pattern.test(value) ? undefined : `is invalid for the type ${name}`;
}

export function isItemType(value: unknown): value is ItemType {
	return typeof value === 'string' && Object.hasOwn(ITEM_TYPES, value);
}
