import type { Report } from '../n8n/report';
import type { FaultRule } from '../sandbox';
import { Bench } from './bench';
import type { CandidateKey } from './candidates';
import { observe } from './hook';
import { queueMode } from './hosting';
import type { Scope } from './options';
import { chosen, delaying, inRounds, line, note, rotated, type Runs } from './runs';
import type { Reset } from './sandboxProcess';

export interface SpeedResult {
	delay: number;
	rows: number;
	runs: Runs;
}

export interface LimitResult {
	perSecond: number;
	runs: Runs;
}

export interface GrowthResult {
	delay: number;
	/** The runs of every size, by candidate. */
	runs: Runs;
	/** The peak heap after garbage collection at the largest size, in MB, by candidate. */
	inUse: Map<CandidateKey, number>;
}

const SPEED: CandidateKey[] = ['a', 'b', 'c', 'd', 'd2', 'e'];
const LIMIT: CandidateKey[] = ['a', 'b', 'd', 'd3'];
const GROWTH: CandidateKey[] = ['a', 'b', 'd', 'n'];

const PER_SECOND = 50;
const GROWTH_DELAY = 5;
/** Fewer rounds, because each run restarts n8n. */
const GROWTH_ROUNDS = 3;
const QUEUE_DELAY = 5;
const QUEUE_ROUNDS = 3;

/**
 * Measures how long the rows take; every round runs every candidate.
 * @returns undefined when none of the candidates was chosen
 */
export async function measureSpeed(
	bench: Bench,
	{ rows, rounds, delay, only }: Scope & { delay: number },
	report: Report,
): Promise<SpeedResult | undefined> {
	if (chosen(SPEED, only).length === 0) return undefined;
	report(`Speed: ${rows} rows, ${rounds} rounds, the service responds after ${delay} ms`);
	await bench.restartN8n();
	const keys = chosen(SPEED, only);
	const reset = { faults: delaying(delay) };
	await bench.warmUp(keys, rows, reset);
	const run = async (key: CandidateKey) => await bench.run(key, rows, reset);
	return { delay, rows, runs: await inRounds(rounds, keys, run, report) };
}

/** The same in queue mode, where a worker runs the rows and PostgreSQL stores the executions. */
export async function measureQueue(
	{ rows, rounds, only }: Scope,
	report: Report,
	opened: (bench: Bench) => void,
): Promise<SpeedResult | undefined> {
	report('Queue mode: Redis, PostgreSQL, n8n and one worker');
	const bench = await Bench.open(report, queueMode);
	opened(bench);
	const few = Math.min(rounds, QUEUE_ROUNDS);
	return await measureSpeed(bench, { rows, rounds: few, delay: QUEUE_DELAY, only }, report);
}

/** Measures how the candidates cope with a rate limit. Each run uses a new account. */
export async function measureLimit(
	bench: Bench,
	{ rows, only }: Scope,
	report: Report,
): Promise<LimitResult | undefined> {
	if (chosen(LIMIT, only).length === 0) return undefined;
	report(`Rate limit: ${rows} rows, the service accepts ${PER_SECOND} requests per second`);
	await bench.restartN8n();
	const keys = chosen(LIMIT, only);
	await bench.warmUp(keys, rows);
	const runs: Runs = new Map();
	for (const key of keys) {
		const faults: FaultRule[] = [{ fault: { kind: 'rateLimit', perSecond: PER_SECOND } }];
		const run = await bench.run(key, rows, { faults, newKey: true });
		note(runs, key, run);
		report(`  ${line(key, run)}`);
	}
	return { perSecond: PER_SECOND, runs };
}

/**
 * Measures how time and memory grow with the rows. n8n is restarted and warmed up for every run, so
 * that memory left by earlier runs does not count.
 */
export async function measureGrowth(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<GrowthResult | undefined> {
	if (chosen(GROWTH, only).length === 0) return undefined;
	const sizes = [Math.ceil(rows / 5), rows, rows * 4];
	report(`Growth: ${sizes.join(', ')} rows, the service responds after ${GROWTH_DELAY} ms`);
	// The rows alone are the baseline for the memory.
	const keys = chosen(GROWTH, [...only, 'n']);
	const reset = { faults: delaying(GROWTH_DELAY) };
	const runs: Runs = new Map();
	for (let round = 0; round < Math.min(rounds, GROWTH_ROUNDS); round++) {
		for (const size of sizes) {
			for (const key of rotated(keys, round)) {
				await bench.restartN8n();
				await bench.warmUp([key], size, reset);
				const run = await bench.run(key, size, reset);
				note(runs, key, run);
				report(`  round ${round + 1} ${line(key, run)}`);
			}
		}
	}
	const inUse = new Map<CandidateKey, number>();
	for (const key of keys) {
		const mb = await measureInUse(bench, key, Math.max(...sizes), reset);
		inUse.set(key, mb);
		report(`  (${key}) has ${Math.round(mb)} MB in use at ${Math.max(...sizes)} rows`);
	}
	return { delay: GROWTH_DELAY, runs, inUse };
}

/** The duration of such a run is ignored: garbage collection takes most of it. */
async function measureInUse(
	bench: Bench,
	key: CandidateKey,
	rows: number,
	reset: Reset,
): Promise<number> {
	const seen = await observe(
		bench,
		{ script: 'memoryHook.ts', variable: 'BENCH_MEMORY' },
		async (begin) => {
			await bench.warmUp([key], rows, reset);
			begin();
			await bench.run(key, rows, reset);
		},
	);
	return Number(seen);
}
