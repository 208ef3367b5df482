import { burst } from '../../bench/simulate/burst';
import { bothBusy, SHARED_LIMITS } from '../../bench/simulate/lanes';
import { LIMITERS, type LimiterKind } from '../../bench/simulate/limiters';
import { share } from '../../bench/simulate/sharing';
import { race } from '../../bench/simulate/speed';

const KINDS = Object.keys(LIMITERS) as LimiterKind[];

it.each(KINDS)('a limit of 10 a second is enforced exactly: %s', (kind) => {
	const limiter = LIMITERS[kind](10);
	let taken = 0;
	for (let now = 0; now < 120_000; now += 10) if (limiter.take(now) === 0) taken += 1;
	expect(taken).toBeGreaterThanOrEqual(1_200);
	// A full bucket at the start.
	expect(taken).toBeLessThanOrEqual(1_200 + 100);
});

describe.each(KINDS)('processes that share a limit, %s', (limiter) => {
	it('get the same results with the same seed', () => {
		const options = { limiter, processes: 2, perProcess: 5, retryAfter: true, seed: 1 };
		expect(share(options)).toEqual(share(options));
	});

	it.each([
		[1, 50],
		[4, 5],
		[16, 5],
	])('%i of them, %i per second each, use most of it fairly, and none fails', (processes, each) => {
		const result = share({ limiter, processes, perProcess: each, retryAfter: true, seed: 1 });
		expect(result.failed).toBe(0);
		expect(result.used).toBeGreaterThan(0.8);
		expect(result.refused).toBeLessThan(0.2);
		expect(result.fairness).toBeGreaterThan(0.7);
	});
});

it.each(['seconds', 'date', 'none'] as const)(
	'100 jobs at once take little longer than the limit allows (Retry-After: %s)',
	(retryAfter) => {
		const limiter = 'sliding window of 1 s';
		const options = { requests: 100, kind: 'jobs', perSecond: 5, retryAfter, limiter } as const;
		for (const seed of [1, 2, 3]) expect(burst({ ...options, seed }).took).toBeLessThan(30);
	},
);

it.each([
	['others', 1_000, 200, 6.15],
	['jobs', 200, 200, 8],
] as const)(
	'with nothing set, %s: %i at %i ms take less than %d s',
	(kind, requests, latency, most) => {
		expect(race({ kind, requests, latency, seed: 1 }).took).toBeLessThan(most);
	},
);

it('a service that handles 8 at a time is used well, without a long queue', () => {
	const capacity = { workers: 8, each: 20 };
	const speed = { kind: 'others', requests: 3_000, latency: 10, seed: 1 } as const;
	const { took, typicalAnswer } = race({ ...speed, capacity });
	expect(3_000 / took).toBeGreaterThan(0.85 * 400);
	expect(typicalAnswer).toBeLessThan(3 * (10 + 20));
});

it.each(Object.keys(SHARED_LIMITS))('lanes that share a limit make nobody give up: %s', (limit) => {
	expect(bothBusy({ limit, perSecond: 5, retryAfter: false, seed: 1 })).toMatchObject({
		failed: 0,
	});
});
