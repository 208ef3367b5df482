import { randomUUID } from 'node:crypto';

import { itemKey, type BlacklistItem, type Job, type SandboxState } from './state';

/**
 * What an operation comes to: the answer, and the change it makes to the account. The change is
 * kept apart so that a fault can give any answer with or without the work done.
 */
export interface Outcome {
	status: number;
	body: unknown;
	change?: () => void;
}

/** The body of Create Job as it is received: a job without its identifier. */
export type JobRequest = Omit<Job, 'job_id' | 'group_name'> & { group_name?: string };

/**
 * Create Job (service-interface.md, 4.2). Costs one request of the allowance, and is refused with
 * 402 when none is left: the sandbox's choice, the document shows neither.
 */
export function createJob(state: SandboxState, body: JobRequest): Outcome {
	if (state.remaining <= 0) return failure(402, 'No requests remaining on this plan');
	const job: Job = { job_id: randomUUID(), group_name: 'API', ...body };
	return success({ job_id: job.job_id }, () => {
		state.jobs.push(job);
		state.remaining -= 1;
	});
}

/**
 * Create Blacklist: adds an item to the named list (service-interface.md, 4.3). The sandbox's
 * choice, as the document shows neither: a list that does not exist is created, and an item that
 * is already there is accepted and not counted twice.
 */
export function addBlacklistItem(
	state: SandboxState,
	name: string,
	{ type, value }: BlacklistItem,
): Outcome {
	return success({ success: true }, () => {
		const list = state.blacklists.get(name);
		const item = { type, value };
		if (list === undefined) state.blacklists.set(name, new Map([[itemKey(item), item]]));
		else list.set(itemKey(item), item);
	});
}

/** Get Blacklist: every list with the number of its items (service-interface.md, 4.4). */
export function getBlacklists(state: SandboxState): Outcome {
	return success(Array.from(state.blacklists, ([name, items]) => ({ name, count: items.size })));
}

/**
 * Delete Blacklist: deletes the whole list (service-interface.md, 4.5). 404 when there is no such
 * list is the sandbox's choice; the document does not show it.
 */
export function deleteBlacklist(state: SandboxState, name: string): Outcome {
	if (!state.blacklists.has(name)) return failure(404, `There is no blacklist "${name}"`);
	return success({ success: true }, () => state.blacklists.delete(name));
}

/** Usage: the plan name and the remaining requests as digits (service-interface.md, 4.6). */
export function getUsage(state: SandboxState): Outcome {
	return success({ plan: state.plan, remaining: String(state.remaining) });
}

// The document shows no status codes; 200 for every success is the sandbox's choice.
function success(body: unknown, change?: () => void): Outcome {
	return { status: 200, body, change };
}

/** A refusal. The shape `{ message }` is the sandbox's choice (service-interface.md, 7.2). */
export function failure(status: number, message: string): Outcome {
	return { status, body: { message } };
}
