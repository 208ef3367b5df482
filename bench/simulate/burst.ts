import { seededRandom } from '../../sandbox/random';
import { Client } from './client';
import { Events } from './events';
import { LIMITERS, RETRY_AFTER, sendTo, type LimiterKind, type RetryAfter } from './limiters';

/** Many jobs at once for an account that the process has not used before. */
export interface Burst {
	limiter: LimiterKind;
	perSecond: number;
	jobs: number;
	/** How the service sends Retry-After. */
	retryAfter: RetryAfter;
	seed: number;
}

export interface BurstResult extends Burst {
	/** Seconds until the last response. */
	took: number;
	/** Refused requests relative to those sent. */
	refused: number;
}

/** Sends the jobs; each response takes 2 to 100 ms. */
export function burst(options: Burst): BurstResult {
	const { limiter, perSecond, jobs, retryAfter, seed } = options;
	const random = seededRandom(seed);
	const events = new Events();
	const service = LIMITERS[limiter](perSecond);
	const way = 1 + 49 * random();
	const client = new Client(
		events,
		random,
		sendTo(service, events, () => way, RETRY_AFTER[retryAfter]),
		{ requests: jobs, atOnce: jobs, automatic: 'jobs' },
	);
	events.plan(0, () => client.begin());
	events.runUntil(Infinity);
	return { ...options, took: client.endedAt / 1_000, refused: client.refused / client.sent };
}
