import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { explain, sentences, told } from '../../../shared/errors/explain';
import { Failure, Refusal, type RefusalFacts } from '../../../shared/errors/failure';
import { readWholeNumber } from '../../../shared/input';
import { comparable, requestUsage } from '../../../shared/service/usage';
import { isSet } from '../../options/isSet';
import type { Admission, JobLimits, TaskState } from '../../run/task';
import type { Requester } from '../../../shared/pacing/requester';

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
		'If fewer requests than this would remain after the run, no job of it is created. Each job counts as one request. Runs at the same time do not know of each other.',
};

/** @throws Refusal for an invalid option */
export function readJobLimits(context: IExecuteSingleFunctions): JobLimits {
	return {
		maxJobs: readOption(context, maxJobsOption, 1),
		minRemaining: readOption(context, minRemainingOption, 0),
	};
}

/**
 * Both limits, for all jobs of a run: they refuse it as a whole, before anything is sent.
 *
 * @param total how many input items the run has: all count, including those done by an earlier attempt
 * @returns a function that gives each job the reason not to create it; an account that is short refuses only its own
 */
export function limitJobs(total: number): Admission {
	/** The smallest of the items that have arrived: of the whole run, unless n8n hands them over in batches. */
	let maximum = Infinity;
	/** By account: an expression can give each item another key, which has another allowance. Each is asked once. */
	const decisions = new Map<string, Promise<unknown>>();
	return async (jobs, rest, requester) => {
		for (const { task } of jobs) maximum = Math.min(maximum, task.limits?.maxJobs ?? Infinity);
		if (total > maximum) return jobs.map(() => tooManyJobs(maximum, total));
		const sent = jobs.filter(({ task }) => !task.isDry);
		const accounts = new Set([...decisions.keys(), ...sent.map(accountOf)]);
		for (const account of accounts) {
			if (decisions.has(account)) continue;
			const own = sent.filter((job) => accountOf(job) === account);
			const label = accounts.size > 1 ? own[0]!.task.label : undefined;
			const decision = decide(own, own.length + rest, requester, label);
			decisions.set(
				account,
				decision.catch((error: unknown) => error),
			);
		}
		const decided = async (job: TaskState) =>
			job.task.isDry ? undefined : await decisions.get(accountOf(job));
		return await Promise.all(jobs.map(decided));
	};
}

const accountOf = ({ credential }: TaskState) => credential!.idInMemory;

/**
 * @param needed how many jobs the run would create with the account of these
 * @returns why none of them is created; undefined if they may be
 */
async function decide(
	jobs: TaskState[],
	needed: number,
	requester: Requester,
	label: string | undefined,
): Promise<Refusal | undefined> {
	const minima = jobs.flatMap(({ task }) => task.limits?.minRemaining ?? []);
	if (minima.length === 0) return undefined;
	const minimum = minima.reduce((one, other) => Math.max(one, other));
	const remaining = await readRemaining(requester, jobs[0]!);
	if (remaining === undefined || remaining - needed >= minimum) return undefined;
	return tooFew(minimum, remaining, needed, label);
}

/**
 * @param lowest the lowest number allowed
 * @returns undefined when the option is not set
 * @throws Refusal for anything but a whole number from `lowest`, and for an expression that returns nothing
 */
function readOption(
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
	return new Refusal(`Not created: ${why}`, whatToDo, facts);
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

/** @param label of a job of the account, where the run has several */
function tooFew(minimum: number, remaining: number, needed: number, label?: string): Refusal {
	const [left, more, least] = [remaining, needed, minimum].map((number) =>
		number.toLocaleString('en-US'),
	);
	const account = label === undefined ? '' : `This is the account of ${label}. `;
	const wait = `${account}Wait until the allowance is renewed, choose a larger plan, or`;
	return notCreated(
		`${left} ${remaining === 1 ? 'request remains' : 'requests remain'}, ${more} ${needed === 1 ? 'is' : 'are'} needed, and "Minimum Remaining Requests" is ${least}`,
		`${wait} remove the option.`,
		{ forSchedulers: { cause: 'quota-exhausted' }, ifUnpaid: `${wait} pass fewer items.` },
	);
}

/**
 * @returns undefined when it cannot be compared, which n8n's log then says
 * @throws Refusal when it cannot be read: no job was sent, so none can have been created
 */
async function readRemaining(
	requester: Requester,
	{ task, credential }: TaskState,
): Promise<number | undefined> {
	const { context, request } = task;
	const { timeout, proxy, skipSslCertificateValidation } = request;
	const options = { timeout, proxy, skipSslCertificateValidation };
	const reading = requestUsage(requester, context, credential!, options);
	const { remaining } = await reading.catch((error: unknown) => {
		throw error instanceof Failure ? unreadable(error) : error;
	});
	const count = comparable(remaining);
	if (count === undefined) {
		context.logger.warn(
			`"Minimum Remaining Requests" was not applied: the service reports "${remaining}" remaining requests, which cannot be compared`,
		);
	}
	return count;
}

function unreadable(failure: Failure): Refusal {
	const { message, description, ...facts } = told(explain(failure));
	return notCreated(
		'the remaining requests could not be read',
		sentences(message, description),
		facts,
	);
}
