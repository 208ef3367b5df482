import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench';

const WRITTEN_WITHIN_MS = 60_000;
const POLL_MS = 100;

/**
 * Observes n8n's main process with a script that is loaded into it.
 *
 * @param script a file in this folder: the first SIGUSR2 starts it, the second makes it write its
 * result
 * @param variable the environment variable with the name of the file to write
 * @param run the code to observe; it calls `begin` when the observation starts
 * @returns what the script wrote
 */
export async function observe(
	bench: Bench,
	{ script, variable }: { script: string; variable: string },
	run: (begin: () => void) => Promise<void>,
): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-observed-'));
	const file = join(folder, 'seen');
	try {
		const { pid } = await bench.restartN8n({
			NODE_OPTIONS: `--require=${join(__dirname, script)}`,
			[variable]: file,
		});
		await run(() => process.kill(pid, 'SIGUSR2'));
		process.kill(pid, 'SIGUSR2');
		const deadline = Date.now() + WRITTEN_WITHIN_MS;
		while (!existsSync(file)) {
			if (Date.now() > deadline) throw new Error('n8n did not write what was observed.');
			await sleep(POLL_MS);
		}
		return await readFile(file, 'utf8');
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
