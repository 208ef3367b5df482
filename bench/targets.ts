import type { Run } from './bench';
import type { CandidateKey } from './candidates';
import type { CapacityResult } from './capacity';
import type { DefaultsResult } from './defaults';
import type { BurstCase, ExecutionsResult } from './executions';
import { answerMs, limitMs, median, nodeMs, perSecond } from './figures';
import { named, percent, seconds, times, whole } from './layout';
import type { Runs } from './runs';
import type { LimitResult } from './sections';

/** A target, and whether it is met. */
export interface Target {
	what: string;
	/** The measured figure. */
	seen: string;
	isMet: boolean;
}

/** The targets as a list. */
export function targetList(targets: Target[]): string {
	return targets
		.map(({ what, seen, isMet }) => `- ${isMet ? 'Met' : '**Missed**'}: ${what}. Seen: ${seen}.`)
		.join('\n');
}

/** A target that is met if the largest figure is at most `most`. */
function worst(
	what: string,
	figures: number[],
	most: number,
	shown: (figure: number) => string,
): Target {
	const largest = Math.max(...figures);
	return { what, seen: shown(largest), isMet: largest <= most };
}

/** The targets of this node against a rate limit. */
export function limitTargets({ perSecond: rate, runs }: LimitResult): Target[] {
	const ours = [...(runs.get('a') ?? []), ...(runs.get('b') ?? [])];
	if (ours.length === 0) return [];
	const missing = ours.map(({ rows, landed }) => rows - landed);
	const refused = ours.map(({ requests, landed }) => (requests - landed) / requests);
	const longer = ours.map(({ rows, requestsMs }) => requestsMs / limitMs(rows, rate));
	return [
		worst('every row lands', missing, 0, (count) => `${whole(count)} missing`),
		worst('at most 0.5 % refused', refused, 0.005, percent),
		worst('at most 1.1 times the limit’s own time', longer, 1.1, times),
	];
}

/** A burst may take this many times as long as the limit requires, plus n8n's own time. */
const LONGER = 1.15;

export function executionsTargets({ perSecond: rate, cases }: ExecutionsResult): Target[] {
	const ours = cases.filter(({ key, retryAfter }) => key === 'j' && retryAfter);
	const own = ({ burst: { executions } }: BurstCase) =>
		cases.find(
			({ key, retryAfter, burst }) => key === 'j' && !retryAfter && burst.executions === executions,
		)?.burst.ms ?? 0;
	const allowed = (one: BurstCase) => LONGER * limitMs(one.burst.executions, rate) + own(one);
	if (ours.length === 0) return [];
	return [
		worst(
			'every execution succeeds',
			ours.map(({ burst }) => burst.executions - burst.succeeded),
			0,
			(count) => `at most ${whole(count)} failed`,
		),
		worst(
			'every job is there exactly once',
			ours.map(({ burst }) => burst.executions - burst.landed + burst.twice),
			0,
			(count) => `at most ${whole(count)} missing or there twice`,
		),
		worst(
			'at most 5 % of the requests are refused',
			ours.map(({ burst }) => burst.refused / burst.requests),
			0.05,
			(share) => `at most ${percent(share)}`,
		),
		worst(
			`all are done within ${LONGER} times the limit’s own time plus n8n’s own`,
			ours.map((one) => one.burst.ms / allowed(one)),
			1,
			(share) => `at most ${percent(share)} of that`,
		),
	];
}

export function defaultsTargets({ adds, jobs }: DefaultsResult): Target[] {
	return [
		...adds.flatMap(({ delay, runs }) => addTargets(`at ${delay} ms`, delay, runs)),
		...jobTargets(`jobs at ${jobs.delay} ms`, jobs.runs.get('j') ?? []),
	];
}

/** With such a response time, the HTTP Request node has more requests in flight than this node allows. */
const SLOW = 200;

function addTargets(at: string, delay: number, runs: Runs): Target[] {
	const compared = (what: string, key: CandidateKey, most: number): Target[] => {
		if (!runs.has(key) || !runs.has('d2')) return [];
		const share = nodeMs(runs, key) / nodeMs(runs, 'd2');
		return [worst(`${at} ${what}`, [share], most, (seen) => `${times(seen)} of its time`)];
	};
	if (delay < SLOW) {
		return [
			...compared('Add Item is no slower than HTTP Request', 'a0', 1),
			...compared('Add Many Items, rows, is 1.5 times as fast', 'b0', 1 / 1.5),
			...compared('Add Many Items, one list, is 1.5 times as fast', 'c0', 1 / 1.5),
		];
	}
	const ours = (['a0', 'b0', 'c0'] as const).flatMap((key) => runs.get(key) ?? []);
	const most = ours.map(({ mostInFlight }) => mostInFlight);
	return [
		...compared('Add Item takes at most 1.5 times as long', 'a0', 1.5),
		...(ours.length > 0 ? [worst(`${at} at most 100 are in flight`, most, 100, whole)] : []),
	];
}

function jobTargets(what: string, runs: Run[]): Target[] {
	const [run] = runs;
	if (!run) return [];
	const took = median(runs.map(({ nodeMs: ms }) => ms));
	const most = runs.map(({ mostInFlight }) => mostInFlight);
	const oneByOne = Math.min(...runs.map(({ recorded }) => recorded?.oneByOne ?? 0));
	return [
		worst(`${run.rows} ${what} take at most 8 s`, [took], 8000, (ms) => `${seconds(ms)} s`),
		worst(`${what}: at most 10 in flight`, most, 10, whole),
		{ what: `${what}: the first eight go one by one`, seen: whole(oneByOne), isMet: oneByOne >= 8 },
	];
}

export function capacityTargets({ runs }: CapacityResult): Target[] {
	return (['a0', 'b0'] as const)
		.filter((key) => runs.has(key))
		.flatMap((key) => {
			const share = perSecond(runs, key) / perSecond(runs, 'e50');
			const what = `${named(key)}: at least 90 % of the service’s best`;
			const answer = answerMs(runs, key) / answerMs(runs, 'e1');
			return [
				{ what, seen: percent(share), isMet: share >= 0.9 },
				worst(
					`${named(key)}: the typical response within 3 times an idle service’s`,
					[answer],
					3,
					times,
				),
			];
		});
}
