import { AutomaticLimit } from '../../nodes/shared/account/automaticLimit';
import { seededRandom } from '../../sandbox/random';
import { Client, type Limiting, type Pacing } from './client';
import { Events } from './events';

/** One process that has so many requests to send, and nothing refuses them. */
export interface Speed {
	/** Tells the cases apart. */
	name: number;
	requests: number;
	/** How long the way to the service and back takes, in milliseconds; a single one 30 % more or less. */
	latency: number;
	/** Where the service works on so many at once, so long on each, in milliseconds; the rest queue. */
	capacity?: { workers: number; each: number };
	/** How many are in flight at first and at most. */
	start: number;
	most: number;
	seed: number;
}

export interface SpeedResult extends Speed {
	/** Seconds until the last answer; and with `most` in flight from the beginning. */
	took: number;
	tookWithMost: number;
	mostInFlight: number;
	/** The average in flight, from Little's law. */
	inFlight: number;
	/** Milliseconds from a request's start to its answer, in the middle. */
	typicalAnswer: number;
}

const NO_PACE: Pacing = {
	ask: () => 0,
	accept: () => {},
	hold: () => {},
	perSecond: () => undefined,
};

/** Sends them with the limit found automatically, and once more with all that may be in flight. */
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
				events.plan(done + way(), (back) => answer(back, 'taken'));
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
