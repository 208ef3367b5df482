import { cpus, release, totalmem } from 'node:os';
import { CONCURRENCY } from './candidates';
import type { Part } from './layout';

const NOTES = [
	'- n8n with its default settings: one main process, SQLite, production executions (started by a webhook), executions saved in full, progress not saved. Only telemetry and update checks are off. A new data folder; n8n is restarted for each section, and for each run of the section on growth. One warm-up run of each candidate is not counted',
	`- A run: a webhook, one expression that creates the values, Split Out into rows, and the measured node; ${CONCURRENCY} requests in flight if a candidate can limit them and its name does not say otherwise. The account is empty at the start`,
	'- The sandbox, the plain client and n8n are separate processes on one machine; the plain client runs on n8n’s Node.js',
	'- Time of the node: as n8n stores it in the execution. CPU: the CPU time of n8n, from the call of the webhook to its response.',
];

/** How the page was measured. */
export interface Provenance {
	command: string;
	versions: { n8n: string; node: string; benchNode: string };
}

/** The page of one run of the benchmark, as Markdown. */
export function pageOf(parts: Part[], { command, versions }: Provenance): string {
	const memory = Math.round(totalmem() / 1024 ** 3);
	const run = [
		`\`${command}\``,
		new Date().toISOString().slice(0, 10),
		`n8n ${versions.n8n} on Node.js ${versions.node}, the sandbox on ${versions.benchNode}`,
		`${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${memory} GB of memory, ${process.platform} ${release()}`,
	];
	return [
		'# Results of the benchmark',
		`Written by ${run.join('; ')}. Compare only figures of the same section.`,
		NOTES.join('\n'),
		...parts.flatMap(({ title, body }) => [`## ${title}`, ...body]),
	].join('\n\n');
}
