import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the test files of a folder as one, each under its name: n8n-core loads, and n8n starts, longer than most of them
 * take. `all.test.ts` of the folder does so.
 */
export function runFolder(folder: string): void {
	for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
		const name = file.replaceAll('\\', '/').replace(/\.test\.ts$/, '');
		if (!file.endsWith('.test.ts') || name === 'all') continue;
		describe(name, () => void jest.requireActual(join(folder, file)));
	}
}
