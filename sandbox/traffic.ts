import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { AnswerFault, FaultKind } from './faults';

/** One request to the service, as it was received and what became of it. */
export interface RecordedRequest {
	method: string;
	/** As received: undecoded, with the query. */
	path: string;
	/** Names in lower case. */
	headers: IncomingHttpHeaders;
	rawBody: string;
	/** The body as JSON; undefined when there is none or it is not JSON. */
	body: unknown;
	/** When it arrived, in milliseconds of `performance.now()`. */
	at: number;
	/** When its answer was sent or its connection broke, as `at`; undefined while in flight. */
	endedAt: number | undefined;
	/** The status answered; undefined while in flight, and when there was no answer. */
	status: number | undefined;
	/** The fault applied; after a delay or a capacity, the one of a later rule, if any. */
	fault?: FaultKind;
	/** Whether it was applied to the account. Always false for what only reads. */
	carriedOut: boolean;
}

/** A request in flight: its record, the fault chosen for it, and its connection. */
export class Exchange {
	fault: AnswerFault | undefined;

	constructor(
		readonly record: RecordedRequest,
		readonly response: ServerResponse,
		/** Aborted when the sandbox is reset or stopped meanwhile. */
		readonly givenUp: AbortSignal,
	) {}

	/** Notes the status, unless the client has left and does not get it. */
	answered(status: number): void {
		if (!this.response.destroyed) this.record.status = status;
	}

	/** Waits; rejects when the request is given up meanwhile. */
	readonly pause = async (ms: number): Promise<void> => {
		await sleep(ms, undefined, { signal: this.givenUp });
	};
}

/** Keeps count of the requests to the service: those that came and those in flight. */
export class Traffic {
	readonly requests: RecordedRequest[] = [];
	requestCount = 0;
	maxInFlight = 0;
	/** When the first and the last request arrived, in milliseconds of `performance.now()`. */
	private firstAt = 0;
	private lastAt = 0;
	private readonly inFlight = new Set<Exchange>();
	private givingUp = newGivingUp();

	/** @param record false keeps only the counts, for measurements with many requests */
	constructor(public record: boolean) {}

	/** Notes a request that arrived, before its body is read. */
	open(request: IncomingMessage, response: ServerResponse): Exchange {
		const exchange = new Exchange(
			{
				method: request.method ?? '',
				path: request.url ?? '',
				headers: request.headers,
				rawBody: '',
				body: undefined,
				at: performance.now(),
				endedAt: undefined,
				status: undefined,
				carriedOut: false,
			},
			response,
			this.givingUp.signal,
		);
		if (this.record) this.requests.push(exchange.record);
		this.lastAt = exchange.record.at;
		if (this.requestCount === 0) this.firstAt = this.lastAt;
		this.requestCount += 1;
		this.inFlight.add(exchange);
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight.size);
		response.once('close', () => {
			exchange.record.endedAt = performance.now();
			this.inFlight.delete(exchange);
		});
		return exchange;
	}

	/** The milliseconds from the arrival of the first request to that of the last. */
	get lasted(): number {
		return this.lastAt - this.firstAt;
	}

	/**
	 * Gives up every request in flight: their connections break, and what still waits is not carried
	 * out.
	 */
	giveUp(): void {
		this.givingUp.abort();
		this.givingUp = newGivingUp();
		for (const { response } of this.inFlight) response.destroy();
		this.inFlight.clear();
	}

	/** Forgets all requests and gives up those in flight, so that none changes the account later. */
	reset(): void {
		this.giveUp();
		this.requests.length = 0;
		this.requestCount = 0;
		this.maxInFlight = 0;
		this.firstAt = 0;
		this.lastAt = 0;
	}
}

/** Every request that waits listens to its signal: many listeners are no leak here. */
function newGivingUp(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}
