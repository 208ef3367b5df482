import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { Refusal, RunRefusal } from '../../../shared/errors/failure';
import { isUnset, readWholeNumberFrom } from '../../../shared/input';

/**
 * Reads an option that guards the allowance.
 *
 * @param label of the option in the form
 * @param lowest the lowest number allowed
 * @returns undefined when the option is not set
 * @throws Refusal for anything but a whole number from `lowest`, and for an expression that returns
 * nothing
 */
export function readGuard(
	context: IExecuteSingleFunctions,
	name: 'maxJobs' | 'minRemaining',
	label: string,
	lowest: number,
): number | undefined {
	const value = context.getNodeParameter(`options.${name}`, '');
	if (isUnset(value)) {
		// The guard must not vanish if an expression throws, for which n8n gives undefined, or finds an
		// empty cell.
		const entered = (context.getNode().parameters.options as IDataObject | undefined)?.[name];
		if (value !== undefined && !String(entered).startsWith('=')) return undefined;
		throw new Refusal(
			`"${label}" has no value`,
			'Its expression returns nothing. Correct the expression, or remove the option.',
		);
	}
	const advice = `Enter a whole number of ${lowest} or more, or remove the option.`;
	return readWholeNumberFrom(lowest, label, value, advice);
}

type WhatToDo =
	ConstructorParameters<typeof Refusal> extends [string, ...infer Rest] ? Rest : never;

/** The refusal of a job, and of the whole run if nothing of it was sent. */
export function noJob(hasSent: boolean, why: string, ...rest: WhatToDo): Refusal {
	return hasSent
		? new Refusal(`No more jobs were created: ${why}`, ...rest)
		: new RunRefusal(`No job was created: ${why}`, ...rest);
}
