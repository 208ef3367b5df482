import type { Run } from './bench';
import type { CandidateKey } from './candidates';
import { medianOf, medians } from './figures';
import { named, range, rounds, seconds, table, whole, type Part } from './layout';
import type { GrowthResult, LimitResult, SpeedResult } from './sections';
import { limitTargets, targetList } from './targets';

/** @param where the start of the title, if it is not the n8n that the page's head describes */
export function speedPart({ delay, rows, runs }: SpeedResult, where = ''): Part {
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
	const compared = reference
		? ` Compared with (${reference}), the faster variant of the HTTP Request node${floor ? ', and with (e)' : ''}: below 1 means less time.`
		: '';
	return {
		title: `${where}${rows} rows, the service responds ${delay === 0 ? 'at once' : `after ${delay} ms`}`,
		body: [`The time is ${rounds(runs)}.${compared}`, table(header, lines)],
	};
}

/** What `speedPart` shows, for queue mode. */
export function queuePart(result: SpeedResult): Part {
	const { title, body } = speedPart(result, 'Queue mode: ');
	return {
		title,
		body: [
			'n8n with PostgreSQL, Redis and one worker, so it is known which process runs the rows. PostgreSQL does not wait for its disk.',
			...body,
		],
	};
}

export function limitPart({ perSecond, runs }: LimitResult): Part {
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
			seconds(requestsMs),
			((landed / requestsMs) * 1000).toFixed(1),
			seconds(nodeMs),
			error ?? 'success',
		];
	});
	return {
		title: `The service accepts ${perSecond} requests per second`,
		body: [
			'A sliding window; requests above it get 429 with `Retry-After`. One round; the service responds at once, and n8n has not used the account before. Before the first request, n8n builds the requests of all rows, which is included in the time of the node. (d3) is what you can set if you know the limit.',
			table(header, lines),
			targetList(limitTargets({ perSecond, runs })),
		],
	};
}

export function growthPart({ delay, runs, inUse }: GrowthResult): Part {
	const sizes = [...new Set([...runs.values()].flat().map(({ rows }) => rows))];
	const of = (key: CandidateKey, size: number, value: (run: Run) => number | undefined) =>
		medianOf(runs.get(key)?.filter(({ rows }) => rows === size) ?? [], value);
	const keys = [...runs.keys()];
	const smallest = Math.min(...sizes);
	const largest = Math.max(...sizes);
	const perSize = (value: (key: CandidateKey, size: number) => string, shown = keys) =>
		shown.map((key) => [named(key), ...sizes.map((size) => value(key, size))]);
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
	const body = [
		`The service responds after ${delay} ms; each run in a newly started n8n, the median of ${runs.get(keys[0]!)!.length / sizes.length}.`,
		`Time of the node per row, in ms, and the ratio of a row at ${whole(largest)} rows to a row at ${whole(smallest)}:`,
		table(['Candidate', ...sizeHeader, 'ratio'], time),
		'Peak memory of n8n, in MB, and in brackets the difference to the same rows without requests. Most of it is garbage that Node.js does not collect while memory is free:',
		table(
			['Candidate', ...sizeHeader],
			perSize((key, size) => whole(peak(key, size)) + above(key, size)),
		),
		`The most memory in use at ${whole(largest)} rows, in MB, in runs with a garbage collection every second, and the difference to the same rows without requests:`,
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
	return { title: 'How it grows with the rows', body };
}
