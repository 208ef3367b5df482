import { Pace } from '../../nodes/BusinessListingSearch/transport/pace';
import { decide } from '../../nodes/BusinessListingSearch/transport/retry';
import { seededRandom } from '../../sandbox/random';
import { SlidingWindow } from '../../sandbox/rateLimit';

/** A service that takes so many requests in any such time, and says when to come again. */
interface Service {
	/** @returns 0 when it takes the request, else the milliseconds of its Retry-After */
	take(now: number): number;
}

/** Never more than `perSecond` within any second; always asks to wait a second. */
function slidingSecond(perSecond: number): Service {
	const window = new SlidingWindow(perSecond);
	return { take: (now) => (window.take(now) === 0 ? 0 : 1_000) };
}

/** Never more than `perMinute` within any minute; names the whole seconds until one is free. */
function slidingMinute(perMinute: number): Service {
	const times: number[] = [];
	return {
		take(now) {
			while (times.length > 0 && now - times[0]! >= 60_000) times.shift();
			if (times.length < perMinute) {
				times.push(now);
				return 0;
			}
			return Math.ceil((60_000 - (now - times[0]!)) / 1_000) * 1_000;
		},
	};
}

/** A new allowance each minute; names the rest of the minute in whole seconds. */
function fixedMinute(perMinute: number): Service {
	let minute = 0;
	let taken = 0;
	return {
		take(now) {
			const current = Math.floor(now / 60_000);
			if (current !== minute) taken = 0;
			minute = current;
			if (taken < perMinute) {
				taken += 1;
				return 0;
			}
			return Math.ceil(((minute + 1) * 60_000 - now) / 1_000) * 1_000;
		},
	};
}

/** Takes everything, but refuses the requests of these numbers for a second, for no reason. */
function refusing(...numbers: number[]): Service {
	let count = 0;
	return { take: () => (numbers.includes((count += 1)) ? 1_000 : 0) };
}

interface Result {
	/** Milliseconds from the first start to the last answer. */
	took: number;
	sent: number;
	refused: number;
	mostTries: number;
	/** How many came to their result. */
	landed: number;
}

interface Load {
	requests: number;
	inFlight: number;
	/** From a request's start to its answer, in milliseconds. */
	latency?: number;
	/** Makes each latency differ by up to its half; without it, all are the same. */
	seed?: number;
}

/** Sends requests in virtual time, as the requester of a run does: `inFlight` at once. */
function simulate(service: Service, load: Load, pace = new Pace()): Result {
	const { requests, inFlight, latency = 20, seed } = load;
	const random = seed === undefined ? () => 0.5 : seededRandom(seed);
	const result: Result = { took: 0, sent: 0, refused: 0, mostTries: 0, landed: 0 };
	const events: Array<{ at: number; order: number; happen: (now: number) => void }> = [];
	let order = 0;
	const later = (at: number, happen: (now: number) => void) => {
		events.push({ at, order: order++, happen });
	};
	let left = requests;

	const next = (now: number): void => {
		if (left === 0) return;
		left -= 1;
		attempt(now, 1);
	};
	const attempt = (now: number, tries: number): void => {
		const wait = pace.ask(now);
		if (wait > 0) {
			// Timers are whole milliseconds, and never early.
			later(Math.ceil(now + wait), (at) => attempt(at, tries));
			return;
		}
		result.sent += 1;
		result.mostTries = Math.max(result.mostTries, tries);
		const way = (latency / 2) * (0.5 + random());
		later(now + way, (at) => {
			const retryAfter = service.take(at);
			later(at + way, (back) => answer(back, tries, retryAfter));
		});
	};
	const answer = (now: number, tries: number, retryAfter: number): void => {
		if (retryAfter === 0) {
			pace.accept();
			result.landed += 1;
			result.took = now;
			next(now);
			return;
		}
		result.refused += 1;
		const trouble = { kind: 'status', statusCode: 429, retryAfter } as const;
		const decision = decide(trouble, 'POST', tries, random());
		if (!decision.again) {
			next(now);
			return;
		}
		pace.hold(now, decision.wait);
		later(now + decision.wait, (at) => attempt(at, tries + 1));
	};

	for (let worker = 0; worker < inFlight; worker++) later(0, next);
	while (events.length > 0) {
		let first = 0;
		for (let index = 1; index < events.length; index++) {
			const [one, other] = [events[index]!, events[first]!];
			if (one.at < other.at || (one.at === other.at && one.order < other.order)) first = index;
		}
		const [event] = events.splice(first, 1);
		event!.happen(event!.at);
	}
	return result;
}

/** A pace that was taught: so many accepted within so many milliseconds, then told to wait. */
function taught(accepted: number, elapsed: number, wait: number): Pace {
	const pace = new Pace();
	pace.ask(0);
	for (let count = 0; count < accepted; count++) pace.accept();
	pace.hold(elapsed, wait);
	return pace;
}

/** How many may start at a moment, of 1,000 that want to. */
function burst(pace: Pace, now: number): number {
	let started = 0;
	while (started < 1_000 && pace.ask(now) === 0) started += 1;
	return started;
}

describe('before anything is refused', () => {
	it('all start at once', () => {
		const pace = new Pace();
		expect(burst(pace, 0)).toBe(1_000);
		for (let count = 0; count < 1_000; count++) pace.accept();
		expect(burst(pace, 5)).toBe(1_000);
	});
});

describe('once a request is told to wait', () => {
	it('none starts before that time is over', () => {
		const pace = taught(50, 100, 2_000);
		expect(pace.ask(100)).toBe(2_000);
		expect(pace.ask(1_000)).toBe(1_100);
		expect(pace.ask(2_099)).toBe(1);
		expect(pace.ask(2_100)).toBe(0);
	});

	it('the longest of several times counts', () => {
		const pace = taught(50, 100, 2_000);
		pace.hold(200, 5_000);
		pace.hold(300, 1_000);
		expect(pace.ask(400)).toBe(4_800);
		expect(pace.ask(5_200)).toBe(0);
	});

	it('all start again at once where fewer than 5 were accepted before: they teach nothing', () => {
		for (const accepted of [0, 4]) {
			expect(burst(taught(accepted, 100, 1_000), 1_100)).toBe(1_000);
		}
	});

	it('they start one by one from then on, a little below the rate that was taken', () => {
		// 50 in a second: the wait says how long the service's memory is.
		const pace = taught(50, 200, 1_000);
		expect(burst(pace, 1_200)).toBe(1);
		const wait = pace.ask(1_200);
		expect(wait).toBeGreaterThan(1_000 / 50);
		expect(wait).toBeLessThan(1_000 / 48);
	});

	it('the rate is that of the time before, where this was longer than the wait', () => {
		const pace = taught(50, 10_000, 1_000);
		pace.ask(11_000);
		expect(pace.ask(11_000)).toBeCloseTo(1_000 / (0.98 * 5));
	});

	it('the rest of a burst, refused together with its first, teaches nothing new', () => {
		const pace = taught(50, 200, 1_000);
		for (let count = 0; count < 5; count++) pace.accept();
		pace.hold(201, 999);
		pace.ask(1_200);
		expect(pace.ask(1_200)).toBeLessThan(1_000 / 48);
	});

	it('little of the time that timers were late is made up for', () => {
		const pace = taught(100, 500, 1_000);
		pace.ask(1_500);
		// 90 ms late, of which 10 count: 1 request at 100 a second, and the one that is due.
		const started = burst(pace, 1_600);
		expect(started).toBeGreaterThanOrEqual(1);
		expect(started).toBeLessThanOrEqual(3);
	});
});

describe('a service that takes 50 a second and names one second', () => {
	const result = simulate(slidingSecond(50), { requests: 5_000, inFlight: 10 });

	it('refuses few of 5,000 requests', () => {
		expect(result.landed).toBe(5_000);
		expect(result.refused / result.sent).toBeLessThanOrEqual(0.03);
		expect(result.mostTries).toBeLessThanOrEqual(3);
	});

	it('has them all within 10 % of its own time', () => {
		expect(result.took).toBeLessThanOrEqual(100_000 * 1.1);
	});
});

describe.each([
	['the last 60 seconds', slidingMinute],
	['each minute of the clock', fixedMinute],
])('a service that takes 100 in %s and names the rest of them', (_what, service) => {
	const result = simulate(service(100), { requests: 1_000, inFlight: 10 });

	it('refuses few of 1,000 requests', () => {
		expect(result.landed).toBe(1_000);
		expect(result.refused / result.sent).toBeLessThanOrEqual(0.03);
		expect(result.mostTries).toBeLessThanOrEqual(3);
	});

	it('has them all within 10 % of its own time', () => {
		expect(result.took).toBeLessThanOrEqual(600_000 * 1.1);
	});
});

describe('answers that overtake each other', () => {
	const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
	const worst = (perSecond: number) => {
		const results = SEEDS.map((seed) =>
			simulate(slidingSecond(perSecond), { requests: perSecond * 100, inFlight: 10, seed }),
		);
		return {
			landed: Math.min(...results.map(({ landed }) => landed)),
			refused: Math.max(...results.map(({ refused, sent }) => refused / sent)),
			took: Math.max(...results.map(({ took }) => took)),
		};
	};

	it.each([10, 20, 50])('leave few refused at %i a second', (perSecond) => {
		const { landed, refused } = worst(perSecond);
		expect(landed).toBe(perSecond * 100);
		expect(refused).toBeLessThanOrEqual(0.03);
	});

	it.each([10, 20, 50])('cost little time at %i a second', (perSecond) => {
		expect(worst(perSecond).took).toBeLessThanOrEqual(100_000 * 1.12);
	});
});

describe('after a refusal that meant nothing', () => {
	const load = { requests: 5_000, inFlight: 10 };
	const undisturbed = simulate(refusing(), load).took;

	it('the pace is soon what it was', () => {
		expect(undisturbed).toBe(10_000);
		for (const number of [1, 6, 100, 1_000]) {
			const { landed, refused, took } = simulate(refusing(number), load);
			expect([landed, refused]).toEqual([5_000, 1]);
			// The wait itself is one second.
			expect(took - undisturbed).toBeLessThan(10_000);
		}
	});

	it('the rate doubles each second until another refusal confirms it', () => {
		const pace = taught(10, 100, 1_000);
		const starts = [0, 0, 0, 0, 0];
		for (let passed = 0; passed < 5_000; passed++) {
			while (pace.ask(1_100 + passed) === 0) starts[Math.floor(passed / 1_000)]! += 1;
		}
		for (let second = 1; second < 5; second++) {
			const growth = starts[second]! / starts[second - 1]!;
			expect(growth).toBeGreaterThan(1.7);
			expect(growth).toBeLessThan(2.3);
		}
	});
});

it('finds a limit that was lowered, and one that was raised', () => {
	const changing = (before: number, after: number): Service => {
		const [first, second] = [slidingSecond(before), slidingSecond(after)];
		return { take: (now) => (now < 30_000 ? first : second).take(now) };
	};
	const load = { requests: 3_000, inFlight: 10 };
	// 30 seconds at the first limit, the rest at the second.
	const lowered = simulate(changing(50, 20), load);
	expect(lowered.landed).toBe(3_000);
	expect(lowered.refused / lowered.sent).toBeLessThanOrEqual(0.03);
	expect(lowered.took).toBeLessThanOrEqual((30_000 + 75_000) * 1.15);
	const raised = simulate(changing(20, 50), load);
	expect(raised.landed).toBe(3_000);
	expect(raised.took).toBeLessThan(150_000);
});
