import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { Refusal } from '../../shared/errors/failure';
import { isUnset } from '../../shared/input';
import type { RunContext } from '../run/task';

/**
 * Whether an option is set that keeps something from being sent.
 *
 * @param value undefined if its expression throws
 * @throws Refusal if its expression returns nothing: then the option must not vanish
 */
export function isSet(
	context: RunContext,
	{ name, displayName }: INodeProperties,
	value: unknown,
): boolean {
	if (!isUnset(value)) return true;
	const entered = (context.getNode().parameters.options as IDataObject | undefined)?.[name];
	if (value !== undefined && !String(entered).startsWith('=')) return false;
	throw new Refusal(
		`"${displayName}" has no value`,
		'Its expression returns nothing. Correct the expression, or remove the option.',
	);
}
