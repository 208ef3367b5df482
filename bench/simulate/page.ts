import { AUTOMATIC } from '../../nodes/shared/account/account';
import { median } from '../figures';
import { percent, table } from '../layout';
import type { BurstResult } from './burst';
import { LIMITERS, type LimiterKind } from './limiters';
import type { NewcomerResult } from './newcomer';
import type { SharingResult } from './sharing';
import type { SpeedResult } from './speed';

export const PROCESSES = [1, 2, 4, 8, 16];
export const RATES = [1, 2, 5, 20, 50];

export interface Simulated {
	command: string;
	seeds: number[];
	sharing: SharingResult[];
	alone: SharingResult[];
	bursts: BurstResult[];
	newcomers: NewcomerResult[];
	speed: SpeedResult[];
}

/** All results as Markdown. */
export function page(simulated: Simulated): string {
	const { command, seeds, sharing, alone, bursts, newcomers, speed } = simulated;
	return [
		'# Simulation: shared limits and requests in flight',
		`Written by \`${command}\`, seeds ${seeds.join(', ')}, in virtual time, so the results are the same on every machine. Everything that decides when a request starts, waits or gives up is the node’s own (\`nodes/shared/account\`); the n8n processes and the service are simulated: a main thread that spends 1.5 ms on each request and sometimes 50 ms on garbage collection, late timers, responses after 20 to 200 ms.`,
		'## Processes that share a limit',
		`They start within 20 s and have work for four minutes; then all but one stop. Rates are ${RATES.join(', ')} per second and process (the limit is that times the number of processes). Each line shows the worst of them and of all seeds, and how many of the runs miss a target. The targets: at least 80 % of the limit used, at most 5 % refused (8 % at 1 per second), no request gives up, a fairness of at least 0.8, the rate doubled within 30 s.`,
		table(['Target', 'per second each', 'runs that meet it', 'worst', 'met'], targets(sharing), 2),
		table(SUMMARY, summary(sharing), 2),
		[
			'- **Used**: accepted over the limit, while all have work. **Refused**: of all requests of the whole run; in brackets without the first 20 s (the first minute for the fixed minute), in which the limit is found.',
			'- **Gave up**: how many requests gave up, by the rules of the node.',
			'- **Fairness**: Jain’s index. **Doubled after**: seconds until the last remaining process has twice its rate of the previous minute, or 90 % of the limit. With the fixed minute the others stop at the start of a minute, because a used-up minute allows no faster rate.',
			'- The fixed minute always sends `Retry-After`.',
		].join('\n'),
		'## One process',
		'Every response takes 20 ms; timers and garbage collection as above. The range over all seeds, with and without `Retry-After`.',
		table(['Limiter', 'per second', 'used', 'refused'], oneProcess(alone), 2),
		'## Many jobs at once',
		'For an account that the process has not used before. The limit’s own time is that of a service which takes as many as it allows at each moment. The median and the worst of 100 seeds.',
		table(BURST, burstLines(bursts), 2),
		'## A newcomer',
		'One request of a process that has not used the account before, while another process uses up the limit. It gives up if none of its first attempts, before each of five pauses, meets a free place. 100 seeds.',
		table(NEWCOMER, newcomerLines(newcomers)),
		'## The automatic limit of requests in flight',
		'“All at once” starts with the largest limit. The median of all seeds.',
		table(SPEED, speedLines(speed), 2),
		'## Every rate',
		'The worst of all seeds.',
		table(
			['Limiter', 'Retry-After', 'Processes', 'per second each', ...SUMMARY.slice(3, 8)],
			everyRate(sharing),
			2,
		),
	].join('\n\n');
}

/** Each target: in how many runs it holds, and the worst of them, at few a second and at more. */
function targets(results: SharingResult[]): string[][] {
	const least = (numbers: number[]) => Math.min(...numbers);
	const most = (numbers: number[]) => Math.max(...numbers);
	const kinds: Array<[string, string, (group: SharingResult[]) => string]> = [
		['gave up', 'no request gives up', (group) => String(most(group.map(({ failed }) => failed)))],
		['refused', 'refused', (group) => percent(most(group.map(({ refused }) => refused)))],
		['used', 'used', (group) => percent(least(group.map(({ used }) => used)))],
		['fairness', 'fairness', (group) => least(group.map(({ fairness }) => fairness)).toFixed(2)],
		[
			'doubled',
			'doubled after, s',
			(group) => most(group.map(({ doubling = 0 }) => doubling)).toFixed(0),
		],
	];
	return kinds.flatMap(([miss, title, worstOf]) =>
		RATES.map((rate) => {
			const group = results.filter(({ perProcess }) => perProcess === rate);
			const missing = group.filter((result) => misses(result).includes(miss)).length;
			const held = `${group.length - missing} of ${group.length}`;
			return [title, String(rate), held, worstOf(group), missing === 0 ? 'yes' : 'no'];
		}),
	);
}

/** The targets that a run misses. */
export function misses(result: SharingResult): string[] {
	const { perProcess, used, refused, failed, fairness, doubling } = result;
	return [
		used < 0.8 && 'used',
		refused > (perProcess < 2 ? 0.08 : 0.05) && 'refused',
		failed > 0 && 'gave up',
		fairness < 0.8 && 'fairness',
		doubling !== undefined && doubling > 30 && 'doubled',
	].filter((miss) => miss !== false);
}

const SUMMARY = [
	'Limiter',
	'Retry-After',
	'Processes',
	'used',
	'refused',
	'gave up',
	'fairness',
	'doubled after, s',
	'runs that miss a target',
];

function summary(results: SharingResult[]): string[][] {
	return groups(results, PROCESSES, ({ processes }) => processes).map(
		([head, processes, group]) => [...head, String(processes), ...worst(group), missed(group)],
	);
}

function everyRate(results: SharingResult[]): string[][] {
	return PROCESSES.flatMap((count) =>
		groups(
			results.filter(({ processes }) => processes === count),
			RATES,
			({ perProcess }) => perProcess,
		).map(([head, rate, group]) => [...head, String(count), String(rate), ...worst(group)]),
	);
}

function groups(
	results: SharingResult[],
	values: number[],
	value: (result: SharingResult) => number,
): Array<[head: string[], value: number, SharingResult[]]> {
	return (Object.keys(LIMITERS) as LimiterKind[]).flatMap((kind) =>
		[true, false].flatMap((told) =>
			values.flatMap((one): Array<[string[], number, SharingResult[]]> => {
				const group = results.filter(
					(result) =>
						result.limiter === kind && result.retryAfter === told && value(result) === one,
				);
				return group.length > 0 ? [[[kind, told ? 'yes' : 'no'], one, group]] : [];
			}),
		),
	);
}

function worst(group: SharingResult[]): string[] {
	const most = (value: (result: SharingResult) => number) => Math.max(...group.map(value));
	const least = (value: (result: SharingResult) => number) => Math.min(...group.map(value));
	const doubling = most(({ doubling = NaN }) => doubling);
	const sum = (value: (result: SharingResult) => number) =>
		group.reduce((total, result) => total + value(result), 0);
	return [
		percent(least(({ used }) => used)),
		`${percent(most(({ refused }) => refused))} (${percent(most(({ refusedMeanwhile }) => refusedMeanwhile))})`,
		String(sum(({ failed }) => failed)),
		least(({ fairness }) => fairness).toFixed(2),
		Number.isNaN(doubling) ? '–' : doubling.toFixed(0),
	];
}

function missed(group: SharingResult[]): string {
	const all = group.map(misses);
	const runs = all.filter((list) => list.length > 0).length;
	const names = [...new Set(all.flat())].map(
		(name) => `${name} ${all.filter((list) => list.includes(name)).length}`,
	);
	return `${runs} of ${group.length}${runs > 0 ? `: ${names.join(', ')}` : ''}`;
}

function oneProcess(results: SharingResult[]): string[][] {
	return (Object.keys(LIMITERS) as LimiterKind[]).flatMap((kind) =>
		RATES.map((rate) => {
			const group = results.filter(
				({ limiter, perProcess }) => limiter === kind && perProcess === rate,
			);
			return [
				kind,
				String(rate),
				range(group.map(({ used }) => used)),
				range(group.map(({ refused }) => refused)),
			];
		}),
	);
}

const BURST = [
	'Limiter',
	'Retry-After',
	'Jobs',
	'per second',
	'the limit’s own time, s',
	'took, s',
	'longest, s',
	'refused',
	'most refused',
];

function burstLines(results: BurstResult[]): string[][] {
	const nameOf = ({ limiter, retryAfter, requests, perSecond }: BurstResult) =>
		[limiter, retryAfter, requests, perSecond].join();
	return [...new Set(results.map(nameOf))].map((name) => {
		const group = results.filter((result) => nameOf(result) === name);
		const { limiter, retryAfter, requests, perSecond } = group[0]!;
		const took = group.map((result) => result.took);
		const refused = group.map((result) => result.refused);
		return [
			limiter,
			retryAfter,
			String(requests),
			String(perSecond),
			// The first second takes as many at once.
			(requests / perSecond - 1).toFixed(0),
			median(took).toFixed(0),
			Math.max(...took).toFixed(0),
			percent(median(refused)),
			percent(Math.max(...refused)),
		];
	});
}

const NEWCOMER = ['Limiter', 'per second', 'gave up', 'waited, s', 'longest, s'];

function newcomerLines(results: NewcomerResult[]): string[][] {
	const nameOf = ({ limiter, perSecond }: NewcomerResult) => `${limiter} ${perSecond}`;
	return [...new Set(results.map(nameOf))].map((name) => {
		const group = results.filter((result) => nameOf(result) === name);
		const waits = group.flatMap(({ waited }) => waited ?? []);
		const { limiter, perSecond } = group[0]!;
		return [
			limiter,
			String(perSecond),
			percent(1 - waits.length / group.length),
			median(waits).toFixed(1),
			Math.max(...waits).toFixed(1),
		];
	});
}

const SPEED = [
	'Requests',
	'way, ms',
	'service',
	'in flight: at first, at most',
	'took, s',
	'all at once, s',
	'in flight: average, most',
	'typical response, ms',
	'of an idle service, ms',
];

function speedLines(results: SpeedResult[]): string[][] {
	const names = [...new Set(results.map(({ name }) => name))];
	return names.map((name) => {
		const group = results.filter((result) => result.name === name);
		const { requests, latency, capacity, kind } = group[0]!;
		const { start, most } = AUTOMATIC[kind];
		const middle = (value: (result: SpeedResult) => number) => median(group.map(value));
		return [
			requests.toLocaleString('en'),
			String(latency),
			capacity ? `${capacity.workers} at a time, ${capacity.each} ms each` : 'any number',
			`${start}, ${most}`,
			middle(({ took }) => took).toFixed(1),
			middle(({ tookWithMost }) => tookWithMost).toFixed(1),
			`${middle(({ inFlight }) => inFlight).toFixed(0)}, ${middle(({ mostInFlight }) => mostInFlight).toFixed(0)}`,
			middle(({ typicalAnswer }) => typicalAnswer).toFixed(0),
			(latency + (capacity?.each ?? 0)).toFixed(0),
		];
	});
}

function range(numbers: number[]): string {
	return `${percent(Math.min(...numbers))} to ${percent(Math.max(...numbers))}`;
}
