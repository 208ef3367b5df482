import type { INodePropertyOptions } from 'n8n-workflow';

import { emptyText, expressionIn, readText, quote, type Form } from '../../../shared/input';
import { Refusal } from '../../../shared/errors/failure';
import { cleanValue } from './cleaning/clean';
import { isItemType, ITEM_TYPES, problemOf, type ItemType } from './cleaning/itemTypes';

/** The choices of the field "Type". */
export const TYPE_CHOICES: INodePropertyOptions[] = Object.entries(ITEM_TYPES).map(
	([value, { name, description }]) => ({ name, value, description }),
);

/** @param others the choices besides the types, such as `auto` */
export function unknownType(type: unknown, ...others: string[]): Refusal {
	return new Refusal(
		`"Type" is unknown: ${quote(type)}`,
		`Choose a type from the list, or use an expression that returns one of ${[...others, ...Object.keys(ITEM_TYPES)].join(', ')}.`,
	);
}

const VALUE = { label: 'Value', name: 'value', gap: 'alone' } as const;

/**
 * Checks the body of an Add Item request.
 *
 * @throws Refusal that names the parameter
 */
export function readItem(
	{ type, value }: { type?: unknown; value?: unknown },
	form: Form,
): { type: ItemType; value: string } {
	if (!isItemType(type)) throw unknownType(type);
	const text = readText(VALUE, value, form).trim();
	const advice = `Enter ${ITEM_TYPES[type].looksLike}, or choose another "Type".`;
	if (text === '') throw emptyText(VALUE, form, advice);
	const problem = problemOf(type, text);
	const cleaned = cleanValue(type, text);
	// Whoever types the site means all of it; a column or a model does not.
	const isOfRow = expressionIn(VALUE, form) !== undefined;
	if ('sharedSite' in cleaned && (problem !== undefined || isOfRow)) {
		throw new Refusal(
			`"Value" ${cleaned.reason}: ${quote(text)}`,
			'Only a person who types it can exclude the whole site. Use a place ID, or for a column Add Many Items, which lists such values, and sends the rest.',
		);
	}
	if (problem === undefined) return { type, value: text };
	const what = `"Value" ${problem}: ${quote(text)}`;
	if (type !== 'domain' || !text.includes('/')) throw new Refusal(what, advice);
	const enterDomain = 'Enter only the domain of the address, e.g. example.com';
	throw new Refusal(what, `${enterDomain}, or use "Add Many Items", which does it.`);
}
