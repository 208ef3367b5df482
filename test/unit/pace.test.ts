import fc from 'fast-check';

import { Pace } from '../../nodes/shared/account/pace';
import { SlidingWindow } from '../../sandbox/rateLimit';

/** For a request at this time: 0 when the service accepts it, else its Retry-After in milliseconds. */
type Service = (now: number) => number;

/** At most `perSecond` within any second; always asks for a wait of a second. */
function slidingSecond(perSecond: number): Service {
	const window = new SlidingWindow(perSecond);
	return (now) => (window.take(now) === 0 ? 0 : 1_000);
}

/** A new allowance each minute; asks to wait for the rest of the minute in whole seconds. */
function fixedMinute(perMinute: number): Service {
	const taken = new Map<number, number>();
	return (now) => {
		const minute = Math.floor(now / 60_000);
		const before = taken.get(minute) ?? 0;
		taken.set(minute, before + 1);
		return before < perMinute ? 0 : Math.ceil(((minute + 1) * 60_000 - now) / 1_000) * 1_000;
	};
}

/** Accepts everything, but refuses the requests with these numbers for a second. */
function refusing(...numbers: number[]): Service {
	let count = 0;
	return () => (numbers.includes((count += 1)) ? 1_000 : 0);
}

/**
 * Sends requests in virtual time with a limit of requests in flight; each takes 20 ms, and refused
 * ones are retried.
 */
function drive(service: Service, requests: number, inFlight = 10) {
	const pace = new Pace(() => 0.5);
	const result = { took: 0, sent: 0, refused: 0 };
	const flying: Array<{ startedAt: number; wait: number }> = [];
	let left = requests;
	for (let now = 0, next = 0; left > 0 || flying.length > 0; now = next) {
		if (now > 600_000) throw new Error('still not done after ten minutes');
		while (flying.length > 0 && flying[0]!.startedAt + 20 <= now) {
			const { startedAt, wait } = flying.shift()!;
			if (wait === 0) pace.accept();
			else {
				pace.hold(now, wait, startedAt);
				result.refused += 1;
				left += 1;
			}
			result.took = now;
		}
		let wait = Infinity;
		while (left > 0 && flying.length < inFlight && (wait = pace.ask(now)) === 0) {
			left -= 1;
			result.sent += 1;
			flying.push({ startedAt: now, wait: service(now + 10) });
		}
		const answeredAt = flying.length > 0 ? flying[0]!.startedAt + 20 : Infinity;
		next = Math.min(answeredAt, wait > 0 ? now + Math.ceil(wait) : Infinity);
	}
	return result;
}

/** A pace after this many accepted requests within this time, and a refusal. */
function taught(accepted: number, elapsed: number, wait: number): Pace {
	const pace = new Pace(() => 0);
	for (let now = 0; now < elapsed; now += 500) pace.ask(now);
	for (let count = 0; count < accepted; count++) pace.accept();
	pace.hold(elapsed, wait, 0);
	return pace;
}

/** How many of 1,000 requests may start at a time. */
function burst(pace: Pace, now: number): number {
	let started = 0;
	while (started < 1_000 && pace.ask(now) === 0) started += 1;
	return started;
}

/** How many requests start in each second when asking every millisecond. */
function startsEachSecond(pace: Pace, from: number, seconds: number): number[] {
	const starts = Array.from({ length: seconds }, () => 0);
	for (let passed = 0; passed < seconds * 1_000; passed++) {
		while (pace.ask(from + passed) === 0) starts[Math.floor(passed / 1_000)]! += 1;
	}
	return starts;
}

describe('before the first refusal', () => {
	it('all requests start at once, and no rate is known', () => {
		const pace = new Pace();
		expect(burst(pace, 0)).toBe(1_000);
		for (let count = 0; count < 1_000; count++) pace.accept();
		expect(burst(pace, 5)).toBe(1_000);
		expect(pace.perSecond(5)).toBeUndefined();
	});
});

describe('after a refusal', () => {
	it('no request starts before the wait is over', () => {
		const pace = taught(50, 100, 2_000);
		expect(pace.ask(100)).toBe(2_000);
		expect(pace.ask(1_000)).toBe(1_100);
		expect(pace.ask(2_099)).toBe(1);
		expect(pace.ask(2_100)).toBe(0);
	});

	it('the longest of several waits counts', () => {
		const pace = taught(50, 100, 2_000);
		pace.hold(200, 5_000, 0);
		pace.hold(300, 1_000, 0);
		expect(pace.ask(400)).toBe(4_800);
		expect(pace.ask(5_200)).toBe(0);
	});

	it('the state is checked again after a wait: another request may have been refused', () => {
		const pace = taught(50, 100, 1_000);
		expect(pace.ask(100)).toBe(1_000);
		pace.hold(1_050, 3_000, 0);
		expect(pace.ask(1_100)).toBe(2_950);
	});

	it('requests then start one by one, at the accepted rate', () => {
		// 50 in a second: the wait shows the length of the service's window.
		const pace = taught(50, 200, 1_000);
		expect(burst(pace, 1_200)).toBe(1);
		expect(pace.perSecond(1_200)).toBeCloseTo(50);
		expect(pace.ask(1_200)).toBeCloseTo(20);
	});

	it('the rate is that of the time before, if this was longer than the wait', () => {
		const pace = taught(50, 10_000, 1_000);
		pace.ask(11_000);
		expect(pace.perSecond(11_000)).toBeCloseTo(5);
	});

	it('further refusals of the same burst are ignored', () => {
		const pace = taught(50, 200, 1_000);
		pace.hold(201, 999, 0);
		pace.ask(1_200);
		// A response that arrived after the whole pause.
		pace.hold(1_210, 1_000, 150);
		expect(pace.ask(2_210)).toBeLessThan(20);
		expect(pace.perSecond(2_210)).toBeCloseTo(50);
	});

	it.each([0, 1])(
		'a first pause that was too short says nothing: %i accepted after it',
		(accepted) => {
			const pace = taught(50, 200, 500);
			pace.ask(700);
			for (let count = 0; count < accepted; count++) pace.accept();
			pace.hold(730, 2_000, 700);
			pace.ask(2_730);
			expect(pace.perSecond(2_730)).toBeCloseTo(50);
		},
	);

	it('a later refusal during the same pause only extends it', () => {
		const pace = taught(50, 200, 1_000);
		pace.hold(1_150, 3_000, 0);
		expect(pace.ask(4_150)).toBe(0);
		expect(pace.perSecond(4_150)).toBeCloseTo(50);
	});

	it('if nothing was accepted before, the rate is 1 per requested wait', () => {
		const pace = taught(0, 100, 1_000);
		expect(burst(pace, 1_100)).toBe(1);
		expect(pace.perSecond(1_100)).toBeCloseTo(1);
	});

	it('processes do not all start at the same moment', () => {
		const pace = new Pace(() => 1);
		pace.ask(0);
		for (let count = 0; count < 10; count++) pace.accept();
		pace.hold(500, 1_000, 0);
		expect(pace.ask(1_500)).toBeGreaterThan(0);
		expect(pace.ask(1_500)).toBeLessThanOrEqual(50);
	});
});

describe('a start', () => {
	it('is only counted when granted: asking too early is free', () => {
		const patient = taught(50, 200, 1_000);
		const eager = taught(50, 200, 1_000);
		patient.ask(1_200);
		eager.ask(1_200);
		for (let now = 1_200; now < 1_215; now += 0.1) expect(eager.ask(now)).toBeGreaterThan(0);
		expect(eager.ask(1_220)).toBe(0);
		expect(patient.ask(1_220)).toBe(0);
		expect(eager.ask(1_220)).toBeCloseTo(patient.ask(1_220));
	});

	it('makes up for only a little of the delay of late timers', () => {
		const pace = taught(100, 500, 1_000);
		pace.ask(1_500);
		// 90 ms late, of which 20 count: 2 requests at 100 per second, and the one that is due.
		expect(burst(pace, 1_600)).toBeLessThanOrEqual(4);
	});

	it('never waits longer than a second, because the rate grows meanwhile', () => {
		const pace = taught(1, 10, 4_000);
		pace.ask(4_010);
		expect(pace.ask(4_010)).toBe(1_000);
	});
});

describe('low rates', () => {
	it.each([1, 2])(
		'%i per second is learned without five accepted requests between two refusals',
		(rate) => {
			const { took, sent, refused } = drive(slidingSecond(rate), 240 * rate);
			expect(took).toBeLessThan(1.2 * 240_000);
			// The first 10 requests in flight are refused at once.
			expect((refused - 10) / sent).toBeLessThan(0.08);
		},
	);
});

describe('a service that accepts 50 per second and sends Retry-After: 1', () => {
	const { took, sent, refused } = drive(slidingSecond(50), 12_500);

	it('refuses few of 12,500 requests', () => {
		expect(refused / sent).toBeLessThanOrEqual(0.006);
	});

	it('receives them all within 6 % of the shortest time', () => {
		expect(took).toBeLessThanOrEqual(250_000 * 1.06);
	});
});

it('uses up the quota of a minute and waits for the next', () => {
	const { took, sent, refused } = drive(fixedMinute(600), 3_000);
	expect(refused / sent).toBeLessThanOrEqual(0.02);
	// Four whole minutes, and a part of the fifth.
	expect(took).toBeLessThanOrEqual(300_000 * 0.9);
});

it('spreads a quota over the time and the wait', () => {
	const pace = taught(600, 10_000, 50_000);
	pace.ask(60_000);
	expect(pace.perSecond(60_000)).toBeCloseTo(10);
});

describe('after a random refusal', () => {
	it.each([1, 6, 100, 1_000])('of request %i, the pace soon recovers', (number) => {
		const undisturbed = drive(refusing(), 5_000).took;
		const { took, refused } = drive(refusing(number), 5_000);
		expect(refused).toBe(1);
		// The wait itself is one second.
		expect(took - undisturbed).toBeLessThan(11_000);
	});

	it('the rate doubles each second until another refusal confirms it', () => {
		const starts = startsEachSecond(taught(10, 100, 1_000), 1_100, 5);
		for (let second = 1; second < 5; second++) {
			const growth = starts[second]! / starts[second - 1]!;
			expect(growth).toBeGreaterThan(1.7);
			expect(growth).toBeLessThan(2.3);
		}
	});
});

describe('a confirmed rate', () => {
	/** Refused after so many in a second, and again after so many in the next. */
	function confirmed(accepted = 45, first = 50): Pace {
		const pace = taught(first, 200, 1_000);
		startsEachSecond(pace, 1_200, 1);
		for (let count = 0; count < accepted; count++) pace.accept();
		pace.hold(2_200, 1_000, 1_300);
		pace.ask(3_200);
		return pace;
	}

	it('is held for a while, and doubles within 30 seconds', () => {
		const starts = startsEachSecond(confirmed(), 3_200, 30);
		expect(Math.max(...starts.slice(0, 15))).toBeLessThanOrEqual(45);
		expect(starts[29]).toBeGreaterThan(86);
	});

	it('is held for a minute if it is the same: no other process uses the limit', () => {
		const starts = startsEachSecond(confirmed(50), 3_200, 75);
		expect(Math.max(...starts.slice(0, 55))).toBeLessThanOrEqual(50);
		expect(Math.min(...starts.slice(10, 55))).toBeGreaterThanOrEqual(48);
		expect(starts[74]).toBeGreaterThan(96);
	});

	it('stays the same after an outage if no other process uses the limit', () => {
		const pace = confirmed(50);
		const before = pace.perSecond(3_200);
		let now = 3_200;
		for (; now < 60_000; now += 4_000) {
			pace.ask(now);
			pace.hold(now + 20, 3_000, now);
		}
		pace.ask(now);
		expect(pace.perSecond(now)).toBeCloseTo(before!);
	});

	it.each([
		[5, 4.6],
		[10, 9.2],
		[20, 19.2],
		[50, 48],
	])('%i per second leave a newcomer room: it goes on at %d', (limit, next) => {
		expect(confirmed(limit, limit).perSecond(3_200)).toBeCloseTo(next);
	});

	it('is no longer held for a minute once others use up the limit', () => {
		const pace = confirmed(50);
		let now = 3_200;
		for (let refusal = 0; refusal < 8; refusal++) {
			startsEachSecond(pace, now, 1);
			pace.accept();
			pace.hold(now + 900, 1_000, now);
			now += 2_000;
		}
		const before = pace.perSecond(now)!;
		const starts = startsEachSecond(pace, now, 31);
		expect(starts[29]).toBeGreaterThan(1.9 * before);
	});

	it('does not grow while idle', () => {
		const pace = confirmed();
		pace.ask(600_000);
		expect(pace.perSecond(600_000)).toBeLessThan(50);
		expect(burst(pace, 600_001)).toBeLessThan(3);
	});

	it('is at most halved by one refusal if few requests were accepted before', () => {
		const pace = confirmed();
		const before = pace.perSecond(3_300)!;
		pace.hold(3_300, 1_000, 3_250);
		pace.ask(4_300);
		expect(pace.perSecond(4_300)! / before).toBeGreaterThan(0.49);
		expect(pace.perSecond(4_300)! / before).toBeLessThan(0.55);
	});
});

it('follows a lowered and a raised limit', () => {
	const changing = (before: number, after: number): Service => {
		const [first, second] = [slidingSecond(before), slidingSecond(after)];
		return (now) => (now < 30_000 ? first(now) : second(now));
	};
	// 30 seconds at the first limit, the rest at the second.
	const lowered = drive(changing(50, 20), 3_000);
	expect(lowered.refused / lowered.sent).toBeLessThanOrEqual(0.03);
	expect(lowered.took).toBeLessThanOrEqual((30_000 + 75_000) * 1.25);
	const raised = drive(changing(20, 50), 3_000);
	expect(raised.took).toBeLessThan(110_000);
});

describe('a rate', () => {
	/** Sends one request; returns when it started. */
	function send(pace: Pace, from: number, refusedFor?: number): number {
		let now = from;
		for (let wait = pace.ask(now); wait > 0; wait = pace.ask(now)) now += wait;
		if (refusedFor === undefined) pace.accept();
		else pace.hold(now, refusedFor, now);
		return now;
	}

	it('does not grow while less than half of it is used, for days', () => {
		const pace = taught(10, 1_000, 1_000);
		let now = send(pace, 2_000, 1_000);
		for (let minute = 0; minute < 4_320; minute++) now = send(pace, now + 60_000);
		expect(pace.perSecond(now)).toBeLessThanOrEqual(10);
		now = send(pace, now, 1_000);
		for (let count = 0; count < 20; count++) now = send(pace, now);
		expect(pace.perSecond(now)).toBeGreaterThan(1);
	});

	it.each([
		['the first refusal', 0, 1_000],
		['a quota', 5, 60_000],
	])(
		'is never below one request in ten seconds: %s after an hour of outage',
		(_what, accepted, wait) => {
			const pace = taught(accepted, 3_600_000, wait);
			pace.ask(3_600_000 + wait);
			expect(pace.perSecond(3_600_000 + wait)).toBeCloseTo(0.1);
		},
	);

	it('stays known after a quota and another refusal', () => {
		const pace = taught(6, 1_000, 5_000);
		let now = 6_000;
		for (let second = 0; second < 20; second++) now = send(pace, now + 1_000);
		now = send(pace, now, 1_000);
		now = send(pace, now);
		expect(pace.perSecond(now)).toBeGreaterThan(0.5);
	});

	it('is always a number, and lets the next request start within 20 s after a pause', () => {
		const steps = fc.array(
			fc.record({
				gap: fc.oneof(fc.integer({ max: 50, min: 0 }), fc.integer({ max: 3_600_000, min: 0 })),
				times: fc.integer({ max: 100, min: 1 }),
				refusedFor: fc.option(fc.integer({ max: 120_000, min: 0 }), { nil: undefined }),
			}),
			{ maxLength: 40 },
		);
		fc.assert(
			fc.property(steps, (list) => {
				const pace = new Pace(() => 0.5);
				let now = 0;
				for (const { gap, times, refusedFor } of list) {
					for (let count = 0; count < times; count++) now = send(pace, now + gap);
					now = send(pace, now, refusedFor);
					const again = now + (refusedFor ?? 0);
					now = send(pace, again);
					expect(now - again).toBeLessThan(20_000);
					const rate = pace.perSecond(now);
					if (rate !== undefined) expect(rate).toBeGreaterThan(0);
					if (rate !== undefined) expect(rate).toBeLessThan(Infinity);
				}
			}),
			{ numRuns: 50, seed: 1 },
		);
	});
});
