import { readdirSync } from 'node:fs';

import { useN8n } from './n8n';

/**
 * Runs files of this folder on one n8n, which takes longer to start than most of them take, each under its name.
 *
 * @param isChosen by the name of a file, such as `browser/editor`
 */
export function runFiles(isChosen: (name: string) => boolean): void {
	useN8n();
	for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
		const name = file.replaceAll('\\', '/').replace(/\.test\.ts$/, '');
		if (!file.endsWith('.test.ts') || !isChosen(name)) continue;
		describe(name, () => {
			jest.requireActual(`./${name}.test`);
		});
	}
}

/** Those in a browser. */
export const IN_BROWSER = /^browser\//;

/** Those that restart n8n, or start one of their own. */
export const RESTARTING = /^(install|killed|settings|sheets|tables\/\w+|trigger)$/;
