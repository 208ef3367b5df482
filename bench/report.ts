import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Run } from './bench';
import { CANDIDATES, CONCURRENCY, type CandidateKey } from './candidates';
import type { GrowthResult, LimitResult, Runs, SpeedResult } from './sections';

export interface Results {
	rows: number;
	rounds: number;
	command: string;
	versions: { n8n: string; node: string; benchNode: string };
	speed: SpeedResult[];
	limit?: LimitResult;
	growth?: GrowthResult;
}

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** The results as Markdown, formatted as prettier does. */
export async function page(results: Results): Promise<string> {
	const { speed, limit, growth } = results;
	const text = [
		...head(results),
		...speed.flatMap((result) => speedTable(result, results)),
		...(limit ? limitTable(limit) : []),
		...(growth ? growthTables(growth) : []),
	].join('\n\n');
	const file = join(__dirname, 'RESULTS.md');
	return await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}

function head({ command, versions, rows, rounds }: Results): string[] {
	const memory = Math.round(totalmem() / 1024 ** 3);
	return [
		'# Results of the benchmark',
		'Written by `npm run bench`; only numbers of the same run can be compared.',
		[
			`- Command: \`${command}\``,
			`- Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
			`- Machine: ${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${memory} GB of memory, ${process.platform} ${release()}; all processes share it`,
			`- Versions: n8n ${versions.n8n} on Node.js ${versions.node}; the sandbox on Node.js ${versions.benchNode}; the plain client on n8n's Node.js`,
			'- n8n as a user has it who changes nothing: one main process, SQLite, production runs (a webhook starts them), executions kept in full, no saving of progress. Only its calls to its makers are off. A fresh data folder; n8n is started anew for each table, and for each run of the table of growth. One run of each candidate comes before the counted ones',
			`- A run: a webhook, one expression that makes the values, Split Out into rows (${rows}, unless the table says otherwise), and the node that is measured; ${CONCURRENCY} requests at once where a candidate can limit that. The blacklist is empty before`,
			`- Time of the node: as n8n stores it with the execution, the median of ${rounds} alternating rounds with the lowest and the highest. CPU: time of n8n's main process on a processor, from the call of the webhook to its answer. Memory: RSS of n8n's main process, its peak as the kernel keeps it (VmHWM, set back before each run)`,
		].join('\n'),
	];
}

function speedTable({ delay, runs }: SpeedResult, { rows }: Results): string[] {
	const times = medians(runs, ({ nodeMs }) => nodeMs);
	const reference = (['d', 'd2'] as const)
		.filter((key) => times.has(key))
		.sort((a, b) => times.get(a)! - times.get(b)!)[0];
	const floor = times.get('e');
	const header = [
		'Candidate',
		'Node, ms',
		'lowest to highest',
		'per row, ms',
		...(reference ? [`÷ (${reference})`] : []),
		...(floor ? ['÷ (e)'] : []),
		'execution, ms',
		'CPU, ms',
		'most in flight',
		'rows landed',
	];
	const lines = [...runs].map(([key, list]) => {
		const time = times.get(key)!;
		return [
			named(key),
			whole(time),
			range(list.map(({ nodeMs }) => nodeMs)),
			(time / rows).toFixed(2),
			...(reference ? [(time / times.get(reference)!).toFixed(2)] : []),
			...(floor ? [(time / floor).toFixed(2)] : []),
			whole(medianOf(list, ({ executionMs }) => executionMs)),
			whole(medianOf(list, ({ cpuMs }) => cpuMs)),
			whole(Math.max(...list.map(({ mostInFlight }) => mostInFlight))),
			`${whole(Math.min(...list.map(({ landed }) => landed)))} of ${whole(rows)}`,
		];
	});
	return [
		`## ${rows} rows, the service answers ${delay === 0 ? 'at once' : `after ${delay} ms`}`,
		...(reference
			? [
					`Compared with (${reference}), the faster of the HTTP Request node's variants here${floor ? ', and with (e)' : ''}: below 1 is less time.`,
				]
			: []),
		table(header, lines),
	];
}

function limitTable({ perSecond, runs }: LimitResult): string[] {
	const header = [
		'Candidate',
		'rows landed',
		'requests',
		'refused with 429',
		'first to last request, s',
		'landed per second',
		'Node, s',
		'ended with',
	];
	const lines = [...runs].map(([key, [run]]) => {
		const { rows, landed, requests, requestsMs, nodeMs, error } = run!;
		return [
			named(key),
			`${whole(landed)} of ${whole(rows)}`,
			whole(requests),
			whole(requests - landed),
			(requestsMs / 1000).toFixed(1),
			((landed / requestsMs) * 1000).toFixed(1),
			(nodeMs / 1000).toFixed(1),
			error ?? 'success',
		];
	});
	return [
		`## The service takes ${perSecond} requests a second`,
		'A sliding window; what is above it gets 429 with `Retry-After`. One round, the service answers at once. Before the first request n8n builds the requests of all rows; that is in the time of the node. (d3) is what a user can set who knows the limit.',
		table(header, lines),
	];
}

function growthTables({ delay, runs, inUse }: GrowthResult): string[] {
	const sizes = [...new Set([...runs.values()].flat().map(({ rows }) => rows))];
	const of = (key: CandidateKey, size: number, value: (run: Run) => number | undefined) =>
		medianOf(runs.get(key)?.filter(({ rows }) => rows === size) ?? [], value);
	const keys = [...runs.keys()];
	const smallest = Math.min(...sizes);
	const largest = Math.max(...sizes);
	const perSize = (value: (key: CandidateKey, size: number) => string, of = keys) =>
		of.map((key) => [named(key), ...sizes.map((size) => value(key, size))]);
	const sizeHeader = sizes.map((size) => `${whole(size)} rows`);

	const perRow = (key: CandidateKey, size: number) => of(key, size, ({ nodeMs }) => nodeMs) / size;
	const timed = keys.filter((key) => key !== 'n');
	const time = perSize((key, size) => perRow(key, size).toFixed(2), timed).map((cells, index) => [
		...cells,
		(perRow(timed[index]!, largest) / perRow(timed[index]!, smallest)).toFixed(2),
	]);
	const peak = (key: CandidateKey, size: number) => of(key, size, ({ peakMb }) => peakMb);
	const above = (key: CandidateKey, size: number) => {
		const difference = whole(peak(key, size) - peak('n', size));
		return key === 'n' ? '' : ` (${difference})`;
	};
	const stored = (key: CandidateKey, size: number) =>
		whole(of(key, size, ({ storedBytes }) => storedBytes) / 1000);
	return [
		'## How it grows with the rows',
		`The service answers after ${delay} ms; every run in an n8n started for it, the median of ${runs.get(keys[0]!)!.length / sizes.length}.`,
		`Time of the node per row, in ms, and what a row takes at ${whole(largest)} rows over what it takes at ${whole(smallest)}:`,
		table(['Candidate', ...sizeHeader, 'ratio'], time),
		'Peak memory of n8n, in MB, and in brackets how much that is above the same rows without requests. Most of it is garbage that Node.js leaves lying as long as there is room:',
		table(
			['Candidate', ...sizeHeader],
			perSize((key, size) => whole(peak(key, size)) + above(key, size)),
		),
		`The most that was in use at ${whole(largest)} rows, in MB, in runs of which the garbage was collected every second, and how much that is above the same rows without requests:`,
		table(
			['Candidate', 'in use', 'above'],
			[...inUse].map(([key, mb]) => [
				named(key),
				whole(mb),
				key === 'n' ? '' : whole(mb - inUse.get('n')!),
			]),
		),
		'The stored execution, in kB:',
		table(['Candidate', ...sizeHeader], perSize(stored)),
	];
}

function named(key: CandidateKey): string {
	return `(${key}) ${CANDIDATES[key].title}`;
}

function medians(runs: Runs, value: (run: Run) => number | undefined): Map<CandidateKey, number> {
	return new Map([...runs].map(([key, list]) => [key, medianOf(list, value)]));
}

function medianOf(runs: Run[], value: (run: Run) => number | undefined): number {
	return median(runs.map((run) => value(run) ?? NaN));
}

function range(numbers: number[]): string {
	return `${whole(Math.min(...numbers))} to ${whole(Math.max(...numbers))}`;
}

function whole(number: number): string {
	return Number.isNaN(number) ? '–' : Math.round(number).toLocaleString('en');
}

/** The first column is text, the others are numbers. */
function table(header: string[], lines: string[][]): string {
	const alignment = header.map((_, index) => (index === 0 ? '---' : '--:'));
	return [header, alignment, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
