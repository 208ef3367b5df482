import { race, type Speed } from '../../bench/simulate/speed';
import { AutomaticLimit } from '../../nodes/shared/account/automaticLimit';

type Outcome = 'accepted' | 'refused' | 'trouble';

/**
 * Keeps as many in flight as allowed, in virtual time.
 *
 * @param roundTrip of a request that starts when so many are in flight, in milliseconds
 * @returns the limit after each answer
 */
function keepBusy(
	limit: AutomaticLimit,
	answers: number,
	roundTrip: (inFlight: number) => number,
	outcome: (count: number) => Outcome = () => 'accepted',
): number[] {
	const flying: Array<{ startedAt: number; endsAt: number }> = [];
	const limits: number[] = [];
	let now = 0;
	while (limits.length < answers) {
		while (flying.length < limit.limit()) {
			limit.started(now);
			flying.push({ startedAt: now, endsAt: now + roundTrip(flying.length + 1) });
		}
		flying.sort((a, b) => a.endsAt - b.endsAt);
		const { startedAt, endsAt } = flying.shift()!;
		now = endsAt;
		limit.ended(now, outcome(limits.length + 1), startedAt);
		limits.push(limit.limit());
	}
	return limits;
}

const CONSTANT = () => 100;

describe('while more in flight bring more', () => {
	it('adds start at 5 and reach 50', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 300, CONSTANT);
		expect([...new Set(limits)]).toEqual([5, 10, 20, 40, 50]);
		expect(limits.indexOf(50)).toBeLessThan(200);
	});

	it('the first eight jobs go one by one, and there are never more than 10', () => {
		const limits = keepBusy(new AutomaticLimit(1, 10), 300, CONSTANT);
		expect(limits.slice(0, 8)).toEqual(Array(8).fill(1));
		expect([...new Set(limits.slice(0, limits.indexOf(10) + 1))]).toEqual([1, 2, 4, 8, 10]);
		expect(Math.max(...limits)).toBe(10);
	});
});

describe('where more in flight only wait', () => {
	/** So many are worked on at once, 20 ms each; the others queue. */
	const capacity = (workers: number) => (inFlight: number) => 20 * Math.max(1, inFlight / workers);

	it('the smallest limit is found that brings nearly the most', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 2_000, capacity(8));
		expect(Math.max(...limits)).toBe(40);
		expect(limits.at(-1)).toBeGreaterThanOrEqual(8);
		expect(limits.at(-1)).toBeLessThanOrEqual(12);
	});

	it('also when it is smaller than the start', () => {
		expect(keepBusy(new AutomaticLimit(5, 50), 3_000, capacity(1)).at(-1)).toBeLessThanOrEqual(2);
	});

	it('one in flight is not the end: more are tried again', () => {
		let workers = 1;
		const limit = new AutomaticLimit(5, 50);
		const changing = (inFlight: number) => capacity(workers)(inFlight);
		keepBusy(limit, 3_000, changing);
		workers = 20;
		expect(keepBusy(limit, 10_000, changing).at(-1)).toBeGreaterThanOrEqual(15);
	});

	it('a service that becomes able to do more is noticed', () => {
		let workers = 8;
		const limit = new AutomaticLimit(5, 50);
		const changing = (inFlight: number) => capacity(workers)(inFlight);
		expect(keepBusy(limit, 1_000, changing).at(-1)).toBeLessThanOrEqual(13);
		workers = 40;
		expect(keepBusy(limit, 20_000, changing).at(-1)).toBeGreaterThanOrEqual(30);
	});
});

describe('rounds that say nothing', () => {
	it('those that did not use the limit', () => {
		const limit = new AutomaticLimit(5, 50);
		for (let count = 0; count < 500; count++) {
			limit.started(20 * count);
			limit.ended(20 * count + 10, 'accepted', 20 * count);
		}
		expect(limit.limit()).toBe(5);
	});

	it('those with a gap in which there was nothing to send', () => {
		const limit = new AutomaticLimit(1, 10);
		let now = 0;
		for (let count = 1; count <= 100; count++) {
			limit.started(now);
			limit.ended(now + 100, 'accepted', now);
			now += count % 4 === 0 ? 3_600_000 : 101;
		}
		expect(limit.limit()).toBe(1);
	});

	it('those with a refusal in them, which is the matter of the pace', () => {
		const limits = keepBusy(new AutomaticLimit(5, 50), 500, CONSTANT, (count) =>
			count % 8 === 0 ? 'refused' : 'accepted',
		);
		expect([...new Set(limits)]).toEqual([5]);
	});
});

describe('a timeout, a 5xx or a broken connection', () => {
	it('lowers the limit to 70 %, once for all that were in flight', () => {
		const limit = new AutomaticLimit(20, 50);
		for (let count = 0; count < 20; count++) limit.started(0);
		for (let count = 0; count < 20; count++) limit.ended(100, 'trouble', 0);
		expect(limit.limit()).toBe(14);
		limit.started(200);
		limit.ended(300, 'trouble', 200);
		expect(limit.limit()).toBe(9);
	});

	it('leaves at least 1', () => {
		const limit = new AutomaticLimit(1, 10);
		for (let now = 0; now < 10; now++) {
			limit.started(now);
			limit.ended(now + 0.5, 'trouble', now);
		}
		expect(limit.limit()).toBe(1);
	});

	it('is recovered from', () => {
		const limits = keepBusy(new AutomaticLimit(20, 50), 5_000, CONSTANT, (count) =>
			count === 1 ? 'trouble' : 'accepted',
		);
		expect(limits[0]).toBe(14);
		expect(limits.at(-1)).toBeGreaterThanOrEqual(40);
	});
});

it('once a rate is known, two round trips of it are in flight, and at least 2', () => {
	const limit = new AutomaticLimit(5, 50);
	expect(limit.limit(1_000)).toBe(5);
	keepBusy(limit, 1_000, CONSTANT);
	expect(limit.limit()).toBe(50);
	expect(limit.limit(100)).toBe(20);
	expect(limit.limit(1)).toBe(2);
	expect(limit.limit(10_000)).toBe(50);
});

describe('as n8n has it: a busy main thread, late timers, uneven answers', () => {
	const ADDS = { name: 0, start: 5, most: 50 };
	const SEEDS = [1, 2, 3, 4, 5];
	const races = (speed: Omit<Speed, 'seed'>) => SEEDS.map((seed) => race({ ...speed, seed }));

	it.each([0, 5, 50])('1,000 adds at %i ms take little longer than with 50 at once', (latency) => {
		for (const { took, tookWithMost } of races({ ...ADDS, requests: 1_000, latency })) {
			expect(took).toBeLessThan(1.6 * tookWithMost);
			expect(took).toBeLessThan(3.9);
		}
	});

	it('1,000 adds at 200 ms take at most 1.5 times the 4.1 s of 75 in flight', () => {
		for (const { took, mostInFlight } of races({ ...ADDS, requests: 1_000, latency: 200 })) {
			expect(took).toBeLessThan(1.5 * 4.1);
			expect(mostInFlight).toBeLessThanOrEqual(50);
		}
	});

	it('200 jobs at 200 ms take less than 8 s, with at most 10 in flight', () => {
		const jobs = { name: 0, start: 1, most: 10, requests: 200, latency: 200 };
		for (const { took, mostInFlight } of races(jobs)) {
			expect(took).toBeLessThan(8);
			expect(mostInFlight).toBeLessThanOrEqual(10);
		}
	});

	it('a service that works on 8 at a time is busy, and answers within three times its best', () => {
		const capacity = { workers: 8, each: 20 };
		for (const latency of [1, 10]) {
			const results = races({ ...ADDS, requests: 3_000, latency, capacity });
			for (const { took, typicalAnswer } of results) {
				// 400 a second, without the time in which the limit is found.
				expect(3_000 / took).toBeGreaterThan(0.85 * 400);
				expect(typicalAnswer).toBeLessThan(3 * (latency + 20));
			}
		}
	});
});
