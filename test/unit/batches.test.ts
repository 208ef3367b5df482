import fc from 'fast-check';

import { Batches } from '../../nodes/BusinessListingSearch/run/batches';

/** Waits until a start is allowed, which takes at most one wait. */
function startOf(batches: Batches, now: number): number {
	const start = now + batches.wait(now);
	if (batches.wait(start) > 0) throw new Error('One wait is not enough');
	batches.start(start);
	return start;
}

/** When each task starts, in milliseconds, if it waits as told. */
function startsOf(count: number, size: number, interval: number, from = 0): number[] {
	const batches = new Batches(size, interval);
	let now = from;
	return Array.from({ length: count }, () => {
		now = startOf(batches, now);
		return now;
	});
}

it.each([
	[1, [0, 1_000, 2_000, 3_000, 4_000]],
	[2, [0, 0, 1_000, 1_000, 2_000]],
	[5, [0, 0, 0, 0, 0]],
	[50, [0, 0, 0, 0, 0]],
])('a batch size of %i starts this many together', (size, starts) => {
	expect(startsOf(5, size, 1_000)).toEqual(starts);
});

it('starts the first batch at once', () => {
	for (const now of [0, 5, 1_700_000_000_000]) expect(new Batches(1, 1_000).wait(now)).toBe(0);
});

it('returns how long to wait, and does not count that as a start', () => {
	const batches = new Batches(2, 1_000);
	expect([0, 0, 0].map((now) => batches.wait(now))).toEqual([0, 0, 0]);
	batches.start(0);
	batches.start(300);
	expect([300, 999, 1_000].map((now) => batches.wait(now))).toEqual([700, 1, 0]);
});

it('counts from when a request really started', () => {
	const batches = new Batches(1, 1_000);
	expect(batches.wait(0)).toBe(0);
	batches.start(5_000);
	expect(batches.wait(5_000)).toBe(1_000);
});

it('measures the interval from the first start of a batch, even if it was not full', () => {
	const batches = new Batches(3, 1_000);
	for (const now of [0, 900, 1_100, 1_100, 1_100]) {
		expect(batches.wait(now)).toBe(0);
		batches.start(now);
	}
	expect(batches.wait(1_100)).toBe(1_000);
});

it('never starts more than a batch within an interval or waits longer than one', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 20 }),
			fc.integer({ min: 1, max: 5_000 }),
			fc.array(fc.nat(3_000), { minLength: 1, maxLength: 60 }),
			(size, interval, pauses) => {
				const batches = new Batches(size, interval);
				let longestWait = 0;
				let now = 0;
				const starts = pauses.map((pause) => {
					now += pause;
					const start = startOf(batches, now);
					longestWait = Math.max(longestWait, start - now);
					return (now = start);
				});
				expect(longestWait).toBeLessThanOrEqual(interval);
				// Consecutive batches start an interval apart.
				const apart = starts.slice(2 * size).map((start, index) => start - starts[index]!);
				expect(Math.min(Infinity, ...apart)).toBeGreaterThanOrEqual(interval);
			},
		),
	);
	expect(startsOf(100, 7, 10).at(-1)).toBe(Math.floor(99 / 7) * 10);
});
