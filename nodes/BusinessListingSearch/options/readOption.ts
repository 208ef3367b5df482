import type { INodeProperties } from 'n8n-workflow';

import { Failure } from '../../shared/errors/failure';
import { isUnset, readBoolean, readWholeNumber } from '../../shared/input';
import type { Item } from '../form/item';

/**
 * Reads a field of "Options" by its own description.
 *
 * @returns undefined if the user has not added it
 * @throws Failure for anything but a value of its type within its range, and for an expression that returns nothing:
 * what was to keep something from being sent must not vanish
 */
export function readOption<Value extends number | boolean>(
	item: Item,
	{ name, displayName: label, type, typeOptions: { minValue, maxValue } = {} }: INodeProperties,
): Value | undefined {
	if (!item.has('options', name)) return undefined;
	const value = item.parameter(label, `options.${name}`, '');
	if (isUnset(value)) {
		if (!String(item.entered(`options.${name}`)).startsWith('=')) return undefined;
		throw new Failure(
			`"${label}" has no value`,
			'Its expression returns nothing. Correct the expression, or remove the option.',
		);
	}
	const read =
		type === 'boolean'
			? readBoolean(label, value)
			: readWholeNumber(label, value, [minValue, maxValue]);
	return read as Value;
}
