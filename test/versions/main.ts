/**
 * `npm run test:versions -- [<version> …]`: builds the nodes, and tests them on the engine of other versions of n8n,
 * by default all that have a folder here. The engine is installed at its first use.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages } from '../../n8n/install';
import { buildNode } from '../../n8n/package';
import { consoleReport } from '../../n8n/report';

const versions = readdirSync(__dirname).filter((name) =>
	existsSync(join(__dirname, name, 'package.json')),
);

async function main(): Promise<number> {
	const given = process.argv.slice(2);
	const chosen = given.filter((argument) => versions.includes(argument));
	const selected = chosen.length > 0 ? chosen : versions;
	const report = consoleReport();
	await buildNode(report);
	for (const version of selected) {
		await ensurePackages(
			join(__dirname, version),
			report,
			`Installing the engine of n8n ${version}`,
		);
	}
	const args = [
		...[require.resolve('jest/bin/jest'), '--config', join(__dirname, 'jest.config.cjs')],
		...given.filter((argument) => !selected.includes(argument)),
		...['--selectProjects', ...selected],
	];
	const env = { ...process.env, N8N_LOG_LEVEL: 'silent' };
	return spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1;
}

main().then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
