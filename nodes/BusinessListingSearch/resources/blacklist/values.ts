import type { INodePropertyOptions } from 'n8n-workflow';

import { readText, show } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';
import { INVISIBLE } from './unwrap';

/** What an item of a blacklist can be (service interface, section 2). */
export type ItemType = 'email' | 'domain' | 'place_id' | 'cid';

/** A value as the service accepts it, or why it is invalid, as the end of "The value …". */
export type Cleaned = { type: ItemType; value: string } | { reason: string };

/** The longest value that is sent, in characters: longer than any address, name or link. */
export const LONGEST_VALUE = 10_000;

interface Kind {
	/** Its label in the form. */
	name: string;
	isPossible: (value: string) => boolean;
	/** What a valid value looks like. */
	looksLike: string;
}

/** The choices of the field "Type". */
export const TYPE_CHOICES: INodePropertyOptions[] = [
	{
		name: 'CID',
		value: 'cid',
		description: 'The number that identifies a business on a map service',
	},
	{ name: 'Domain', value: 'domain', description: 'The domain of a website' },
	{ name: 'Email', value: 'email', description: 'An email address' },
	{
		name: 'Place ID',
		value: 'place_id',
		description: 'The text that identifies a place on a map service',
	},
];

/** Rejects only what cannot be a value of its kind; the service has the last word. */
export const KINDS: Record<ItemType, Kind> = {
	cid: {
		name: 'CID',
		isPossible: (value) => /^\d+$/.test(value),
		looksLike: 'only digits, e.g. 12345678901234567890',
	},
	domain: {
		name: 'Domain',
		isPossible: (value) => /^[^\s/\\:@?#,;<>]+$/.test(value),
		looksLike: 'a domain without https://, spaces or slashes, e.g. example.com',
	},
	email: {
		name: 'Email',
		isPossible: (value) => /^[^\s@:,;<>]+@[^\s@:,;<>]+$/.test(value),
		looksLike: 'one email address, e.g. name@example.com',
	},
	place_id: {
		name: 'Place ID',
		isPossible: (value) => /^[^\s,;<>]+$/.test(value) && !value.includes('://'),
		looksLike: 'one identifier without spaces, not a link',
	},
};

/** Not tabs and line breaks, which separate two values. */
const CONTROL = /(?![\t-\r])\p{Cc}/u;

/** Whether a value contains a character that nobody sees: then it matches no listing. */
export function hasInvisible(value: string): boolean {
	return CONTROL.test(value) || value.search(INVISIBLE) >= 0;
}

/** Whether a value is one of the types. */
export function isItemType(value: unknown): value is ItemType {
	return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

/** @param others what an expression can return besides the types, at the start of a list */
export function unknownType(type: unknown, others = ''): Refusal {
	return new Refusal(
		`"Type" is unknown: ${show(type)}`,
		`Choose a type from the list, or use an expression that returns ${others}one of ${Object.keys(KINDS).join(', ')}.`,
	);
}

/**
 * Checks the item of an Add Item request.
 *
 * @throws Refusal that names the parameter
 */
export function readItem(type: unknown, value: unknown): { type: ItemType; value: string } {
	if (!isItemType(type)) throw unknownType(type);
	const kind = KINDS[type];
	const text = readText('Value', value).trim();
	if (text === '') throw new Refusal('"Value" is empty', `Enter ${kind.looksLike}.`);
	if (text.length > LONGEST_VALUE) {
		throw new Refusal(`"Value" is too long: ${text.length} characters`, `Enter ${kind.looksLike}.`);
	}
	if (hasInvisible(text)) {
		throw new Refusal(
			`"Value" contains an invisible character: ${show(text)}`,
			'Enter the value again: type it instead of pasting it.',
		);
	}
	if (!kind.isPossible(text)) {
		throw new Refusal(
			`"Value" is invalid for the type ${kind.name}: ${show(text)}`,
			`Enter ${kind.looksLike}, or choose another "Type".`,
		);
	}
	return { type, value: text };
}
