import type { INodeProperties } from 'n8n-workflow';

import { explain, told } from '../../../shared/errors/explain';
import { Failure, Refusal, sentences, type RefusalFacts } from '../../../shared/errors/failure';
import { readWholeNumber } from '../../../shared/input';
import { requestUsage } from '../../../shared/pacing/requestUsage';
import { comparable } from '../../../shared/service/usage';
import { isSet } from '../../options/isSet';
import type { Item } from '../../form/item';
import type { RunContext } from '../../form/call';
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
export function readJobLimits(item: Item): JobLimits {
	return {
		maxJobs: readOption(item, maxJobsOption, 1),
		minRemaining: readOption(item, minRemainingOption, 0),
	};
}

/** Both limits, for all jobs of a run: they refuse it as a whole. An account that is short refuses only its own. */
export const limitJobs: Admission = async (jobs, total, requester, context) => {
	const maximum = jobs.reduce(
		(least, { task }) => Math.min(least, task.limits?.maxJobs ?? least),
		Infinity,
	);
	if (total > maximum) return jobs.map(() => tooManyJobs(maximum, total));
	// An expression can give each item another key, which has another allowance. Each is asked once.
	const accounts = new Map<string, TaskState[]>();
	for (const job of jobs) {
		if (job.task.isDry) continue;
		const account = accountOf(job);
		accounts.set(account, [...(accounts.get(account) ?? []), job]);
	}
	const decisions = new Map<string, unknown>();
	const deciding = [...accounts].map(async ([account, own]) => {
		const label = accounts.size > 1 ? own[0]!.task.label : undefined;
		const decision = decide(own, requester, context, label).catch((error: unknown) => error);
		decisions.set(account, await decision);
	});
	await Promise.all(deciding);
	return jobs.map((job) => (job.task.isDry ? undefined : decisions.get(accountOf(job))));
};

const accountOf = ({ credential }: TaskState) => credential!.idInMemory;

/**
 * @param jobs all that the run would create with their account
 * @returns why none of them is created; undefined if they may be
 */
async function decide(
	jobs: TaskState[],
	requester: Requester,
	context: RunContext,
	label: string | undefined,
): Promise<Refusal | undefined> {
	const minima = jobs.flatMap(({ task }) => task.limits?.minRemaining ?? []);
	if (minima.length === 0) return undefined;
	const minimum = minima.reduce((one, other) => Math.max(one, other));
	const remaining = await readRemaining(requester, context, jobs[0]!);
	if (remaining === undefined || remaining - jobs.length >= minimum) return undefined;
	return tooFew(minimum, remaining, jobs.length, label);
}

/**
 * @param lowest the lowest number allowed
 * @returns undefined when the option is not set
 * @throws Refusal for anything but a whole number from `lowest`, and for an expression that returns nothing
 */
function readOption(item: Item, option: INodeProperties, lowest: number): number | undefined {
	const value = item.option(option);
	if (!isSet(item, option, value)) return undefined;
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
	context: RunContext,
	{ task, credential }: TaskState,
): Promise<number | undefined> {
	const { timeout, proxy, skipSslCertificateValidation } = task.request;
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
