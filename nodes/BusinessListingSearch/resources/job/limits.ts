import type { INodeProperties } from 'n8n-workflow';

import { asFailure, Failure, sentences, type Facts } from '../../../shared/errors/failure';
import { requestUsage } from '../../../shared/pacing/requestUsage';
import { comparable } from '../../../shared/service/usage';
import { readOption } from '../../options/readOption';
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

/** @throws Failure for an invalid option */
export function readJobLimits(item: Item): JobLimits {
	return {
		maxJobs: readOption<number>(item, maxJobsOption),
		minRemaining: readOption<number>(item, minRemainingOption),
	};
}

/** Both limits, for all jobs of a run: they refuse it as a whole. An account that is short refuses only its own. */
export const limitJobs: Admission = async (jobs, total, requester, context) => {
	const maximum = jobs.reduce(
		(least, { task }) => Math.min(least, task.limits?.maxJobs ?? least),
		Infinity,
	);
	if (total > maximum) {
		const refusal = tooManyJobs(maximum, total);
		return jobs.map(() => refusal);
	}
	// An expression can give each item another key, which has another allowance. Each is asked once.
	const decisions = new Map<string, Promise<Failure | undefined>>();
	const deciding = jobs.map(async (job) => {
		if (job.task.isDry) return undefined;
		const account = accountOf(job);
		const isOfAccount = (other: TaskState) => !other.task.isDry && accountOf(other) === account;
		const decision =
			decisions.get(account) ??
			decide(jobs.filter(isOfAccount), requester, context).catch(asFailure);
		decisions.set(account, decision);
		return await decision;
	});
	return await Promise.all(deciding);
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
): Promise<Failure | undefined> {
	const minima = jobs.flatMap(({ task }) => task.limits?.minRemaining ?? []);
	if (minima.length === 0) return undefined;
	const minimum = minima.reduce((one, other) => Math.max(one, other));
	const remaining = await readRemaining(requester, context, jobs[0]!);
	if (remaining === undefined || remaining - jobs.length >= minimum) return undefined;
	return tooFew(minimum, remaining, jobs.length);
}

/** Refuses the run: what has to change is an option, or the account. */
function notCreated(why: string, whatToDo: string, facts: Partial<Facts> = {}): Failure {
	return new Failure(`Not created: ${why}`, whatToDo, { wayOn: 'retry', ...facts });
}

function tooManyJobs(maximum: number, total: number): Failure {
	const [items, most] = [total, maximum].map((number) => number.toLocaleString('en-US'));
	return notCreated(
		`the run has ${items} items, and "Maximum Jobs per Run" is ${most}`,
		'Pass fewer items, or raise "Maximum Jobs per Run" under "Options".',
		{ wayOn: 'maximum' },
	);
}

function tooFew(minimum: number, remaining: number, needed: number): Failure {
	const [left, more, least] = [remaining, needed, minimum].map((number) =>
		number.toLocaleString('en-US'),
	);
	return notCreated(
		`${left} ${remaining === 1 ? 'request remains' : 'requests remain'}, ${more} ${needed === 1 ? 'is' : 'are'} needed, and "Minimum Remaining Requests" is ${least}`,
		'Wait until the allowance is renewed, choose a larger plan, or remove the option.',
		{ isOfQuota: true },
	);
}

/**
 * @returns undefined when it cannot be compared, which n8n's log then says
 * @throws Failure when it cannot be read: no job was sent, so none can have been created
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
	return comparable(remaining);
}

function unreadable({ message, description, httpCode }: Failure): Failure {
	const why = 'the remaining requests could not be read';
	return notCreated(why, sentences(message, description), { httpCode });
}
