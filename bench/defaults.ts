import type { Report } from '../n8n/report';
import type { Bench, Run } from './bench';
import type { CandidateKey } from './candidates';
import type { Scope } from './options';
import { chosen, delaying, inRounds, line, type Runs } from './runs';

export interface DefaultsResult {
	/** The runs that add rows, by the service's response time. */
	adds: Array<{ delay: number; runs: Runs }>;
	/** The runs that create jobs. */
	jobs: { delay: number; runs: Runs };
}

const ADDS: CandidateKey[] = ['a0', 'b0', 'c0', 'd2'];
const JOBS: CandidateKey[] = ['j', 'h'];
const DELAYS = [0, 5, 50, 200];
const ROWS = 1000;
const JOB_ROWS = 200;
const JOB_DELAY = 200;
/** Fewer rounds, because there are many of these runs. */
const ROUNDS = 3;

/**
 * Measures rows and jobs with no option set, against a service without a limit. Each run uses a new
 * account.
 * @param rows the maximum, for a trial
 */
export async function measureDefaults(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<DefaultsResult | undefined> {
	const [adding, creating] = [chosen(ADDS, only), chosen(JOBS, only)];
	if (adding.length + creating.length === 0) return undefined;
	await bench.restartN8n();
	const measure = async (keys: CandidateKey[], delay: number, size: number) => {
		report(`Defaults: ${size} rows, the service responds after ${delay} ms`);
		const reset = { faults: delaying(delay), record: true, newKey: true };
		const run = async (key: CandidateKey) => await bench.run(key, size, reset);
		const shown = (key: CandidateKey, result: Run) =>
			`${line(key, result)}, most in flight ${result.mostInFlight}`;
		return { delay, runs: await inRounds(Math.min(rounds, ROUNDS), keys, run, report, shown) };
	};
	const [adds, jobs] = [Math.min(rows, ROWS), Math.min(rows, JOB_ROWS)];
	await bench.warmUp(adding, adds);
	const result: DefaultsResult['adds'] = [];
	for (const delay of DELAYS) result.push(await measure(adding, delay, adds));
	await bench.warmUp(creating, jobs);
	return { adds: result, jobs: await measure(creating, JOB_DELAY, jobs) };
}
