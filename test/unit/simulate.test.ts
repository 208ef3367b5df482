import { burst, type Burst } from '../../bench/simulate/burst';
import { Events } from '../../bench/simulate/events';
import { LIMITERS, type LimiterKind } from '../../bench/simulate/limiters';
import { share, type Sharing } from '../../bench/simulate/sharing';

const KINDS = Object.keys(LIMITERS) as LimiterKind[];

it('the virtual clock runs events in the order of their times, then of scheduling', () => {
	const events = new Events();
	const order: string[] = [];
	for (const [at, name] of [
		[3, 'c'],
		[1, 'a'],
		[2, 'b'],
		[1, 'a2'],
	] as const) {
		events.plan(at, () => order.push(name));
	}
	events.plan(1, (now) => events.plan(now, () => order.push('a3')));
	events.runUntil(3);
	expect(order).toEqual(['a', 'a2', 'a3', 'b']);
});

describe.each(KINDS)('a limit of 10 a second, %s', (kind) => {
	it('is enforced exactly', () => {
		const limiter = LIMITERS[kind](10);
		let taken = 0;
		for (let now = 0; now < 120_000; now += 10) if (limiter.take(now) === 0) taken += 1;
		expect(taken).toBeGreaterThanOrEqual(1_200);
		expect(taken).toBeLessThanOrEqual(1_200 + 100);
	});

	it('returns when it accepts the next request', () => {
		const limiter = LIMITERS[kind](10);
		let wait = 0;
		while (wait === 0) wait = limiter.take(5);
		expect(limiter.take(5 + wait - 1)).toBeGreaterThan(0);
		expect(limiter.take(5 + wait)).toBe(0);
	});
});

describe.each(KINDS)('processes that share a limit, %s', (limiter) => {
	const sharing = (options: Partial<Sharing>) =>
		share({ limiter, processes: 4, perProcess: 5, retryAfter: true, seed: 1, ...options });

	it('are deterministic with the same seed', () => {
		expect(sharing({})).toEqual(sharing({}));
	});

	it.each([
		[2, 20],
		[4, 5],
		[16, 5],
		[16, 20],
	])('%i of them, %i per second each, meet the targets', (processes, perProcess) => {
		for (const seed of [1, 2]) {
			const result = sharing({ processes, perProcess, seed });
			expect(result.failed).toBe(0);
			expect(result.used).toBeGreaterThan(0.8);
			expect(result.refused).toBeLessThan(0.05);
			expect(result.fairness).toBeGreaterThan(0.8);
			expect(result.doubling).toBeLessThan(45);
		}
	});

	it('one of them, at 50 per second, uses nearly all of it', () => {
		const result = sharing({ processes: 1, perProcess: 50, isEven: true });
		expect(result.used).toBeGreaterThan(limiter === 'sliding window of 1 s' ? 0.93 : 0.99);
		expect(result.refused).toBeLessThan(0.006);
	});
});

describe.each(['bucket, burst of 1 s', 'sliding window of 1 s'] as const)(
	'few of many requests at once are refused to an unknown account, %s',
	(limiter) => {
		it.each<Omit<Burst, 'limiter' | 'seed'>>([
			{ requests: 100, kind: 'jobs', perSecond: 5, retryAfter: 'seconds' },
			{ requests: 100, kind: 'jobs', perSecond: 5, retryAfter: 'date' },
			{ requests: 100, kind: 'jobs', perSecond: 5, retryAfter: 'none' },
			{ requests: 400, kind: 'jobs', perSecond: 20, retryAfter: 'none' },
			{ requests: 200, kind: 'others', perSecond: 20, retryAfter: 'seconds', latency: 5 },
		])('%j', (options) => {
			for (let seed = 0; seed < 50; seed++) {
				const { took, refused } = burst({ ...options, limiter, seed });
				expect(took).toBeLessThan(1.35 * (options.requests / options.perSecond));
				expect(refused).toBeLessThanOrEqual(0.05);
			}
		});
	},
);
