import { LANES } from '../../../nodes/shared/pacing/lane';
import { seededRandom } from '../../../sandbox/random';
import { Client, Process } from './client';
import { Events } from './events';
import { LIMITERS, RETRY_AFTER, sendTo, type LimiterKind } from './limiters';

/** Several processes that share nothing but the service's limit. */
export interface Sharing {
	limiter: LimiterKind;
	processes: number;
	/** The limit divided by the number of processes, per second. */
	perProcess: number;
	/** Whether the service sends Retry-After, in whole seconds. */
	retryAfter: boolean;
	seed: number;
}

export interface SharingResult extends Sharing {
	/** Accepted requests relative to the limit, while all have work. */
	used: number;
	/** Refused requests relative to those sent. */
	refused: number;
	/** How often a request would give up. */
	failed: number;
	/** Jain's fairness index: 1 when all processes get the same, 1 / n when one gets everything. */
	fairness: number;
	/** Seconds until the last remaining process has doubled its rate; undefined for one process. */
	doubling: number | undefined;
}

/** All have started by then, in milliseconds. */
const STARTS = 20_000;
/** Until then all have work. */
const END = 260_000;
/** How long the remaining process is observed. */
const ALONE = 60_000;

/** Lets the processes share the limit, then stops all but one. */
export async function share(sharing: Sharing): Promise<SharingResult> {
	const { limiter, processes, perProcess, retryAfter, seed } = sharing;
	const random = seededRandom(seed);
	const events = new Events();
	const perSecond = perProcess * processes;
	const service = LIMITERS[limiter](perSecond);
	const read = RETRY_AFTER[retryAfter ? 'seconds' : 'none'];
	// Whole minutes, because a fixed minute may be used up at any time within it.
	const isMinute = limiter === 'fixed minute';
	const from = isMinute ? 60_000 : STARTS;
	const until = isMinute ? 300_000 : END;
	const accepted = Array.from({ length: processes }, () => 0);
	const acceptedOfFirst: number[] = [];

	const clients = accepted.map((_, index) => {
		const latency = 30 + 120 * random();
		const way = () => (latency / 2) * (0.7 + 0.6 * random());
		const client = new Client(
			new Process(events, random),
			sendTo(service, events, way, read, (at, wait) => {
				if (wait > 0) return;
				if (at >= from && at < until) accepted[index]! += 1;
				if (index === 0) acceptedOfFirst.push(at);
			}),
			{ requests: Infinity, atOnce: LANES.others.most, lane: 'others' },
		);
		events.plan(index === 0 ? 0 : STARTS * random(), () => client.begin());
		return client;
	});
	await events.runUntil(until);
	for (const client of clients.slice(1)) client.stop();
	if (processes > 1) await events.runUntil(until + ALONE);

	const of = (value: (client: Client) => number) => sum(clients.map(value));
	const total = sum(accepted);
	return {
		...sharing,
		used: total / ((perSecond * (until - from)) / 1_000),
		refused: of((client) => client.refused) / of((client) => client.sent),
		failed: of((client) => client.failed),
		fairness: total ** 2 / (processes * sum(accepted.map((count) => count ** 2))),
		doubling: processes > 1 ? doubling(acceptedOfFirst, perSecond, until) : undefined,
	};
}

/**
 * Seconds until the remaining process has doubled its rate of the minute before, or reached 90 % of
 * the limit if that is less.
 */
function doubling(times: number[], perSecond: number, since: number): number {
	const before = times.filter((at) => at >= since - 60_000 && at < since).length / 60;
	const target = Math.min(2 * before, 0.9 * perSecond);
	// Long enough for ten requests.
	const span = Math.max(2_000, 10_000 / target);
	const needed = Math.ceil((target * span) / 1_000);
	for (let index = needed - 1; index < times.length; index++) {
		const at = times[index]!;
		if (at >= since && at - times[index - needed + 1]! <= span) return (at - since) / 1_000;
	}
	return Infinity;
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
