import { endAll } from '../n8n/process';
import { consoleReport, type Report } from '../n8n/report';
import { Bench } from './bench';
import { readOptions, USAGE, type Scope, type Section } from './options';
import { measureDefaults } from './sections/defaults';
import { measureGrowth } from './sections/growth';
import { measureSilence } from './sections/silence';
import { measureSpeed } from './sections/speed';

const END_GRACE_MS = 15_000;

/** Measures a section, and prints its figures; nothing if none of its candidates was chosen. */
type Measure = (bench: Bench, scope: Scope, report: Report) => Promise<void>;

const MEASURES: Record<Section, Measure> = {
	silence: measureSilence,
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
	for (const section of options.sections) await MEASURES[section](bench, options, report);
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
