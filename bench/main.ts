import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { locateN8n } from '../n8n/install';
import { endAll } from '../n8n/process';
import { consoleReport, type Report } from '../n8n/report';
import { Bench } from './bench';
import { formatted } from './formatted';
import type { Part } from './layout';
import { readOptions, USAGE, type Scope, type Section } from './options';
import { pageOf, type Provenance } from './page';
import { measureDefaults } from './sections/defaults';
import { measureGrowth } from './sections/growth';
import { measureSpeed } from './sections/speed';

const END_GRACE_MS = 15_000;

/** Measures a section, and yields its parts of the page; nothing if none of its candidates was chosen. */
type Measure = (bench: Bench, scope: Scope, report: Report) => AsyncGenerator<Part>;

const MEASURES: Record<Section, Measure> = {
	speed: measureSpeed,
	growth: measureGrowth,
	defaults: measureDefaults,
};

const report = consoleReport();
let bench: Bench | undefined;

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options === undefined) {
		report(USAGE);
		return;
	}
	bench = await Bench.open(report);
	const provenance = { command: command(), versions: await versions() };
	const parts: Part[] = [];
	for (const section of options.sections) {
		for await (const part of MEASURES[section](bench, options, report)) {
			parts.push(part);
			// After every section, so that it is kept if a later one fails.
			await write(options.output, await formatted(pageOf(parts, provenance)));
		}
	}
	report(`\n${await formatted(pageOf(parts, provenance))}`);
}

async function write(output: string, page: string): Promise<void> {
	const file = resolve(output);
	await writeFile(file, page);
	report(`  written to ${relative('.', file)}`);
}

function command(): string {
	const args = process.argv.slice(2);
	return ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}

async function versions(): Promise<Provenance['versions']> {
	const { folder, node } = locateN8n();
	const manifest = await readFile(join(folder, 'node_modules', 'n8n', 'package.json'), 'utf8');
	return {
		n8n: (JSON.parse(manifest) as { version: string }).version,
		node: execFileSync(node, ['--version']).toString().trim().slice(1),
		benchNode: process.versions.node,
	};
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
