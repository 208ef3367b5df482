import { cpus, release, totalmem } from 'node:os';
import { CONCURRENCY } from './candidates';
import type { Part } from './layout';

/** How and when something was measured. */
export interface Provenance {
	command: string;
	versions: { n8n: string; node: string; benchNode: string };
	date: Date;
}

const TITLE = '# Results of the benchmark';

const HEAD = [
	TITLE,
	'Written by `npm run bench`. Each section names its run. Compare only figures of the same section.',
	[
		'- n8n with its default settings: one main process, SQLite, production executions (started by a webhook), executions saved in full, progress not saved. Only telemetry and update checks are off. A new data folder; n8n is restarted for each section, and for each run of the section on growth. One warm-up run of each candidate is not counted',
		`- A run: a webhook, one expression that creates the values, Split Out into rows, and the measured node; ${CONCURRENCY} requests in flight if a candidate can limit them and its name does not say otherwise. The account is empty at the start`,
		'- The sandbox, the plain client and n8n are separate processes on one machine; the plain client runs on n8n’s Node.js',
		'- Time of the node: as n8n stores it in the execution. CPU: the CPU time of n8n, from the call of the webhook to its response.',
	].join('\n'),
];

/** The section as Markdown, with a line about its run. */
export function stamped({ title, body }: Part, provenance: Provenance): string {
	const { command, versions, date } = provenance;
	const memory = Math.round(totalmem() / 1024 ** 3);
	const run = [
		`\`${command}\``,
		`${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
		`n8n ${versions.n8n} on Node.js ${versions.node}, the sandbox on ${versions.benchNode}`,
		`${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${memory} GB of memory, ${process.platform} ${release()}`,
	];
	return [`## ${title}`, `From ${run.join('; ')}.`, ...body].join('\n\n');
}

/**
 * The page with these sections. The other sections of the previous page stay where they are.
 *
 * @param sections as `stamped` made them
 * @param before the previous page; undefined starts a new one
 */
export function renewed(sections: string[], before?: string): string {
	const old = before === undefined ? [] : split(before);
	const titles = new Map(sections.map((text) => [titleOf(text), text]));
	const kept = old.map((text) => titles.get(titleOf(text)) ?? text);
	const oldTitles = new Set(old.map(titleOf));
	const added = sections.filter((text) => !oldTitles.has(titleOf(text)));
	return [...HEAD, ...kept, ...added].join('\n\n');
}

/** The sections of a page, without its head. */
function split(page: string): string[] {
	return page
		.split(/^(?=## )/m)
		.slice(1)
		.map((text) => text.trimEnd());
}

function titleOf(section: string): string {
	return section.split('\n', 1)[0]!;
}
