/**
 * `npm run test:reliances -- [<folder of an installed n8n>]`: runs the tests of what this node relies on in n8n with
 * the engine of that n8n, by default the pinned one.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { locateN8n, n8nFolder } from '../../n8n/install';

const [given = n8nFolder, ...args] = process.argv.slice(2);
try {
	const { folder, node } = locateN8n(resolve(given));
	const jest = require.resolve('jest/bin/jest');
	const config = join(__dirname, 'jest.config.cjs');
	const { status } = spawnSync(node, [jest, '--config', config, ...args], {
		env: { ...process.env, N8N_FOLDER: folder, N8N_LOG_LEVEL: 'silent' },
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
