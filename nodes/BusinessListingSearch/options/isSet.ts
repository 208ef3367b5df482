import type { INodeProperties } from 'n8n-workflow';

import { Refusal } from '../../shared/errors/failure';
import { isUnset } from '../../shared/input';
import type { Item } from '../form/item';

/**
 * Whether an option is set that keeps something from being sent.
 *
 * @param value what it gives; undefined if its expression returns nothing
 * @throws Refusal if its expression returns nothing: then the option must not vanish
 */
export function isSet(item: Item, { name, displayName }: INodeProperties, value: unknown): boolean {
	if (!isUnset(value)) return true;
	const entered = item.entered(`options.${name}`);
	if (value !== undefined && !String(entered).startsWith('=')) return false;
	throw new Refusal(
		`"${displayName}" has no value`,
		'Its expression returns nothing. Correct the expression, or remove the option.',
	);
}
