import { LANES, type LaneName } from '../../../nodes/shared/pacing/lane';
import { seededRandom } from '../../../sandbox/random';
import { median } from '../../../bench/figures';
import { Client, Process, type Work } from './client';
import { Events } from './events';

/** One process that sends a number of requests, none of which is refused. */
export interface Speed {
	requests: number;
	/** The round trip in milliseconds; each one varies by 30 %. */
	latency: number;
	/**
	 * How many requests the service handles at once, and how long each takes in milliseconds; the
	 * rest queue.
	 */
	capacity?: { workers: number; each: number };
	/** Which automatic limit. */
	kind: LaneName;
	seed: number;
}

export interface SpeedResult extends Speed {
	/** Seconds until the last response; and the same with as many in flight as it allows at most. */
	took: number;
	tookWithMost: number;
	/** The median response time in milliseconds. */
	typicalAnswer: number;
}

/** Sends the requests with the automatic limit, and again with as many in flight as it allows at most. */
export async function race(speed: Speed): Promise<SpeedResult> {
	const { most } = LANES[speed.kind];
	const found = await run(speed, { atOnce: most, lane: speed.kind });
	const all = await run(speed, { atOnce: most, lane: speed.kind, isAutomatic: false });
	return {
		...speed,
		took: found.endedAt / 1_000,
		tookWithMost: all.endedAt / 1_000,
		typicalAnswer: median(found.answerTimes),
	};
}

async function run(
	{ requests, latency, capacity, seed }: Speed,
	work: Omit<Work, 'requests'>,
): Promise<Client> {
	const events = new Events();
	const random = seededRandom(seed);
	const freeAt = Array.from({ length: capacity?.workers ?? 0 }, () => 0);
	const client = new Client(
		new Process(events, random),
		(now, answer) => {
			const way = () => (latency / 2) * (0.7 + 0.6 * random());
			const arrival = now + way();
			events.plan(arrival, (at) => {
				let done = at;
				if (capacity) {
					const worker = freeAt.indexOf(Math.min(...freeAt));
					done = Math.max(at, freeAt[worker]!) + capacity.each;
					freeAt[worker] = done;
				}
				events.plan(done + way(), (back) => answer(back, 'answered'));
			});
		},
		{ requests, ...work },
	);
	events.plan(0, () => client.begin());
	await events.runUntil(Infinity);
	return client;
}
