import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { nodeMs } from '../figures';
import { memoryInUse } from '../memory';
import type { Scope } from '../options';
import type { Runs } from '../run';
import { chosen, delaying, inRounds } from '../runs';
import { printTable } from '../table';

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
export async function measureGrowth(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<void> {
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
	const smallest = Math.min(...sizes);
	const perRow = (key: CandidateKey, size: number) => nodeMs(bySize.get(size)!, key) / size;
	report(
		'Growth: time of the node per row, in ms, and its ratio between the most rows and the fewest:',
	);
	printTable(
		keys.map((key) => [
			key,
			{
				...Object.fromEntries(sizes.map((size) => [`${size} rows`, perRow(key, size)])),
				ratio: perRow(key, most) / perRow(key, smallest),
			},
		]),
	);
	report(`Growth: the most memory in use at ${most} rows, in MB, and above the rows alone:`);
	printTable(
		[...inUse].map(([key, mb]) => [key, { 'in use': mb, above: mb - inUse.get(ROWS_ALONE)! }]),
	);
}
