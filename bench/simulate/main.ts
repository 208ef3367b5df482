import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../figures';
import { formatted } from '../formatted';
import { afterOutage, burst } from './burst';
import {
	besideFailing,
	besideRefused,
	bothBusy,
	bothFailing,
	bothLasting,
	SHARED_LIMITS,
	type FailingLane,
} from './lanes';
import { LIMITERS, RETRY_AFTER, type LimiterKind, type RetryAfter } from './limiters';
import { share, type SharingResult } from './sharing';
import { race } from './speed';

const USAGE = `npm run simulate [-- --seeds 1,2,3]

Simulates n8n processes that share the limit of a service, and the automatic limit of requests in flight, in
virtual time. Prints one table, and writes it to bench/SIMULATION.md. A seed takes about half a minute.`;

const FILE = join(__dirname, '..', 'SIMULATION.md');

const FLEETS = [2, 4, 8, 16];
const RATES = [1, 2, 5, 20, 50];
const SHORT_MEMORY: LimiterKind[] = ['bucket, burst of 1 s', 'sliding window of 1 s'];

/** A line of the table: one number for each run. */
interface Row {
	outcome: string;
	values: number[];
	/** Whether a higher number is better. */
	isMore?: boolean;
	unit?: string;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { seeds: { type: 'string', default: '1,2,3' }, help: { type: 'boolean' } },
	});
	const seeds = values.seeds.split(',').map(Number);
	if (values.help || seeds.some((seed) => !Number.isSafeInteger(seed))) return console.log(USAGE);
	const rows = [sharing, bursts, speed, refusedLanes, failingLanes, sharedLimits].flatMap((of) =>
		of(seeds),
	);
	const table = await formatted(
		[
			'| outcome | runs | worst | median |',
			'| --- | ---: | ---: | ---: |',
			...rows.map(lineOf),
		].join('\n'),
	);
	console.log(table);
	await writeFile(FILE, await formatted(pageOf(seeds, table)));
	console.log(`Written to ${relative('.', FILE)}`);
}

function sharing(seeds: number[]): Row[] {
	const all = (processes: number[]) =>
		seeds.flatMap((seed) =>
			(Object.keys(LIMITERS) as LimiterKind[]).flatMap((limiter) =>
				[true, false]
					.filter((retryAfter) => retryAfter || limiter !== 'fixed minute')
					.flatMap((retryAfter) =>
						processes.flatMap((count) =>
							RATES.map((perProcess) =>
								share({ limiter, retryAfter, processes: count, perProcess, seed }),
							),
						),
					),
			),
		);
	const fleets = all(FLEETS);
	const alone = all([1]);
	const slow = ({ perProcess }: SharingResult) => perProcess <= 2;
	const fast = (result: SharingResult) => !slow(result);
	const isMinute = ({ limiter }: SharingResult) => limiter === 'fixed minute';
	const perSecond = alone.filter((result) => !isMinute(result));
	const used = (outcome: string, results: SharingResult[]): Row => ({
		outcome: `${outcome}: used`,
		values: results.map((result) => 100 * result.used),
		isMore: true,
		unit: ' %',
	});
	const refused = (outcome: string, results: SharingResult[]): Row => ({
		outcome: `${outcome}: refused`,
		values: results.map((result) => 100 * result.refused),
		unit: ' %',
	});
	return [
		{
			outcome: 'requests that give up, 1 to 16 processes',
			values: [...fleets, ...alone].map(({ failed }) => failed),
		},
		used('2 to 16 processes', fleets),
		refused('2 to 16 processes, 1 to 2 per second each', fleets.filter(slow)),
		refused('2 to 16 processes, 5 to 50 per second each', fleets.filter(fast)),
		{
			outcome: '2 to 16 processes: Jain’s fairness index',
			values: fleets.map(({ fairness }) => fairness),
			isMore: true,
		},
		{
			outcome: 'the last process has doubled its rate after',
			values: fleets.map(({ doubling = 0 }) => doubling),
			unit: ' s',
		},
		...[used, refused].map((row) => row('one process, 5 to 50 per second', perSecond.filter(fast))),
		...[used, refused].map((row) => row('one process, 1 to 2 per second', perSecond.filter(slow))),
		...[used, refused].map((row) => row('one process, fixed minute', alone.filter(isMinute))),
	];
}

function bursts(seeds: number[]): Row[] {
	const rows: Row[] = [
		[20, 2],
		[100, 5],
		[200, 5],
		[400, 20],
	].map(([requests = 0, perSecond = 0]) => ({
		outcome: `${requests} jobs at once, ${perSecond} per second (${requests / perSecond} s by the limit)`,
		values: seeds.flatMap((seed) =>
			SHORT_MEMORY.flatMap((limiter) =>
				(Object.keys(RETRY_AFTER) as RetryAfter[]).map(
					(retryAfter) =>
						burst({ limiter, perSecond, requests, kind: 'jobs', retryAfter, seed }).took,
				),
			),
		),
		unit: ' s',
	}));
	return rows.concat(
		[0, 600].map((outage) => ({
			outcome: `10 jobs at 1 per second, after an outage of ${outage} runs`,
			values: seeds.flatMap((seed) =>
				(Object.keys(RETRY_AFTER) as RetryAfter[]).map((retryAfter) =>
					afterOutage(outage, retryAfter, seed),
				),
			),
			unit: ' s',
		})),
	);
}

function speed(seeds: number[]): Row[] {
	const adds = { requests: 1_000, kind: 'others' } as const;
	const capacity = { workers: 8, each: 20 };
	const limited = [1, 10, 50].flatMap((latency) =>
		seeds.map((seed) => race({ ...adds, requests: 3_000, latency, capacity, seed })),
	);
	return [
		...[0, 5, 50, 200].flatMap((latency) => {
			const results = seeds.map((seed) => race({ ...adds, latency, seed }));
			const outcome = `1,000 adds, ${latency} ms, nothing set`;
			return [
				{ outcome, values: results.map(({ took }) => took), unit: ' s' },
				{
					outcome: `${outcome}, relative to as many at once as it allows`,
					values: results.map(({ took, tookWithMost }) => took / tookWithMost),
				},
			];
		}),
		{
			outcome: '200 jobs, 200 ms, nothing set',
			values: seeds.map((seed) => race({ requests: 200, kind: 'jobs', latency: 200, seed }).took),
			unit: ' s',
		},
		{
			outcome: 'a service of 8 x 20 ms: throughput',
			values: limited.map(({ requests, took }) => (100 * requests) / took / 400),
			isMore: true,
			unit: ' %',
		},
		{
			outcome: 'a service of 8 x 20 ms: typical response, relative to an idle one’s',
			values: limited.map(
				({ typicalAnswer, latency }) => typicalAnswer / (capacity.each + latency),
			),
		},
	];
}

function refusedLanes(seeds: number[]): Row[] {
	const kinds: Array<[requests: number, inOneRun: boolean]> = [
		[1, true],
		[8, true],
		[100, true],
		[100, false],
	];
	return (['jobs', 'others'] as const).flatMap((lane) => {
		const results = seeds.flatMap((seed) =>
			kinds.map(([requests, inOneRun]) => besideRefused({ lane, requests, inOneRun, seed })),
		);
		const [what, beside] = lane === 'jobs' ? ['jobs', '400 adds'] : ['adds', '20 jobs'];
		const outcome = `1 to 100 ${what} that are always refused`;
		return [
			{
				outcome: `${outcome}: ${beside} beside them take`,
				values: results.map(({ took }) => took),
				unit: ' s',
			},
			{
				outcome: `${outcome}: give up after`,
				values: results.map(({ gaveUp }) => gaveUp),
				unit: ' s',
			},
			{
				outcome: `${outcome}: of those beside them give up`,
				values: results.map(({ failed }) => failed),
			},
		];
	});
}

function failingLanes(seeds: number[]): Row[] {
	const takes = (outcome: string, failing: Omit<FailingLane, 'at' | 'seed'>): Row => ({
		outcome,
		values: seeds.flatMap((seed) =>
			[1_000, 10_000, 60_000].map((at) => besideFailing({ ...failing, at, seed })),
		),
		unit: ' s',
	});
	return [
		takes('20 jobs that fail, every minute: 100 adds beside them take', {
			lane: 'jobs',
			requests: 20,
			every: 60_000,
			beside: 100,
		}),
		takes('a Usage call that fails, every 10 s: a job beside it takes', {
			lane: 'others',
			requests: 1,
			every: 10_000,
			beside: 1,
		}),
		{
			outcome: 'jobs and adds fail: both give up after',
			values: seeds.map(bothFailing),
			unit: ' s',
		},
	];
}

function sharedLimits(seeds: number[]): Row[] {
	return [1, 2, 5, 10].flatMap((perSecond) => {
		const each = seeds.flatMap((seed) =>
			Object.keys(SHARED_LIMITS).flatMap((limit) =>
				[true, false].map((retryAfter) => ({ limit, perSecond, retryAfter, seed })),
			),
		);
		const [busy, lasting] = [each.map(bothBusy), each.map(bothLasting)];
		const outcome = `one limit of ${perSecond} per second for both lanes`;
		return [
			{
				outcome: `${outcome}, 100 jobs and 400 adds: relative to the limit’s time`,
				values: busy.map(({ time }) => time),
			},
			{
				outcome: `${outcome}, 100 jobs and 400 adds: refused`,
				values: busy.map(({ refused }) => 100 * refused),
				unit: ' %',
			},
			{
				outcome: `${outcome}, work without end: used`,
				values: lasting.map(({ used }) => 100 * used),
				isMore: true,
				unit: ' %',
			},
			{
				outcome: `${outcome}: give up`,
				values: [...busy, ...lasting].map(({ failed }) => failed),
			},
		];
	});
}

function lineOf({ outcome, values, isMore = false, unit = '' }: Row): string {
	const worst = isMore ? Math.min(...values) : Math.max(...values);
	const shown = (value: number) =>
		`${value.toFixed(value < 10 ? 2 : 1).replace(/\.?0+$/, '')}${unit}`;
	return `| ${outcome} | ${values.length} | ${shown(worst)} | ${shown(median(values))} |`;
}

function pageOf(seeds: number[], table: string): string {
	return `# Simulation: shared limits and requests in flight

Written by \`npm run simulate -- --seeds ${seeds.join(',')}\`, in virtual time, so the results are the same on
every machine. Everything that decides when a request starts, waits or gives up is the node’s own
(\`nodes/shared/account\`). The n8n processes and the service are simulated: a main thread that spends 1.5 ms
on each request and sometimes 50 ms on garbage collection, late timers, responses after 20 to 200 ms, and a
limit by token bucket (a burst of 1 or 10 s), sliding window or fixed minute, with and without
\`Retry-After\`. Processes that share a limit start within 20 s and have work for four minutes; then all but
one stop. The limits for both lanes of an account are a token bucket, a sliding window and a fixed window, each of
a second.

${table}
`;
}

void main();
