import type { FastifyPluginCallback, FastifyRequest } from 'fastify';

import { answer } from './answer';
import { ENDPOINTS } from './operations';
import { Rejection } from './rejection';
import type { SandboxState } from './state';
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

interface ServiceOptions {
	state: SandboxState;
	/** What is accepted; the key may change. */
	access: { key: string; readonly keyFormat: KeyFormat };
}

const noQuery = { type: 'object', additionalProperties: false };

/** Serves the endpoints, and checks each request first. */
export const service: FastifyPluginCallback<ServiceOptions> = (app, options, done) => {
	const { state, access } = options;
	for (const { method, path, key: documented, schema, run } of ENDPOINTS) {
		const form = access.keyFormat === 'documented' ? documented : access.keyFormat;
		app.route({
			method,
			url: path,
			schema: { querystring: noQuery, ...schema },
			onRequest: (request, _reply, next) => {
				const header = form === 'token' ? `Token ${access.key}` : access.key;
				next(keyRejection(request, header) ?? bodyRejection(request));
			},
			handler: (request, reply) => {
				// The router has decoded each once, as one segment of the path.
				const params = request.params as Record<string, string>;
				answer(exchangeOf(request), reply, run(state, { params, body: request.body }));
			},
		});
	}
	done();
};

export function exchangeOf(request: FastifyRequest): Exchange {
	if (request.exchange === undefined) throw new Error('This request is not for the service');
	return request.exchange;
}

// Section 5. 401 for both is the sandbox's choice.
function keyRejection(request: FastifyRequest, expected: string): Rejection | undefined {
	const received = request.headers['x-api-key'];
	if (received === undefined) return new Rejection(401, 'The header x-api-key is missing');
	if (received !== expected) return new Rejection(401, 'The header x-api-key is invalid');
	return undefined;
}

// From the head of the document: bodies are JSON and are sent with `Content-Type: application/json`.
function bodyRejection(request: FastifyRequest): Rejection | undefined {
	const type = request.headers['content-type'];
	const { rawBody, body } = exchangeOf(request).record;
	if (request.method !== 'POST') {
		if (rawBody !== '')
			return new Rejection(400, `A ${request.method} request must not have a body`);
		if (type !== undefined)
			return new Rejection(400, `A ${request.method} request must not have a content-type`);
	} else if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
		return new Rejection(415, 'The content-type must be application/json');
	} else if (body === undefined) {
		return new Rejection(400, 'The body is not valid JSON');
	}
	return undefined;
}
