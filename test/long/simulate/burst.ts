import type { LaneName } from '../../../nodes/shared/pacing/lane';
import { seededRandom } from '../../../sandbox/random';
import { Client, Process, type Send } from './client';
import { Events } from './events';
import { LIMITERS, RETRY_AFTER, sendTo, type LimiterKind, type RetryAfter } from './limiters';

/** Many requests at once for an account that the process has not used before. */
export interface Burst {
	limiter: LimiterKind;
	perSecond: number;
	requests: number;
	/** Which automatic limit they count towards. */
	kind: LaneName;
	/** How the service sends Retry-After. */
	retryAfter: RetryAfter;
	seed: number;
}

export interface BurstResult extends Burst {
	/** Seconds until the last response. */
	took: number;
}

/** Sends the requests. */
export async function burst(options: Burst): Promise<BurstResult> {
	const { limiter, perSecond, requests, kind, retryAfter, seed } = options;
	const random = seededRandom(seed);
	const events = new Events();
	const service = LIMITERS[limiter](perSecond);
	const latency = 2 + 98 * random();
	const client = new Client(
		new Process(events, random),
		sendTo(service, events, () => latency / 2, RETRY_AFTER[retryAfter]),
		{ requests, atOnce: requests, lane: kind },
	);
	events.plan(0, () => client.begin());
	await events.runUntil(Infinity);
	return { ...options, took: client.endedAt / 1_000 };
}

/** How often a job is tried during the outage, in milliseconds: rarer than the longest pause for trouble. */
const TRIED_EVERY = 31_000;

/**
 * Ten jobs at once for a service that accepts one per second, after it refused one, and failed for a while.
 *
 * @param outage how many jobs failed, each in its own run
 * @returns seconds until the last response
 */
export async function afterOutage(
	outage: number,
	retryAfter: RetryAfter,
	seed: number,
): Promise<number> {
	const random = seededRandom(seed);
	const events = new Events();
	const process = new Process(events, random);
	const limited = sendTo(
		LIMITERS['sliding window of 1 s'](1),
		events,
		() => 10,
		RETRY_AFTER[retryAfter],
	);
	const begin = (at: number, requests: number, send: Send) => {
		const client = new Client(process, send, { requests, atOnce: requests, lane: 'jobs' });
		events.plan(at, () => client.begin());
		return client;
	};
	begin(0, 2, limited);
	for (let failed = 1; failed <= outage; failed++) {
		begin(failed * TRIED_EVERY, 1, (now, reach) =>
			events.plan(now + 20, (at) => reach(at, 'failed')),
		);
	}
	const over = (outage + 2) * TRIED_EVERY;
	const client = begin(over, 10, limited);
	await events.runUntil(Infinity);
	return (client.endedAt - over) / 1_000;
}
