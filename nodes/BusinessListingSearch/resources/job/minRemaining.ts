import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { explain } from '../../../shared/explain';
import { Failure } from '../../../shared/http/failure';
import { Refusal } from '../../../shared/refusal';
import { countIn, requestUsage } from '../../../shared/usage';
import { TIMED_OUT } from '../../run/requestOptions';
import type { Precondition } from '../../run/task';
import { noJobWasCreated, readGuard } from './guard';

export const minRemainingOption: INodeProperties = {
	displayName: 'Minimum Remaining',
	name: 'minRemaining',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'The number of requests that must remain for a job to be created. Usage is read once per run, and each job of the run counts as one request.',
	builderHint: {
		propertyHint:
			'Do not add a usage operation before this one: the option reads the usage itself.',
	},
};

/**
 * The option "Minimum Remaining" as a precondition of each job. The usage is read once per run and
 * account; each job that the run starts counts as one request.
 */
export function minRemainingPreconditions() {
	const accounts = new Map<string, { remaining?: Promise<number | undefined>; begun: number }>();
	return function (this: IExecuteSingleFunctions): Precondition {
		const minimum = readGuard(this, 'minRemaining', 'Minimum Remaining', 0);
		return async (run) => {
			// An expression can give each item another key, which has another allowance.
			const { idInMemory } = run.credential;
			const usage = accounts.get(idInMemory) ?? { begun: 0 };
			accounts.set(idInMemory, usage);
			if (minimum !== undefined) usage.remaining ??= readRemaining(run);
			const remaining = await usage.remaining;
			return () => {
				if (minimum !== undefined && remaining !== undefined) {
					refuseBelow(minimum, remaining - usage.begun, run.hasStarted());
				}
				usage.begun += 1;
			};
		};
	};
}

/** @throws Refusal when fewer requests remain */
function refuseBelow(minimum: number, remaining: number, hasStarted: boolean): void {
	if (remaining >= minimum) return;
	throw new Refusal(
		`${noJobWasCreated(hasStarted)}: ${remaining} ${remaining === 1 ? 'request remains' : 'requests remain'}, but "Minimum Remaining" is ${minimum}`,
		'Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining" under "Options".',
		{ cause: 'quota-exhausted' },
	);
}

/** @returns undefined when it cannot be compared, which n8n's log then says */
async function readRemaining(run: Parameters<Precondition>[0]): Promise<number | undefined> {
	const { requester, context, request, credential, hasStarted } = run;
	const { timeout, proxy, skipSslCertificateValidation } = request;
	const options = { timeout, proxy, skipSslCertificateValidation };
	try {
		const { remaining } = await requestUsage(requester, context, credential, options);
		const count = countIn(remaining);
		if (count === undefined) {
			context.logger.warn(
				`"Minimum Remaining" was not applied: the service reports "${remaining}" remaining requests, which cannot be compared`,
			);
		}
		return count;
	} catch (error) {
		// Not thrown: n8n's linter allows only its own errors in a catch.
		return await Promise.reject(unreadable(error, hasStarted()));
	}
}

/** A refusal, not a failure: no job was sent, so none can have been created. */
function unreadable(error: unknown, hasStarted: boolean): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, description, failure, httpCode } = explain(error, 'GET', TIMED_OUT);
	return new Refusal(
		`${noJobWasCreated(hasStarted)}: "Minimum Remaining" needs the usage, which could not be read. ${message}`,
		description,
		failure ?? null,
		httpCode,
	);
}
