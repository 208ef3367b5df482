import type { LaneName } from '../../nodes/shared/account/lane';
import { seededRandom } from '../../sandbox/random';
import { Client, Process } from './client';
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
export function burst(options: Burst): BurstResult {
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
	events.runUntil(Infinity);
	return { ...options, took: client.endedAt / 1_000 };
}
