import { isUnset, readWholeNumberFrom } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';

/**
 * Reads an option that guards the user's allowance.
 *
 * @param label of the option in the form
 * @param lowest the lowest number allowed
 * @returns undefined when the option is not set
 * @throws Refusal for anything but a whole number from `lowest`, and for an expression that returns
 * undefined
 */
export function readGuard(label: string, value: unknown, lowest: number): number | undefined {
	// n8n also gives undefined for an expression that throws: the guard must not vanish then.
	if (value === undefined) {
		throw new Refusal(
			`"${label}" has no value`,
			'Its expression returns nothing. Correct the expression, or remove the option.',
		);
	}
	if (isUnset(value)) return undefined;
	const advice = `Enter a whole number of ${lowest} or more, or remove the option.`;
	return readWholeNumberFrom(lowest, label, value, advice);
}

/**
 * The start of a sentence about a job that is not created.
 *
 * @param started 0 if the run has started no job yet, in any of its attempts
 */
export function noJobWasCreated(started: number): string {
	return started === 0 ? 'No job was created' : 'No more jobs were created';
}
