import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { medianOf } from '../figures';
import type { Scope } from '../options';
import type { SilentRun } from '../run';
import { chosen, delaying, rotated } from '../runs';
import { printTable } from '../table';

const SILENT: CandidateKey[] = ['j', 'f', 'a0', 'h'];
const DELAY = 5;
const ROWS = 4000;
/** Fewer rounds, because these runs are long. */
const ROUNDS = 3;

/**
 * Measures how long n8n answers nobody while the node runs, and its CPU time before the first request. `rows` is the
 * maximum, for a trial.
 */
export async function measureSilence(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<void> {
	const keys = chosen(SILENT, only);
	if (keys.length === 0) return;
	const size = Math.min(rows, ROWS);
	const counted = Math.min(rounds, ROUNDS);
	report(`Silence: ${size} rows, the service responds after ${DELAY} ms, rounds: ${counted}`);
	await bench.restartN8n();
	const reset = { faults: delaying(DELAY), record: true, newKey: true };
	await bench.warmUp(keys, size, reset);
	const runs = new Map<CandidateKey, SilentRun[]>(keys.map((key) => [key, []]));
	for (let round = 0; round < counted; round++) {
		for (const key of rotated(keys, round)) {
			report(`  round ${round + 1} (${key})`, true);
			runs.get(key)!.push(await bench.runWatched(key, size, reset));
		}
	}
	printTable(
		[...runs].map(([key, list]) => [
			key,
			{
				'silent, ms': medianOf(list, (run) => run.silentMs),
				'at most': Math.max(...list.map((run) => run.silentMs)),
				'CPU to the first request, ms': medianOf(list, (run) => run.cpuToFirstMs),
				'CPU, ms': medianOf(list, (run) => run.cpuMs),
				'node, ms': medianOf(list, (run) => run.nodeMs),
				landed: Math.min(...list.map((run) => run.landed)),
			},
		]),
	);
}
