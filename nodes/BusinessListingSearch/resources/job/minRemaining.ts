import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { explain } from '../../../shared/explain';
import { Failure } from '../../../shared/http/failure';
import { isUnset, readWholeNumber } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';
import { requestUsage, type Usage } from '../../../shared/usage';
import type { Precondition } from '../../run/run';

export const minRemainingOption: INodeProperties = {
	displayName: 'Minimum Remaining',
	name: 'minRemaining',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 100,
	description:
		'How many requests must remain for the account. When fewer do, no job is created. The usage is read once a run.',
};

type Remaining = Usage['remaining'];

/** The option "Minimum Remaining" as a precondition of each job, with one Usage call for all of a run. */
export function minRemainingPreconditions() {
	let remaining: Promise<Remaining> | undefined;
	return function (this: IExecuteSingleFunctions): Precondition | undefined {
		const minimum = readMinRemaining(this.getNodeParameter('options.minRemaining', ''));
		if (minimum === undefined) return undefined;
		return async (run) => {
			remaining ??= readRemaining(run);
			refuseBelow(minimum, await remaining, run.done);
		};
	};
}

/**
 * @returns undefined where the option is not set
 * @throws Refusal for anything but a whole number from 0
 */
export function readMinRemaining(value: unknown): number | undefined {
	if (isUnset(value)) return undefined;
	const minimum = readWholeNumber('Minimum Remaining', value);
	if (minimum >= 0) return minimum;
	throw new Refusal(
		`"Minimum Remaining" is below 0: ${minimum}`,
		'Enter a whole number from 0, or remove the option.',
	);
}

/** @throws Refusal when fewer requests remain; what is no number stops nothing */
function refuseBelow(minimum: number, remaining: Remaining, done: number): void {
	if (typeof remaining !== 'number' || remaining >= minimum) return;
	throw new Refusal(
		`${noJobWasCreated(done)}: ${remaining} requests remain, and "Minimum Remaining" is ${minimum}`,
		'Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining" under "Options".',
	);
}

async function readRemaining(run: Parameters<Precondition>[0]): Promise<Remaining> {
	const { requester, context, credential, done } = run;
	try {
		const { remaining } = await requestUsage(requester, context, credential);
		if (typeof remaining !== 'number') {
			context.logger.warn(
				`"Minimum Remaining" could not be applied: the service says "${remaining}" requests remain`,
			);
		}
		return remaining;
	} catch (error) {
		return await Promise.reject(unreadable(error, done));
	}
}

/** A refusal, not a failure: no job was tried, so none may have been created. */
function unreadable(error: unknown, done: number): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, description } = explain(error, 'GET');
	return new Refusal(
		`${noJobWasCreated(done)}: the usage, needed for "Minimum Remaining", could not be read. ${message}`,
		description,
	);
}

/** A try of Retry On Fail can come after others that created jobs. */
function noJobWasCreated(done: number): string {
	return done === 0 ? 'No job was created' : 'No more jobs were created';
}
