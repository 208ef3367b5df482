import type { INodePropertyOptions } from 'n8n-workflow';

import { GAP_ALONE, readText, show, type Form } from '../../../shared/input';
import { Refusal } from '../../../shared/errors/failure';
import { isItemType, ITEM_TYPES, problemOf, type ItemType } from './cleaning/itemTypes';

/** The choices of the field "Type". */
export const TYPE_CHOICES: INodePropertyOptions[] = Object.entries(ITEM_TYPES).map(
	([value, { name, description }]) => ({ name, value, description }),
);

/** The refusal of an unknown type. */
export function unknownType(type: unknown): Refusal {
	return new Refusal(
		`"Type" is unknown: ${show(type)}`,
		`Choose a type from the list, or use an expression that returns one of ${Object.keys(ITEM_TYPES).join(', ')}.`,
	);
}

const VALUE = { label: 'Value', name: 'value', gap: GAP_ALONE };

/**
 * Checks the item of an Add Item request.
 *
 * @throws Refusal that names the parameter
 */
export function readItem(
	type: unknown,
	value: unknown,
	form: Form,
): { type: ItemType; value: string } {
	if (!isItemType(type)) throw unknownType(type);
	const text = readText(VALUE, value, form).trim();
	const problem = problemOf(type, text);
	if (problem === undefined) return { type, value: text };
	const isWebAddress = type === 'domain' && text.includes('/');
	// An AI agent has no other operation.
	const orElse = form.isTool() ? '' : ', or use "Add Many Items", which does it';
	throw new Refusal(
		`"Value" ${problem}${text && `: ${show(text)}`}`,
		isWebAddress
			? `Enter only the domain of the address, e.g. example.com${orElse}.`
			: `Enter ${ITEM_TYPES[type].looksLike}, or choose another "Type".`,
	);
}
