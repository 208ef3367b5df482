import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../n8n/poll';
import type { Bench } from './bench';
import type { CandidateKey } from './candidates';
import type { Reset } from './sandboxProcess';

const WRITTEN_WITHIN_MS = 60_000;

/**
 * Measures the most memory that n8n's main process has in use during a run, in MB. `memoryHook.ts`,
 * loaded into it, collects garbage all the time, so the duration of such a run means nothing.
 */
export async function memoryInUse(
	bench: Bench,
	key: CandidateKey,
	rows: number,
	reset: Reset,
): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-memory-'));
	const file = join(folder, 'mb');
	try {
		const { pid } = await bench.restartN8n({
			NODE_OPTIONS: `--require=${join(__dirname, 'memoryHook.ts')}`,
			BENCH_MEMORY: file,
		});
		await bench.warmUp([key], rows, reset);
		process.kill(pid, 'SIGUSR2');
		await bench.run(key, rows, reset);
		process.kill(pid, 'SIGUSR2');
		if (
			!(await poll(
				async () => existsSync(file),
				(isThere) => isThere,
				WRITTEN_WITHIN_MS,
			))
		) {
			throw new Error('n8n did not write how much memory it used.');
		}
		return Number(await readFile(file, 'utf8'));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
