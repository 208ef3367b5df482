import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench';

const WRITTEN_WITHIN_MS = 60_000;
const POLL_MS = 100;

/**
 * Observes n8n's main process from within, by a script that is loaded into it.
 *
 * @param script a file beside this one: SIGUSR2 makes it begin, another makes it write what it saw
 * @param variable of the environment, which names the file it writes
 * @param run what is observed: calls `begin` when it is to be
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
