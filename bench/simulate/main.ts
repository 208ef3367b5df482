import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formatted } from '../formatted';
import { burst, type BurstResult } from './burst';
import { LIMITERS, type LimiterKind, type RetryAfter } from './limiters';
import { arrive, type NewcomerResult } from './newcomer';
import { misses, page, PROCESSES, RATES } from './page';
import { share, type Sharing, type SharingResult } from './sharing';
import { race, type Speed } from './speed';

const USAGE = `npm run simulate [-- --seeds 5]

Simulates n8n processes that share the limit of a service, and the automatic limit of requests in flight.
Writes bench/SIMULATION.md; takes about 20 s per seed, of which there are three by default.`;

const FILE = join(__dirname, '..', 'SIMULATION.md');

const ADDS = { kind: 'others' } as const;
const JOBS = { kind: 'jobs' } as const;
const EIGHT = { workers: 8, each: 20 };

const SPEEDS: Array<Omit<Speed, 'name' | 'seed'>> = [
	...[0, 5, 50, 200].map((latency) => ({ requests: 1_000, latency, ...ADDS })),
	...[5, 200].map((latency) => ({ requests: 200, latency, ...JOBS })),
	...[1, 10, 50].map((latency) => ({ requests: 3_000, latency, capacity: EIGHT, ...ADDS })),
	{ requests: 20_000, latency: 1, capacity: EIGHT, ...ADDS },
	{ requests: 20_000, latency: 50, ...ADDS },
	{ requests: 2_000, latency: 1, capacity: { workers: 1, each: 20 }, ...ADDS },
];

/** Jobs, and how many a second the service takes. */
const BURSTS: Array<[jobs: number, perSecond: number]> = [
	[20, 2],
	[100, 5],
	[200, 5],
	[400, 20],
];
const SHORT_MEMORY = ['bucket, burst of 1 s', 'sliding window of 1 s'] as const;
const FORMS: RetryAfter[] = ['seconds', 'date', 'none'];
/** Those of one process or two are quick, and a long wait may be rare. */
const MANY_SEEDS = 100;

async function main(): Promise<void> {
	const [option, number = '3', ...rest] = process.argv.slice(2);
	if ((option !== undefined && option !== '--seeds') || !/^[1-9]\d*$/.test(number) || rest.length) {
		console.log(USAGE);
		return;
	}
	const seeds = Array.from({ length: Number(number) }, (_, index) => index + 1);
	const each = <T>(simulate: (seed: number) => T[]) => seeds.flatMap(simulate);
	const simulated = {
		command: `npm run simulate${option ? ` -- --seeds ${number}` : ''}`,
		seeds,
		sharing: each((seed) => shareAll(PROCESSES, { seed })),
		alone: each((seed) => shareAll([1], { seed, isEven: true })),
		bursts: Array.from({ length: MANY_SEEDS }, (_, seed) => bursts(seed)).flat(),
		newcomers: Array.from({ length: MANY_SEEDS }, (_, seed) => newcomers(seed)).flat(),
		speed: each((seed) => SPEEDS.map((speed, name) => race({ ...speed, name, seed }))),
	};
	const text = page(simulated);
	await writeFile(FILE, await formatted(text));
	const missing = simulated.sharing.filter((result) => misses(result).length > 0);
	console.log(text.slice(0, text.indexOf('## Every rate')));
	console.log(`${missing.length} of ${simulated.sharing.length} runs miss a target.`);
	console.log(`Written to ${relative('.', FILE)}`);
}

function bursts(seed: number): BurstResult[] {
	return BURSTS.flatMap(([requests, perSecond]) =>
		SHORT_MEMORY.flatMap((limiter) =>
			FORMS.map((retryAfter) =>
				burst({ limiter, perSecond, requests, kind: 'jobs', retryAfter, seed }),
			),
		),
	);
}

function newcomers(seed: number): NewcomerResult[] {
	return SHORT_MEMORY.flatMap((limiter) =>
		RATES.map((perSecond) => arrive({ limiter, perSecond, retryAfter: seed % 2 === 0, seed })),
	);
}

function shareAll(counts: number[], options: Pick<Sharing, 'seed' | 'isEven'>): SharingResult[] {
	return (Object.keys(LIMITERS) as LimiterKind[]).flatMap((limiter) =>
		[true, false]
			.filter((retryAfter) => retryAfter || limiter !== 'fixed minute')
			.flatMap((retryAfter) =>
				counts.flatMap((processes) =>
					RATES.map((perProcess) =>
						share({ limiter, retryAfter, processes, perProcess, ...options }),
					),
				),
			),
	);
}

void main();
