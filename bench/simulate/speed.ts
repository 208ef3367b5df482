import { AutomaticLimit } from '../../nodes/shared/account/automaticLimit';
import { seededRandom } from '../../sandbox/random';
import { Client, type Limiting, type Pacing } from './client';
import { Events } from './events';

/** One process that sends a number of requests, none of which is refused. */
export interface Speed {
	/** The number of the case. */
	name: number;
	requests: number;
	/** The round trip in milliseconds; each one varies by 30 %. */
	latency: number;
	/**
	 * How many requests the service handles at once, and how long each takes in milliseconds; the
	 * rest queue.
	 */
	capacity?: { workers: number; each: number };
	/** The first and the largest limit. */
	start: number;
	most: number;
	seed: number;
}

export interface SpeedResult extends Speed {
	/** Seconds until the last response; and the same with `most` in flight from the start. */
	took: number;
	tookWithMost: number;
	mostInFlight: number;
	/** The average in flight, from Little's law. */
	inFlight: number;
	/** The median response time in milliseconds. */
	typicalAnswer: number;
}

const NO_PACE: Pacing = {
	ask: () => 0,
	accept: () => {},
	hold: () => {},
	perSecond: () => undefined,
};

/** Sends the requests with the automatic limit, and again with the largest limit. */
export function race(speed: Speed): SpeedResult {
	const found = run(speed, new AutomaticLimit(speed.start, speed.most));
	const all = run(speed, { limit: () => speed.most, started: () => {}, ended: () => {} });
	const answers = [...found.answerTimes].sort((a, b) => a - b);
	const total = answers.reduce((sum, time) => sum + time, 0);
	return {
		...speed,
		took: found.endedAt / 1_000,
		tookWithMost: all.endedAt / 1_000,
		mostInFlight: found.mostInFlight,
		inFlight: total / found.endedAt,
		typicalAnswer: answers[Math.floor(answers.length / 2)] ?? NaN,
	};
}

function run({ requests, latency, capacity, seed }: Speed, limit: Limiting): Client {
	const events = new Events();
	const random = seededRandom(seed);
	const freeAt = Array.from({ length: capacity?.workers ?? 0 }, () => 0);
	const client = new Client(
		events,
		random,
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
				events.plan(done + way(), (back) => answer(back, 'accepted'));
			});
		},
		NO_PACE,
		limit,
		requests,
	);
	events.plan(0, (now) => client.pump(now));
	events.runUntil(Infinity);
	return client;
}
