import type { INodePropertyOptions } from 'n8n-workflow';

import {
	emptyText,
	isExpression,
	readChoice,
	readText,
	type Form,
} from '../../../shared/readField';
import { quote } from '../../../shared/text';
import { Failure } from '../../../shared/errors/failure';
import { cleanValue } from './cleaning/clean';
import { ITEM_TYPES, problemOf, type ItemType } from './cleaning/itemTypes';

/** The choices of the field "Type". */
export const TYPE_CHOICES: INodePropertyOptions[] = Object.entries(ITEM_TYPES).map(
	([value, { name, description }]) => ({ name, value, description }),
);

export const TYPES = Object.keys(ITEM_TYPES) as ItemType[];

const VALUE = { label: 'Value', name: 'value' };

const ENTER_DOMAIN =
	'Enter only the domain of the address, e.g. example.com, or use "Add Many Items", which does it.';

/**
 * Checks the body of an Add Item request.
 *
 * @throws Failure that names the parameter
 */
export function readItem(
	{ type: given, value }: { type?: unknown; value?: unknown },
	form: Form,
): { type: ItemType; value: string } {
	const type = readChoice('Type', given, TYPES);
	const text = readText(VALUE, value, form).trim();
	const advice = `Enter ${ITEM_TYPES[type].looksLike}, or choose another "Type".`;
	if (text === '') throw emptyText(VALUE, form, advice);
	const problem = problemOf(type, text);
	const cleaned = cleanValue(type, text);
	// Whoever types the site means all of it; a column or a model does not.
	const isOfRow = isExpression(VALUE, form);
	if ('sharedSite' in cleaned && (problem !== undefined || isOfRow)) {
		throw new Failure(
			`"Value" ${cleaned.reason}: ${quote(text)}`,
			'Only a person who types it can exclude the whole site. Use a place ID, or for a column Add Many Items, which lists such values, and sends the rest.',
		);
	}
	if (problem === undefined) return { type, value: text };
	throw new Failure(
		`"Value" ${problem}: ${quote(text)}`,
		type === 'domain' && text.includes('/') ? ENTER_DOMAIN : advice,
	);
}
