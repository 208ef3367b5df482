import { RunLimit } from '../../nodes/shared/pacing/runLimit';

/** Waits until a start is allowed, which takes at most one wait. */
function startOf(limit: RunLimit, now: number): number {
	const start = now + limit.waitLeft(now);
	if (limit.waitLeft(start) > 0) throw new Error('One wait is not enough');
	limit.started(start);
	return start;
}

/** When each task starts, in milliseconds, if it waits as told. */
function startsOf(count: number, size: number, interval: number): number[] {
	const limit = new RunLimit({ batching: { size, interval } });
	let now = 0;
	return Array.from({ length: count }, () => {
		now = startOf(limit, now);
		return now;
	});
}

describe('"Concurrency"', () => {
	it('is how many requests are in flight', () => {
		const limit = new RunLimit({ concurrency: 2 });
		limit.started(0);
		expect(limit.waitLeft(0)).toBe(0);
		limit.started(0);
		expect(limit.waitLeft(60_000)).toBe(Infinity);
		limit.ended();
		expect(limit.waitLeft(60_000)).toBe(0);
	});

	it('applies besides "Batching"', () => {
		const limit = new RunLimit({ concurrency: 1, batching: { size: 1, interval: 1_000 } });
		limit.started(0);
		expect(limit.waitLeft(2_000)).toBe(Infinity);
		limit.ended();
		expect(limit.waitLeft(400)).toBe(600);
	});
});

describe('"Batching"', () => {
	it.each([
		[1, [0, 1_000, 2_000, 3_000, 4_000]],
		[2, [0, 0, 1_000, 1_000, 2_000]],
		[5, [0, 0, 0, 0, 0]],
		[50, [0, 0, 0, 0, 0]],
	])('a batch size of %i starts this many together', (size, starts) => {
		expect(startsOf(5, size, 1_000)).toEqual(starts);
	});

	it('measures the interval from the first start of a batch, even if it was not full', () => {
		const limit = new RunLimit({ batching: { size: 3, interval: 1_000 } });
		for (const now of [0, 900, 1_100, 1_100, 1_100]) {
			expect(limit.waitLeft(now)).toBe(0);
			limit.started(now);
		}
		expect(limit.waitLeft(1_100)).toBe(1_000);
	});
});
