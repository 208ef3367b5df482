import type { FastifyPluginCallback, FastifyRequest, FastifySchema } from 'fastify';

import { answer } from './answer';
import {
	addBlacklistItem,
	createJob,
	deleteBlacklist,
	getBlacklists,
	getUsage,
	type JobRequest,
	type Outcome,
} from './operations';
import { Refusal } from './refusal';
import type { BlacklistItem, SandboxState } from './state';
import type { Exchange } from './traffic';

declare module 'fastify' {
	interface FastifyRequest {
		/** Set for requests to the service, once their body is read. */
		exchange?: Exchange;
	}
}

/**
 * Which form of the `x-api-key` header is accepted (service-interface.md, 5): `documented` is
 * what each example shows, the other two are one form everywhere.
 */
export type KeyFormat = 'documented' | 'token' | 'bare';

export interface ServiceOptions {
	state: SandboxState;
	key: string;
	keyFormat: KeyFormat;
}

const noQuery = { type: 'object', additionalProperties: false };

// Section 2. No bounds beyond the types: the document shows none.
const jobBody = {
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
};

// Section 2. That a value fits its type is not checked: the document shows no refusal for that.
const itemBody = {
	type: 'object',
	required: ['type', 'value'],
	additionalProperties: false,
	properties: {
		type: { type: 'string', enum: ['email', 'domain', 'place_id', 'cid'] },
		value: { type: 'string' },
	},
};

// A path that ends in a slash names no list.
const listName = { type: 'object', properties: { name: { type: 'string', minLength: 1 } } };

/** The five endpoints of the service (service-interface.md, 4), with the checks before them. */
export const service: FastifyPluginCallback<ServiceOptions> = (app, options, done) => {
	const { state, key, keyFormat } = options;
	const withToken = keyFormat === 'bare' ? key : `Token ${key}`;
	const onUsage = keyFormat === 'token' ? `Token ${key}` : key;

	function endpoint(
		method: 'GET' | 'POST' | 'DELETE',
		url: string,
		header: string,
		schema: FastifySchema,
		run: (request: FastifyRequest) => Outcome,
	): void {
		app.route({
			method,
			url,
			schema: { querystring: noQuery, ...schema },
			onRequest: (request, _reply, next) => {
				next(keyRefusal(request, header) ?? bodyRefusal(request));
			},
			handler: (request, reply) => answer(exchangeOf(request), reply, run(request)),
		});
	}

	endpoint('POST', '/api/v1/jobs', withToken, { body: jobBody }, (request) =>
		createJob(state, request.body as JobRequest),
	);
	endpoint(
		'POST',
		'/api/v1/blacklist/:name',
		withToken,
		{ params: listName, body: itemBody },
		(request) => addBlacklistItem(state, nameOf(request), request.body as BlacklistItem),
	);
	endpoint('GET', '/api/v1/blacklist', withToken, {}, () => getBlacklists(state));
	endpoint('DELETE', '/api/v1/blacklist/:name', withToken, { params: listName }, (request) =>
		deleteBlacklist(state, nameOf(request)),
	);
	endpoint('GET', '/api/v1/usage', onUsage, {}, () => getUsage(state));
	done();
};

/** The exchange of a request to the service. */
export function exchangeOf(request: FastifyRequest): Exchange {
	if (request.exchange === undefined) throw new Error('This is not a request to the service');
	return request.exchange;
}

/** The router has decoded the name once, as the path is one segment. */
function nameOf(request: FastifyRequest): string {
	return (request.params as { name: string }).name;
}

// Section 5. 401 for both is the sandbox's choice.
function keyRefusal(request: FastifyRequest, expected: string): Refusal | undefined {
	const received = request.headers['x-api-key'];
	if (received === undefined) return new Refusal(401, 'The header x-api-key is missing');
	if (received !== expected) return new Refusal(401, 'The header x-api-key is not accepted here');
	return undefined;
}

// The head of the document: bodies are JSON and are sent with `Content-Type: application/json`.
function bodyRefusal(request: FastifyRequest): Refusal | undefined {
	const type = request.headers['content-type'];
	const { rawBody, body } = exchangeOf(request).record;
	if (request.method !== 'POST') {
		if (rawBody !== '') return new Refusal(400, `${request.method} takes no body`);
		if (type !== undefined) return new Refusal(400, `${request.method} takes no content-type`);
	} else if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
		return new Refusal(415, 'The content-type must be application/json');
	} else if (body === undefined) {
		return new Refusal(400, 'The body is not valid JSON');
	}
	return undefined;
}
