import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import type { Scope } from '../options';
import { chosen, delaying, inRounds } from '../runs';
import { printRuns } from '../table';

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
 * account. `rows` is the maximum, for a trial.
 */
export async function measureDefaults(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<void> {
	const [adding, creating] = [chosen(ADDS, only), chosen(JOBS, only)];
	if (adding.length + creating.length === 0) return;
	await bench.restartN8n();
	const measure = async (keys: CandidateKey[], delay: number, size: number) => {
		if (keys.length === 0) return;
		const title = `Defaults: ${size} rows, the service responds after ${delay} ms`;
		report(title);
		const reset = { faults: delaying(delay), record: true, newKey: true };
		const run = async (key: CandidateKey) => await bench.run(key, size, reset);
		const counted = Math.min(rounds, ROUNDS);
		const runs = await inRounds(counted, keys, run, report);
		report(`${title}, rounds: ${counted}`);
		printRuns(runs);
	};
	const [addRows, jobRows] = [Math.min(rows, ROWS), Math.min(rows, JOB_ROWS)];
	await bench.warmUp(adding, addRows);
	for (const delay of DELAYS) await measure(adding, delay, addRows);
	await bench.warmUp(creating, jobRows);
	await measure(creating, JOB_DELAY, jobRows);
}
