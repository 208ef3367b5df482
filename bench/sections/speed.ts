import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import type { Scope } from '../options';
import { chosen, delaying, inRounds } from '../runs';
import { printRuns } from '../table';

const SPEED: CandidateKey[] = ['a', 'b', 'c', 'd', 'd2'];

/** Measures how long the rows take; every round runs every candidate. */
export async function measureSpeed(
	bench: Bench,
	{ rows, rounds, only, delays }: Scope,
	report: Report,
): Promise<void> {
	const keys = chosen(SPEED, only);
	if (keys.length === 0) return;
	for (const delay of delays) {
		const title = `Speed: ${rows} rows, the service responds after ${delay} ms`;
		report(title);
		await bench.restartN8n();
		const reset = { faults: delaying(delay) };
		await bench.warmUp(keys, rows, reset);
		const run = async (key: CandidateKey) => await bench.run(key, rows, reset);
		const runs = await inRounds(rounds, keys, run, report);
		report(`${title}, rounds: ${rounds}`);
		printRuns(runs);
	}
}
