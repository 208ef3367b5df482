import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import fastify, { type FastifyError } from 'fastify';

import { answer } from './answer';
import { control } from './control';
import { FaultPlan } from './faultPlan';
import type { FaultRule } from './faults';
import { takeIn } from './intake';
import { failure } from './operations';
import { schemaRejection } from './rejection';
import { exchangeOf, service, type KeyFormat } from './service';
import { newState, type SandboxState } from './state';
import { Traffic, type RecordedRequest } from './traffic';

export type { Fault, FaultKind, FaultRule } from './faults';
export type { KeyFormat } from './service';
export { blacklistOf, itemKey } from './state';
export type { Blacklist, BlacklistItem, Job, SandboxState } from './state';
export type { RecordedRequest } from './traffic';

export interface SandboxOptions {
	/** Default 0: any free port. */
	port?: number;
	/** Default: a random one. */
	key?: string;
	/** Which form of the key header is accepted; default 'documented'. */
	keyFormat?: KeyFormat;
	/** Default 'Sandbox'. */
	plan?: string;
	/** Remaining requests; default 1000. */
	remaining?: number;
	/** A prefix such as '/prefix' to serve everything under; default ''. */
	basePath?: string;
	/** Default true; false keeps only the counts of requests, for measurements. */
	record?: boolean;
}

export interface Sandbox {
	/** The base address, with the base path: http://127.0.0.1:43210/prefix */
	readonly address: string;
	/** The key that is accepted; may be changed at any time. */
	key: string;
	/** What the account holds; may be changed at any time. */
	readonly state: SandboxState;
	/** Whether requests are kept, not only counted; may be changed at any time. */
	record: boolean;
	/** Every request to the service, in order of arrival. */
	readonly requests: RecordedRequest[];
	readonly requestCount: number;
	/**
	 * The highest number of requests in flight at once since the start or the last reset. Without
	 * a delay answers are so quick that this stays near 1, however many the client sends at once.
	 */
	readonly maxInFlight: number;
	/** The milliseconds from the first request to the last, since the start or the last reset. */
	readonly lasted: number;
	readonly faults: { add(rule: FaultRule): void; clear(): void };
	/**
	 * Resets the account, requests, faults, counts and random numbers. Requests still in flight are
	 * given up and their connections closed.
	 */
	reset(): void;
	/** Closes every connection at once and frees the port. */
	stop(): Promise<void>;
}

/**
 * Starts a stand-in for the Business Listing Search Service (service-interface.md) on the loopback
 * address, with its state in memory.
 * @returns the running sandbox
 * @throws the system's error when the port is taken (code EADDRINUSE)
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, keyFormat = 'documented' } = options;
	const { plan = 'Sandbox', remaining = 1000, record = true } = options;
	const basePath = (options.basePath ?? '').replace(/\/+$/, '');

	const access = { key: options.key ?? randomUUID(), keyFormat };
	const state = newState(plan, remaining);
	const traffic = new Traffic(record);
	const faults = new FaultPlan(basePath);

	const app = fastify({
		forceCloseConnections: true,
		// The document sets no limit on names, so the sandbox sets none that a test could reach.
		http: { maxHeaderSize: 1024 * 1024 },
		routerOptions: { maxParamLength: 1024 * 1024 },
		exposeHeadRoutes: false,
		ajv: {
			customOptions: {
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
				allErrors: false,
			},
		},
		schemaErrorFormatter: schemaRejection,
		// What the router cannot parse skips the hooks and the error handler.
		frameworkErrors: (error, request, reply) => {
			takeIn(request.raw, reply.raw, traffic, faults, (exchange) => {
				answer(exchange, reply, failure(error.statusCode ?? 400, error.message));
			});
		},
	});

	app.addHook('onRequest', (request, reply, done) => {
		if (request.routeOptions.config.control === true) {
			done();
			return;
		}
		takeIn(request.raw, reply.raw, traffic, faults, (exchange) => {
			request.exchange = exchange;
			done();
		});
	});
	// The hook has already read the body.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (request, _payload, done) => {
		done(null, request.exchange?.record.body);
	});

	app.setErrorHandler(({ statusCode = 500, message }: FastifyError, { exchange }, reply) => {
		if (exchange === undefined) reply.code(statusCode).send({ message });
		else answer(exchange, reply, failure(statusCode, message));
	});
	app.setNotFoundHandler((request, reply) => {
		answer(
			exchangeOf(request),
			reply,
			failure(404, `No endpoint ${request.method} ${request.url.split('?', 1)[0] ?? ''}`),
		);
	});

	const reset = () => {
		Object.assign(state, newState(plan, remaining));
		traffic.reset();
		faults.reset();
	};

	app.register(service, { prefix: basePath, state, access });
	app.register(control, { state, faults, traffic });
	await app.listen({ host: '127.0.0.1', port });
	const { port: actualPort } = app.server.address() as AddressInfo;

	return {
		address: `http://127.0.0.1:${actualPort}${basePath}`,
		get key() {
			return access.key;
		},
		set key(key) {
			access.key = key;
		},
		state,
		get record() {
			return traffic.record;
		},
		set record(record) {
			traffic.record = record;
		},
		requests: traffic.requests,
		get requestCount() {
			return traffic.requestCount;
		},
		get lasted() {
			return traffic.lasted;
		},
		get maxInFlight() {
			return traffic.maxInFlight;
		},
		faults: { add: (rule) => faults.add(rule), clear: () => faults.clear() },
		reset,
		stop: async () => {
			traffic.giveUp();
			await app.close();
		},
	};
}
