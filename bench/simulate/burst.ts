import { seededRandom } from '../../sandbox/random';
import { Client } from './client';
import { Events } from './events';
import { LIMITERS, type LimiterKind } from './limiters';

export type RetryAfter = 'seconds' | 'date' | 'none';

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
		(now, answer) => {
			events.plan(now + way, (at) => {
				const wait = service.take(at);
				events.plan(at + way, (back) => {
					const refusal = { retryAfter: read(retryAfter, at + wait, at, back) };
					answer(back, wait === 0 ? 'accepted' : refusal);
				});
			});
		},
		{ requests: jobs, atOnce: jobs, automatic: 'jobs' },
	);
	events.plan(0, () => client.begin());
	events.runUntil(Infinity);
	return { ...options, took: client.endedAt / 1_000, refused: client.refused / client.sent };
}

/** What the client reads: both forms have whole seconds. A date counts from when it arrives. */
function read(form: RetryAfter, until: number, at: number, back: number): number | undefined {
	if (form === 'none') return undefined;
	if (form === 'seconds') return Math.ceil((until - at) / 1_000) * 1_000;
	return Math.max(0, Math.ceil(until / 1_000) * 1_000 - back);
}
