import type { INodeProperties } from 'n8n-workflow';

import { asFailure, Failure, sentences } from '../../../shared/errors/failure';
import { requestUsage } from '../../../shared/pacing/requestUsage';
import { comparable } from '../../../shared/service/usage';
import type { Admission, TaskState } from '../../run/task';

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

/** Both limits, for all jobs of a run: they refuse it as a whole. An account that is short refuses only its own. */
export const limitJobs: Admission = async (jobs, total, options, requester, context) => {
	const { maxJobs = Infinity, minRemaining, dryRun, connection } = options;
	if (total > maxJobs) {
		const refusal = notCreated(
			`the run has ${total} items, and "Maximum Jobs per Run" is ${maxJobs}`,
			'Raise "Maximum Jobs per Run" under "Options".',
		);
		return jobs.map(() => refusal);
	}
	if (minRemaining === undefined || dryRun) return [];
	// An expression can give each item another key, which has another allowance. Each is asked once.
	const needed = new Map<string, number>();
	for (const job of jobs) needed.set(accountOf(job), (needed.get(accountOf(job)) ?? 0) + 1);
	const decisions = new Map<string, Promise<Failure | undefined>>();
	const decide = async ({ credential }: TaskState, count: number) => {
		const { remaining } = await requestUsage(requester, context, credential!, connection);
		const left = comparable(remaining);
		// What cannot be compared, n8n's log says.
		if (left === undefined || left - count >= minRemaining) return undefined;
		return notCreated(
			`the run needs ${count}, the account has ${left}, and "Minimum Remaining Requests" is ${minRemaining}`,
			'Wait until the allowance is renewed, choose a larger plan, or remove the option.',
		);
	};
	const deciding = jobs.map(async (job) => {
		const account = accountOf(job);
		const decision =
			decisions.get(account) ?? decide(job, needed.get(account)!).catch(asUnreadable);
		decisions.set(account, decision);
		return await decision;
	});
	return await Promise.all(deciding);
};

const accountOf = ({ credential }: TaskState) => credential!.idInMemory;

/** Refuses the run: what has to change is an option, or the account. */
function notCreated(why: string, whatToDo: string, httpCode?: string): Failure {
	return new Failure(`Not created: ${why}`, whatToDo, { wayOn: 'retry', httpCode });
}

/** When the usage cannot be read, no job is sent, so none can have been created. */
function asUnreadable(error: unknown): Failure {
	const { message, description, httpCode } = asFailure(error);
	const why = 'the remaining requests could not be read';
	return notCreated(why, sentences(message, description), httpCode);
}
