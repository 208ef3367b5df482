/**
 * Everything that decides when a request starts, waits or gives up is the node's own. The n8n processes, the network
 * and the service are simulated, in virtual time: each bound is a few percent above the worst figure when it was set.
 */
import { afterOutage, burst } from './simulate/burst';
import { bothBusy, bothLasting, SHARED_LIMITS } from './simulate/lanes';
import { LIMITERS, RETRY_AFTER, type LimiterKind, type RetryAfter } from './simulate/limiters';
import { share, type SharingResult } from './simulate/sharing';
import { race } from './simulate/speed';

const SEEDS = [1, 2, 3];
const KINDS = Object.keys(LIMITERS) as LimiterKind[];
const RETRY_AFTERS = Object.keys(RETRY_AFTER) as RetryAfter[];

it.each(KINDS)('a limit of 10 a second is enforced exactly: %s', (kind) => {
	const limiter = LIMITERS[kind](10);
	let taken = 0;
	for (let now = 0; now < 120_000; now += 10) if (limiter.take(now) === 0) taken += 1;
	expect(taken).toBeGreaterThanOrEqual(1_200);
	// A full bucket at the start.
	expect(taken).toBeLessThanOrEqual(1_200 + 100);
});

describe('processes that share a limit', () => {
	describe.each(KINDS)('%s', (limiter) => {
		const isMinute = limiter === 'fixed minute';

		it.each([
			// How many processes, the limit divided by their number, and what is used and refused.
			[[1], [1, 2], isMinute ? 0.99 : 0.82, isMinute ? 0.145 : 0.115],
			[[1], [5, 20, 50], isMinute ? 0.99 : 0.85, isMinute ? 0.145 : 0.042],
			[[2, 4, 8, 16], [1, 2], 0.8, 0.145],
			// More for more than two takes minutes.
			[[2, 4, 8, 16], [5], 0.8, 0.055],
			[[2], [20, 50], 0.8, 0.055],
		])(
			'%j, %j per second each: %d used, fairly, and %d refused',
			async (fleets, rates, used, refused) => {
				const results = await Promise.all(
					fleets.flatMap((processes) =>
						rates.flatMap((perProcess) =>
							(isMinute ? [true] : [true, false]).map((retryAfter) =>
								share({ limiter, processes, perProcess, retryAfter, seed: 1 }),
							),
						),
					),
				);
				const isGood = (result: SharingResult) =>
					result.failed === 0 &&
					result.used >= used &&
					result.refused <= refused &&
					result.fairness >= 0.72 &&
					(result.doubling ?? 0) <= 51;
				expect(results.filter((result) => !isGood(result))).toEqual([]);
			},
		);
	});
});

it.each([
	[20, 2, 15.5],
	[100, 5, 27.5],
	[200, 5, 50.5],
	[400, 20, 28],
])('%i jobs at once, %i per second, take at most %d s', async (requests, perSecond, most) => {
	const results = await Promise.all(
		SEEDS.flatMap((seed) =>
			(['bucket, burst of 1 s', 'sliding window of 1 s'] as const).flatMap((limiter) =>
				RETRY_AFTERS.map((retryAfter) =>
					burst({ limiter, perSecond, requests, kind: 'jobs', retryAfter, seed }),
				),
			),
		),
	);
	expect(results.filter(({ took }) => took > most)).toEqual([]);
});

it.each([0, 600])(
	'10 jobs at 1 per second, after %i runs failed, take at most 14 s',
	async (outage) => {
		const took = await Promise.all(
			SEEDS.flatMap((seed) =>
				RETRY_AFTERS.map((retryAfter) => afterOutage(outage, retryAfter, seed)),
			),
		);
		expect(Math.max(...took)).toBeLessThanOrEqual(14);
	},
);

it.each([
	['others', 1_000, 0, 1.65, 1],
	['others', 1_000, 5, 1.6, 1.03],
	['others', 1_000, 50, 1.76, 1.13],
	['others', 1_000, 200, 2.96, 1.3],
	['jobs', 200, 200, 6.8, 2],
] as const)(
	'with nothing set, %s: %i at %i ms take at most %d s, and %d times as long as with the most at once',
	async (kind, requests, latency, most, times) => {
		const results = await Promise.all(SEEDS.map((seed) => race({ kind, requests, latency, seed })));
		const slow = results.filter(
			({ took, tookWithMost }) => took > most || took / tookWithMost > times,
		);
		expect(slow).toEqual([]);
	},
);

it.each([1, 10, 50])(
	'a service of 8 x 20 ms, %i ms away, is used without a long queue',
	async (latency) => {
		const capacity = { workers: 8, each: 20 };
		const speed = { kind: 'others', requests: 3_000, latency, capacity } as const;
		for (const seed of SEEDS) {
			const { took, typicalAnswer } = await race({ ...speed, seed });
			expect(3_000 / took).toBeGreaterThan(0.95 * 400);
			expect(typicalAnswer).toBeLessThan(3.5 * (latency + 20));
		}
	},
);

describe.each(Object.keys(SHARED_LIMITS))('lanes that share a limit: %s', (limit) => {
	it.each([
		[1, 1.64, 0.225, 0.43],
		[2, 1.29, 0.066, 0.81],
		[5, 1.34, 0.051, 0.85],
		[10, 2.05, 0.04, 0.85],
	])(
		'%i per second: %d of its own time, %d refused, %d used, none gives up',
		async (perSecond, time, refused, used) => {
			const all = SEEDS.flatMap((seed) =>
				[true, false].map((retryAfter) => ({ limit, perSecond, retryAfter, seed })),
			);
			for (const options of all) {
				const [busy, lasting] = [await bothBusy(options), await bothLasting(options)];
				expect(busy.failed + lasting.failed).toBe(0);
				expect(busy.time).toBeLessThanOrEqual(time);
				expect(busy.refused).toBeLessThanOrEqual(refused);
				expect(lasting.used).toBeGreaterThanOrEqual(used);
			}
		},
	);
});
