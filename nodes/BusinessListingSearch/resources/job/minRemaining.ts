import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { explain } from '../../../shared/errors/explain';
import { Failure } from '../../../shared/errors/failure';
import { countIn, requestUsage } from '../../../shared/usage';
import { isAgentTool } from '../../run/form';
import { TIMED_OUT_ADVICE } from '../../run/requestOptions';
import type { Guard, Guarded } from '../../run/task';
import { noJob, readGuard } from './guard';

export const minRemainingOption: INodeProperties = {
	displayName: 'Minimum Remaining Requests',
	name: 'minRemaining',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'No job is created while fewer requests than this remain. Usage is read once per run, and each job of the run counts as one request.',
	builderHint: {
		propertyHint:
			'Do not add a usage operation before this one: the option reads the usage itself.',
	},
};

/** The usage of an account in a run. */
interface Allowance {
	/** How many requests remained; undefined if that cannot be compared. Not read without a minimum. */
	remaining?: Promise<number | undefined>;
	/** How many jobs were begun since. */
	begun: number;
}

/**
 * The option "Minimum Remaining Requests", for all jobs of a run.
 *
 * @returns a function that reads the option of an item; throws Refusal for invalid input
 */
export function guardMinimum(): (this: IExecuteSingleFunctions) => Guard {
	/** By account: an expression can give each item another key, which has another allowance. */
	const allowances = new Map<string, Allowance>();
	return function () {
		const minimum = readGuard(this, 'minRemaining', 'Minimum Remaining Requests', 0);
		let allowance: Allowance = { begun: 0 };
		let remaining: number | undefined;
		return {
			async read(guarded) {
				const { idInMemory } = guarded.credential;
				allowance = allowances.get(idInMemory) ?? allowance;
				allowances.set(idInMemory, allowance);
				if (minimum === undefined) return;
				allowance.remaining ??= readRemaining(guarded);
				remaining = await allowance.remaining;
			},
			check(hasSent) {
				if (minimum !== undefined && remaining !== undefined) {
					refuseBelow(minimum, remaining - allowance.begun, hasSent);
				}
				allowance.begun += 1;
			},
		};
	};
}

/** @throws Refusal when fewer requests remain */
function refuseBelow(minimum: number, remaining: number, hasSent: boolean): void {
	if (remaining >= minimum) return;
	const left = Math.max(0, remaining);
	throw noJob(
		hasSent,
		`${left} ${left === 1 ? 'request remains' : 'requests remain'}, but "Minimum Remaining Requests" is ${minimum}`,
		'Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining Requests" under "Options".',
		{ cause: 'quota-exhausted' },
	);
}

/** @returns undefined when it cannot be compared, which n8n's log then says */
async function readRemaining(guarded: Guarded): Promise<number | undefined> {
	const { requester, context, request, credential, hasSent } = guarded;
	const { timeout, proxy, skipSslCertificateValidation } = request;
	const options = { timeout, proxy, skipSslCertificateValidation };
	const reading = requestUsage(requester, context, credential, options);
	const { remaining } = await reading.catch((error: unknown) => {
		throw unreadable(error, hasSent(), isAgentTool(context));
	});
	const count = countIn(remaining);
	if (count === undefined) {
		context.logger.warn(
			`"Minimum Remaining Requests" was not applied: the service reports "${remaining}" remaining requests, which cannot be compared`,
		);
	}
	return count;
}

/** A refusal, not a failure: no job was sent, so none can have been created. */
function unreadable(error: unknown, hasSent: boolean, isTool: boolean): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, description, forSchedulers, httpCode } = explain(error, {
		advice: TIMED_OUT_ADVICE,
		isTool,
	});
	return noJob(
		hasSent,
		`"Minimum Remaining Requests" needs the usage, which could not be read. ${message}`,
		description,
		forSchedulers ?? null,
		httpCode,
	);
}
