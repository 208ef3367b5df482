import { readFile, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { locateN8n } from '../n8n/install';
import { endAll } from '../n8n/process';
import { consoleReport } from '../n8n/report';
import { Bench } from './bench';
import { readOptions, USAGE, type BenchOptions } from './options';
import { profile } from './profile';
import { page, type Results } from './report';
import { measureGrowth, measureLimit, measureSpeed } from './sections';

const END_GRACE_MS = 15_000;

const report = consoleReport();
let bench: Bench | undefined;

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options === undefined) {
		report(USAGE);
		return;
	}
	bench = await Bench.open(report);
	if (options.profile !== undefined) {
		const { profile: key, rows, delays } = options;
		report(await profile(bench, { key, rows, delay: delays[0] ?? 0 }, report));
		return;
	}
	const results = await emptyResults(options);
	for (const delay of options.sections.includes('speed') ? options.delays : []) {
		const result = await measureSpeed(bench, { ...options, delay }, report);
		if (result !== undefined) results.speed.push(result);
		await keep(results, options);
	}
	if (options.sections.includes('limit')) {
		results.limit = await measureLimit(bench, options, report);
		await keep(results, options);
	}
	if (options.sections.includes('growth')) {
		results.growth = await measureGrowth(bench, options, report);
		await keep(results, options);
	}
	report(`\n${await page(results)}`);
}

async function emptyResults({ rows, rounds }: BenchOptions): Promise<Results> {
	const { folder, node } = locateN8n();
	const manifest = await readFile(join(folder, 'node_modules', 'n8n', 'package.json'), 'utf8');
	return {
		rows,
		rounds,
		command: [
			'npm run bench',
			...process.argv.slice(2, 3).map(() => '--'),
			...process.argv.slice(2),
		].join(' '),
		versions: {
			n8n: (JSON.parse(manifest) as { version: string }).version,
			node: execFileSync(node, ['--version']).toString().trim().slice(1),
			benchNode: process.versions.node,
		},
		speed: [],
	};
}

/** After every table, so that a later failure loses nothing. */
async function keep(results: Results, { output }: BenchOptions): Promise<void> {
	if (output === undefined) return;
	const file = resolve(output);
	await writeFile(file, await page(results));
	report(`  written to ${relative('.', file)}`);
}

let ending = false;

async function end(code: number): Promise<void> {
	// Failures during shutdown are expected.
	if (ending) return;
	ending = true;
	await bench?.close();
	await endAll(END_GRACE_MS);
	process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void end(130));
}

main()
	.then(async () => await end(0))
	.catch(async (error: unknown) => {
		if (!ending) report(error instanceof Error ? error.message : String(error));
		await end(1);
	});
