import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { nodeMs } from '../figures';
import { named, rounds as inWords, table, times, whole, type Part } from '../layout';
import { memoryInUse } from '../memory';
import type { Scope } from '../options';
import type { Runs } from '../run';
import { chosen, delaying, inRounds } from '../runs';

const GROWTH: CandidateKey[] = ['a', 'b', 'd'];
/** The rows alone: what the memory is compared with. */
const ROWS_ALONE: CandidateKey = 'n';
const DELAY = 5;
/** Fewer rounds, because each run restarts n8n. */
const ROUNDS = 3;

/**
 * Measures how time and memory grow with the rows. n8n is restarted and warmed up for every run, so
 * that memory left by earlier runs does not count.
 */
export async function* measureGrowth(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): AsyncGenerator<Part> {
	const keys = chosen(GROWTH, only);
	if (keys.length === 0) return;
	const sizes = [Math.ceil(rows / 5), rows, rows * 4];
	report(`Growth: ${sizes.join(', ')} rows, the service responds after ${DELAY} ms`);
	const reset = { faults: delaying(DELAY) };
	const bySize = new Map<number, Runs>();
	for (const size of sizes) {
		const run = async (key: CandidateKey) => {
			await bench.restartN8n();
			await bench.warmUp([key], size, reset);
			return await bench.run(key, size, reset);
		};
		bySize.set(size, await inRounds(Math.min(rounds, ROUNDS), keys, run, report));
	}
	const most = Math.max(...sizes);
	const inUse = new Map<CandidateKey, number>();
	for (const key of [...keys, ROWS_ALONE]) {
		const mb = await memoryInUse(bench, key, most, reset);
		inUse.set(key, mb);
		report(`  (${key}) has ${Math.round(mb)} MB in use at ${most} rows`);
	}
	yield partOf(keys, bySize, inUse);
}

/** @param inUse the most memory in use at the largest size, in MB */
function partOf(
	keys: CandidateKey[],
	bySize: Map<number, Runs>,
	inUse: Map<CandidateKey, number>,
): Part {
	const sizes = [...bySize.keys()];
	const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
	const perRow = (key: CandidateKey, size: number) => nodeMs(bySize.get(size)!, key) / size;
	const time = keys.map((key) => [
		named(key),
		...sizes.map((size) => perRow(key, size).toFixed(2)),
		times(perRow(key, largest) / perRow(key, smallest)),
	]);
	const memory = [...inUse].map(([key, mb]) => [
		named(key),
		whole(mb),
		key === ROWS_ALONE ? '' : whole(mb - inUse.get(ROWS_ALONE)!),
	]);
	return {
		title: 'How it grows with the rows',
		body: [
			`The service responds after ${DELAY} ms; each run in a newly started n8n, ${inWords(bySize.get(smallest)!)}.`,
			`Time of the node per row, in ms, and the ratio of a row at ${whole(largest)} rows to a row at ${whole(smallest)}:`,
			table(['Candidate', ...sizes.map((size) => `${whole(size)} rows`), 'ratio'], time),
			`The most memory in use at ${whole(largest)} rows, in MB, in runs with a garbage collection every second, and the difference to the same rows without requests:`,
			table(['Candidate', 'in use', 'above'], memory),
		],
	};
}
