import { IN_FLIGHT } from '../../nodes/shared/account/lane';
import { seededRandom } from '../../sandbox/random';
import { Client, Process } from './client';
import { Events } from './events';
import { LIMITERS, RETRY_AFTER, sendTo, type LimiterKind } from './limiters';

/** A process sends its first request while another one uses up the limit. */
export interface Newcomer {
	limiter: LimiterKind;
	perSecond: number;
	/** Whether the service sends Retry-After, in whole seconds. */
	retryAfter: boolean;
	seed: number;
}

export interface NewcomerResult extends Newcomer {
	/** Seconds until the request is accepted; undefined if it gives up. */
	waited: number | undefined;
}

/** The newcomer starts this long after the other, in milliseconds, or up to three times as long. */
const SETTLED = 60_000;

/** Sends one request beside a process that has work without end; responses take 20 to 200 ms. */
export function arrive(newcomer: Newcomer): NewcomerResult {
	const { limiter, perSecond, retryAfter, seed } = newcomer;
	const random = seededRandom(seed);
	const events = new Events();
	const service = LIMITERS[limiter](perSecond);
	const read = RETRY_AFTER[retryAfter ? 'seconds' : 'none'];
	const process = (requests: number) => {
		const latency = 30 + 120 * random();
		const way = () => (latency / 2) * (0.7 + 0.6 * random());
		return new Client(new Process(events, random), sendTo(service, events, way, read), {
			requests,
			atOnce: IN_FLIGHT.others.most,
			lane: 'others',
		});
	};
	const [first, second] = [process(Infinity), process(1)];
	const at = SETTLED * (1 + 2 * random());
	events.plan(0, () => first.begin());
	events.plan(at, () => second.begin());
	for (let until = at; second.failed === 0 && second.endedAt === 0; until += 1_000) {
		events.runUntil(until);
	}
	return { ...newcomer, waited: second.failed > 0 ? undefined : (second.endedAt - at) / 1_000 };
}
