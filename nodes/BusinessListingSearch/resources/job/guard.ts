import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { explain, told } from '../../../shared/errors/explain';
import { Failure, Refusal, type RefusalFacts } from '../../../shared/errors/failure';
import { readWholeNumber } from '../../../shared/input';
import { comparable, requestUsage } from '../../../shared/usage';
import { isSet } from '../../run/form/form';
import { CONNECTION_ADVICE, PROXY_SETTINGS } from '../../run/form/requestOptions';
import type { Guard, Guarded } from '../../run/task';

export const maxJobsOption: INodeProperties = {
	displayName: 'Maximum Jobs per Run',
	name: 'maxJobs',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description:
		'The maximum number of jobs per run. If there are more input items, no job is created and nothing is sent. In a loop, each iteration is a run of its own.',
	// An agent calls its tool for one job at a time: the option would limit nothing there.
	displayOptions: { hide: { '@tool': [true] } },
};

export const minRemainingOption: INodeProperties = {
	displayName: 'Minimum Remaining Requests',
	name: 'minRemaining',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'No job is created while fewer requests than this remain. Usage is read once per run, and each job of the run counts as one request. Runs at the same time do not know of each other.',
};

/** The usage of an account in a run. */
interface Allowance {
	/** How many requests remained; undefined if that cannot be compared. */
	remaining: Promise<number | undefined>;
	/** How many jobs were begun since. */
	begun: number;
}

/**
 * The options "Maximum Jobs per Run" and "Minimum Remaining Requests", for all jobs of a run.
 *
 * @param total how many input items the run has: all count, including those done by an earlier attempt
 * @returns a function that reads the options of an item; throws Refusal for an invalid one
 */
export function guardAllowance(total: number): (this: IExecuteSingleFunctions) => Guard {
	/** The smallest of the items that have arrived: of the whole run, unless n8n hands them over in batches. */
	let maximum = Infinity;
	/** By account: an expression can give each item another key, which has another allowance. */
	const allowances = new Map<string, Allowance>();
	return function () {
		maximum = Math.min(maximum, readOption(this, maxJobsOption, 1) ?? Infinity);
		const minimum = readOption(this, minRemainingOption, 0);
		let allowance: Allowance | undefined;
		return {
			read(guarded) {
				// A run that is refused needs no usage.
				if (total > maximum || minimum === undefined || guarded.task.isDry) return undefined;
				const { idInMemory } = guarded.credential;
				allowance = allowances.get(idInMemory);
				// A later batch waits as well, but the task that reads it ends with what is wrong.
				if (allowance) return allowance.remaining.catch(() => {});
				allowance = { remaining: readRemaining(guarded), begun: 0 };
				allowances.set(idInMemory, allowance);
				return allowance.remaining;
			},
			async check() {
				if (total > maximum) throw tooManyJobs(maximum, total);
				if (minimum === undefined || !allowance) return;
				const read = await allowance.remaining;
				if (read === undefined) return;
				if (read - allowance.begun < minimum) throw tooFew(minimum, read, allowance.begun);
				allowance.begun += 1;
			},
		};
	};
}

/**
 * @param lowest the lowest number allowed
 * @returns undefined when the option is not set
 * @throws Refusal for anything but a whole number from `lowest`, and for an expression that returns nothing
 */
export function readOption(
	context: IExecuteSingleFunctions,
	option: INodeProperties,
	lowest: number,
): number | undefined {
	const value = context.getNodeParameter(`options.${option.name}`, '');
	if (!isSet(context, option, value)) return undefined;
	const advice = `Enter a whole number of ${lowest} or more, or remove the option.`;
	return readWholeNumber(option.displayName, value, advice, [lowest]);
}

/** Refuses the run, or the rest of it: what has to change is an option, or the account. */
function notCreated(why: string, whatToDo: string, facts: RefusalFacts = {}): Refusal {
	return new Refusal(`Not created: ${why}`, whatToDo, { of: 'run', ...facts });
}

function tooManyJobs(maximum: number, total: number): Refusal {
	const [items, most] = [total, maximum].map((number) => number.toLocaleString('en-US'));
	const raise = 'raise "Maximum Jobs per Run" under "Options", and save.';
	return notCreated(
		`the run has ${items} items, and "Maximum Jobs per Run" is ${most}`,
		raise.replace(/^r/, 'R'),
		{
			ifUnpaid: `If ${items} jobs are too many, correct the list, and run the workflow again. If not, ${raise}`,
		},
	);
}

/**
 * @param read what the service said remained, negative if the account is overdrawn
 * @param begun how many jobs were begun since
 */
function tooFew(minimum: number, read: number, begun: number): Refusal {
	const left = Math.max(Math.min(0, read), read - begun);
	return notCreated(
		`${left} ${left === 1 ? 'request remains' : 'requests remain'}, but "Minimum Remaining Requests" is ${minimum}`,
		'Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining Requests" under "Options", and save.',
		{ forSchedulers: { cause: 'quota-exhausted' } },
	);
}

/** @returns undefined when it cannot be compared, which n8n's log then says */
async function readRemaining(guarded: Guarded): Promise<number | undefined> {
	const { requester, task, credential } = guarded;
	const { context, request } = task;
	const { timeout, proxy, skipSslCertificateValidation } = request;
	const options = { timeout, proxy, skipSslCertificateValidation };
	const reading = requestUsage(requester, context, credential, options);
	const { remaining } = await reading.catch((error: unknown) => {
		throw unreadable(error);
	});
	const count = comparable(remaining);
	if (count === undefined) {
		context.logger.warn(
			`"Minimum Remaining Requests" was not applied: the service reports "${remaining}" remaining requests, which cannot be compared`,
		);
	}
	return count;
}

/** A refusal, not a failure: no job was sent, so none can have been created. */
function unreadable(error: unknown): unknown {
	if (!(error instanceof Failure)) return error;
	const { message, description, ...facts } = told(
		explain(error, { advice: CONNECTION_ADVICE, proxy: PROXY_SETTINGS }),
	);
	return notCreated(
		`"Minimum Remaining Requests" needs the usage, which could not be read. ${message}`,
		description,
		facts,
	);
}
