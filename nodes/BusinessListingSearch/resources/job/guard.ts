import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { isUnset, readWholeNumberFrom } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';

/**
 * Reads an option of a job that guards the user's allowance.
 *
 * @param name of the option
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

/**
 * The start of a sentence about a job that is not created.
 *
 * @param hasStarted whether the run has sent a job, in any of its attempts
 */
export function noJobWasCreated(hasStarted: boolean): string {
	return hasStarted ? 'No more jobs were created' : 'No job was created';
}
