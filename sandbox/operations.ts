import { randomUUID } from 'node:crypto';

import { itemKey, type BlacklistItem, type Job, type SandboxState } from './state';

/**
 * The result of an operation: the answer, and the change it makes to the account. The change is
 * kept apart so that a fault can give any answer with or without the work done.
 */
export interface Outcome {
	status: number;
	body: unknown;
	change?: () => void;
}

/** An endpoint of the service (service-interface.md, 4): what it takes and what it does. */
interface Endpoint {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	/** How its example writes the header `x-api-key`: `Token <API_KEY>` or `<API_KEY>`. */
	key: 'token' | 'bare';
	/** JSON schemas of the path's parameters and of the body. */
	schema?: { params?: object; body?: object };
	/** Called with a request that fits the schema. */
	run(state: SandboxState, call: Call): Outcome;
}

interface Call {
	/** What stands for the placeholders of the path, decoded. */
	params: Record<string, string>;
	body: unknown;
}

// A path that ends in a slash names no list.
const listName = { type: 'object', properties: { name: { type: 'string', minLength: 1 } } };

/** The body of Create Job as it is received: a job without its identifier. */
type JobRequest = Omit<Job, 'job_id' | 'group_name'> & { group_name?: string };

/**
 * Create Job (service-interface.md, 4.2). Costs one request of the allowance, and is refused with
 * 402 when none is left: the sandbox's choice, the document shows neither.
 */
const createJob: Endpoint = {
	method: 'POST',
	path: '/api/v1/jobs',
	key: 'token',
	schema: {
		// Section 2. No bounds beyond the types: the document shows none.
		body: {
			type: 'object',
			required: ['keyword'],
			additionalProperties: false,
			properties: {
				keyword: { type: 'string', minLength: 1 },
				group_name: { type: 'string' },
				sort_by: { type: 'string' },
				sort_order: { type: 'string', enum: ['asc', 'desc'] },
				min_rating: { type: 'integer' },
				min_reviews: { type: 'integer' },
				max_reviews: { type: 'integer' },
				has_phone: { type: 'boolean' },
				has_website: { type: 'boolean' },
			},
		},
	},
	run(state, { body }) {
		if (state.remaining <= 0) return failure(402, 'No requests remaining on this plan');
		const job: Job = { job_id: randomUUID(), group_name: 'API', ...(body as JobRequest) };
		return success({ job_id: job.job_id }, () => {
			state.jobs.push(job);
			state.remaining -= 1;
		});
	},
};

/**
 * Create Blacklist: adds an item to the named list (service-interface.md, 4.3). The sandbox's
 * choice, as the document shows neither: a list that does not exist is created, and an item that
 * is already there is accepted and not counted twice.
 */
const addBlacklistItem: Endpoint = {
	method: 'POST',
	path: '/api/v1/blacklist/:name',
	key: 'token',
	schema: {
		params: listName,
		// Section 2. That a value fits its type is not checked: the document shows no refusal for that.
		body: {
			type: 'object',
			required: ['type', 'value'],
			additionalProperties: false,
			properties: {
				type: { type: 'string', enum: ['email', 'domain', 'place_id', 'cid'] },
				value: { type: 'string' },
			},
		},
	},
	run(state, { params: { name = '' }, body }) {
		const item = body as BlacklistItem;
		return success({ success: true }, () => {
			const list = state.blacklists.get(name);
			if (list === undefined) state.blacklists.set(name, new Map([[itemKey(item), item]]));
			else list.set(itemKey(item), item);
		});
	},
};

/** Get Blacklist: every list with the number of its items (service-interface.md, 4.4). */
const getBlacklists: Endpoint = {
	method: 'GET',
	path: '/api/v1/blacklist',
	key: 'token',
	run: ({ blacklists }) =>
		success(Array.from(blacklists, ([name, items]) => ({ name, count: items.size }))),
};

/**
 * Delete Blacklist: deletes the whole list (service-interface.md, 4.5). 404 when there is no such
 * list is the sandbox's choice; the document does not show it.
 */
const deleteBlacklist: Endpoint = {
	method: 'DELETE',
	path: '/api/v1/blacklist/:name',
	key: 'token',
	schema: { params: listName },
	run({ blacklists }, { params: { name = '' } }) {
		if (!blacklists.has(name)) return failure(404, `Blacklist "${name}" does not exist`);
		return success({ success: true }, () => blacklists.delete(name));
	},
};

/** Usage: the plan name and the remaining requests as digits (service-interface.md, 4.6). */
const getUsage: Endpoint = {
	method: 'GET',
	path: '/api/v1/usage',
	key: 'bare',
	run: ({ plan, remaining }) => success({ plan, remaining: String(remaining) }),
};

export const ENDPOINTS: Endpoint[] = [
	createJob,
	addBlacklistItem,
	getBlacklists,
	deleteBlacklist,
	getUsage,
];

// The document shows no status codes; 200 for every success is the sandbox's choice.
function success(body: unknown, change?: () => void): Outcome {
	return { status: 200, body, change };
}

/** An error answer. `{ message }` is the sandbox's choice (service-interface.md, 7.2). */
export function failure(status: number, message: string): Outcome {
	return { status, body: { message } };
}
