import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { locateN8n } from '../n8n/install';
import { endAll } from '../n8n/process';
import { consoleReport } from '../n8n/report';
import { capacityPart, defaultsPart, executionsPart } from './accountReport';
import { Bench } from './bench';
import { measureCapacity } from './capacity';
import { measureDefaults } from './defaults';
import { measureExecutions } from './executions';
import type { Part } from './layout';
import { readOptions, SECTIONS, USAGE, type BenchOptions } from './options';
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
	for (const delay of sections.includes('speed') ? delays : []) {
		const speed = await measureSpeed(opened, { ...options, delay }, report);
		await results.add(speed && speedPart(speed));
	}
	if (sections.includes('limit')) {
		const limit = await measureLimit(opened, options, report);
		await results.add(limit && limitPart(limit));
	}
	if (sections.includes('growth')) {
		const growth = await measureGrowth(opened, options, report);
		await results.add(growth && growthPart(growth));
	}
	if (sections.includes('executions')) {
		const executions = await measureExecutions(opened, options, report);
		await results.add(executions && executionsPart(executions));
	}
	if (sections.includes('defaults')) {
		const defaults = await measureDefaults(opened, options, report);
		await results.add(defaults && defaultsPart(defaults));
	}
	if (sections.includes('capacity')) {
		const capacity = await measureCapacity(opened, options, report);
		await results.add(capacity && capacityPart(capacity));
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

/** What was measured so far, and the page it belongs on. */
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

	/** Written after every section, so that it is there when a later one cannot be measured. */
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

/** Laid out as the project's formatter wants it. */
async function formatted(page: string): Promise<string> {
	const file = join(__dirname, 'RESULTS.md');
	return await format(page, { ...(await resolveConfig(file)), parser: 'markdown' });
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
