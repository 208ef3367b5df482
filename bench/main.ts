import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { locateN8n } from '../n8n/install';
import { endAll } from '../n8n/process';
import { consoleReport } from '../n8n/report';
import { capacityPart, defaultsPart, executionsPart } from './accountReport';
import { Bench } from './bench';
import { measureCapacity } from './capacity';
import { measureDefaults } from './defaults';
import { measureExecutions } from './executions';
import { formatted } from './formatted';
import type { Part } from './layout';
import { readOptions, SECTIONS, USAGE, type BenchOptions, type Section } from './options';
import { renewed, stamped, type Provenance } from './page';
import { profile } from './profile';
import { growthPart, limitPart, queuePart, speedPart } from './report';
import { measureGrowth, measureLimit, measureQueue, measureSpeed } from './sections';

const END_GRACE_MS = 15_000;

const report = consoleReport();
let bench: Bench | undefined;

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options === undefined) {
		report(USAGE);
		return;
	}
	if (options.profile !== undefined) {
		const { profile: key, rows, delays } = options;
		bench = await Bench.open(report);
		report(await profile(bench, { key, rows, delay: delays[0] ?? 0 }, report));
		return;
	}
	const results = new Results(options, await versions());
	const inQueueMode = options.sections.includes('queue');
	if (options.sections.some((section) => section !== 'queue')) {
		bench = await Bench.open(report);
		await measureAll(bench, options, results);
		await bench.close();
	}
	if (inQueueMode) {
		const result = await measureQueue(options, report, (opened) => (bench = opened));
		await results.add(result && queuePart(result));
	}
	report(`\n${await results.page()}`);
}

/** Everything but queue mode, which needs an n8n of its own. */
async function measureAll(opened: Bench, options: BenchOptions, results: Results): Promise<void> {
	const { sections, delays } = options;
	const part = async <T>(measured: Promise<T | undefined>, partOf: (result: T) => Part) => {
		const result = await measured;
		await results.add(result && partOf(result));
	};
	const measures: Record<Exclude<Section, 'queue'>, () => Promise<void>> = {
		speed: async () => {
			for (const delay of delays) {
				await part(measureSpeed(opened, { ...options, delay }, report), speedPart);
			}
		},
		limit: async () => await part(measureLimit(opened, options, report), limitPart),
		growth: async () => await part(measureGrowth(opened, options, report), growthPart),
		executions: async () => await part(measureExecutions(opened, options, report), executionsPart),
		defaults: async () => await part(measureDefaults(opened, options, report), defaultsPart),
		capacity: async () => await part(measureCapacity(opened, options, report), capacityPart),
	};
	for (const section of SECTIONS) {
		if (section !== 'queue' && sections.includes(section)) await measures[section]();
	}
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

/** The sections measured so far, and the page to renew. */
class Results {
	private readonly sections: string[] = [];
	private readonly before: string | undefined;

	constructor(
		private readonly options: BenchOptions,
		private readonly versions: Provenance['versions'],
	) {
		const { output, sections } = options;
		const isAll = sections.length === SECTIONS.length;
		if (output !== undefined && !isAll && existsSync(output)) {
			this.before = readFileSync(output, 'utf8');
		}
	}

	/** Writes the page after every section, so that it is kept if a later one fails. */
	async add(part: Part | undefined): Promise<void> {
		if (part === undefined) return;
		const args = process.argv.slice(2);
		const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
		this.sections.push(stamped(part, { command, versions: this.versions, date: new Date() }));
		const { output } = this.options;
		if (output === undefined) return;
		const file = resolve(output);
		await writeFile(file, await formatted(renewed(this.sections, this.before)));
		report(`  written to ${relative('.', file)}`);
	}

	/** The sections of this run. */
	async page(): Promise<string> {
		return await formatted(renewed(this.sections));
	}
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
