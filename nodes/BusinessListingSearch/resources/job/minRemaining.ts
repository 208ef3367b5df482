import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { RequestContext } from '../../transport/exchange';
import { Failure, Refusal } from '../../transport/failure';
import { explain } from '../../transport/explain';
import type { Requester } from '../../transport/requester';
import { isUnset, readWholeNumber } from '../input';
import { requestUsage, type Usage } from '../usage/get';

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

/** What remains, by the requester of the run it was read in: one Usage call a run. */
const remainingOf = new WeakMap<Requester, Promise<Remaining>>();

/**
 * The option "Minimum Remaining" of an item as a look before its job is created.
 *
 * @returns undefined where the option is not set
 * @throws Refusal for anything but a whole number from 0
 */
export function readMinRemaining(this: IExecuteSingleFunctions) {
	const value = this.getNodeParameter('options.minRemaining', '');
	if (isUnset(value)) return undefined;
	const minimum = readWholeNumber('Minimum Remaining', value);
	if (minimum < 0) {
		throw new Refusal(
			`"Minimum Remaining" is below 0: ${minimum}`,
			'Enter a whole number from 0, or remove the option.',
		);
	}
	return async (requester: Requester, context: IExecuteSingleFunctions) => {
		let remaining = remainingOf.get(requester);
		if (!remaining) {
			remaining = readRemaining(requester, context);
			remainingOf.set(requester, remaining);
		}
		refuseBelow(minimum, await remaining);
	};
}

/** @throws Refusal when fewer requests remain; what is no number stops nothing */
function refuseBelow(minimum: number, remaining: Remaining): void {
	if (typeof remaining !== 'number' || remaining >= minimum) return;
	throw new Refusal(
		`No job was created: ${remaining} requests remain, and "Minimum Remaining" is ${minimum}`,
		'Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining" under "Options".',
	);
}

async function readRemaining(requester: Requester, context: RequestContext): Promise<Remaining> {
	try {
		const { remaining } = await requestUsage(requester, context);
		if (typeof remaining !== 'number') {
			context.logger.warn(
				`"Minimum Remaining" could not be applied: the service says "${remaining}" requests remain`,
			);
		}
		return remaining;
	} catch (error) {
		return await Promise.reject(unreadable(error));
	}
}

/** No job was tried, so that nothing may have been carried out. */
function unreadable(error: unknown): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, description } = explain(error, 'GET');
	return new Refusal(
		`No job was created: the usage, needed for "Minimum Remaining", could not be read. ${message}`,
		description,
	);
}
