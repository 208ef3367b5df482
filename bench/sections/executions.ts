import type { Report } from '../../n8n/report';
import type { FaultRule } from '../../sandbox';
import type { Bench } from '../bench';
import { CANDIDATES, type CandidateKey } from '../candidates';
import { limitMs } from '../figures';
import { named, percent, seconds, table, whole, type Part } from '../layout';
import type { Scope } from '../options';
import type { Burst } from '../run';
import { chosen } from '../runs';
import { atMost, targetList, type Target } from '../targets';

/** The form of Retry-After in a refusal. */
type RetryAfter = 'seconds' | 'date' | 'none';

interface BurstCase {
	key: CandidateKey;
	/** Undefined if the service has no limit. */
	retryAfter?: RetryAfter;
	burst: Burst;
}

const PER_SECOND = 5;
const COUNTS = [100, 200];
/** The HTTP Request node does not read Retry-After, so it is measured with one form of it. */
const ANSWERS: Array<[CandidateKey, Array<RetryAfter | undefined>]> = [
	['j', [undefined, 'seconds', 'date', 'none']],
	['h5', ['seconds']],
];
const WARM_UP = 20;
/** A burst may take this many times as long as the limit requires, plus n8n's own time. */
const LONGER = 1.15;

/** How the page names each form of Retry-After. */
const WAIT = { seconds: 'Retry-After: 1', date: 'Retry-After: a date', none: 'no Retry-After' };

/**
 * Measures many executions at once, one job each, against a service that accepts few requests per
 * second. `rows` is the maximum number of executions, for a trial.
 */
export async function* measureExecutions(
	bench: Bench,
	{ rows, only }: Scope,
	report: Report,
): AsyncGenerator<Part> {
	const keys = chosen(['j', 'h5'], only);
	if (keys.length === 0) return;
	report(`Executions at once: the service accepts ${PER_SECOND} requests per second`);
	await bench.restartN8n();
	for (const key of keys) await bench.runAtOnce(key, Math.min(rows, WARM_UP), []);
	const cases: BurstCase[] = [];
	for (const count of new Set(COUNTS.map((most) => Math.min(rows, most)))) {
		for (const [key, answers] of ANSWERS.filter(([candidate]) => keys.includes(candidate))) {
			for (const retryAfter of answers) {
				const burst = await bench.runAtOnce(key, count, limited(retryAfter));
				cases.push({ key, retryAfter, burst });
				report(`  ${line(key, retryAfter, burst)}`);
			}
		}
	}
	yield partOf(cases);
}

function limited(retryAfter: RetryAfter | undefined): FaultRule[] {
	if (retryAfter === undefined) return [];
	return [{ fault: { kind: 'rateLimit', perSecond: PER_SECOND, retryAfter } }];
}

function line(key: CandidateKey, retryAfter: RetryAfter | undefined, burst: Burst): string {
	const { executions, succeeded, landed, requests, refused, ms } = burst;
	return [
		`(${key}) ${CANDIDATES[key].title}, ${retryAfter ? `Retry-After: ${retryAfter}` : 'no limit'}`,
		`${succeeded} of ${executions} succeeded`,
		`${landed} jobs`,
		`${refused} of ${requests} refused`,
		`${seconds(ms)} s`,
	].join(', ');
}

function partOf(cases: BurstCase[]): Part {
	const header = [
		'Node',
		'service',
		'executions that succeeded',
		'jobs',
		'jobs twice',
		'requests',
		'refused',
		'limit’s own time, s',
		'took, s',
	];
	const lines = cases.map(({ key, retryAfter, burst }) => [
		named(key),
		retryAfter ? WAIT[retryAfter] : 'no limit',
		`${whole(burst.succeeded)} of ${whole(burst.executions)}`,
		whole(burst.landed),
		whole(burst.twice),
		whole(burst.requests),
		percent(burst.refused / burst.requests),
		retryAfter ? seconds(limitMs(burst.executions, PER_SECOND)) : '–',
		seconds(burst.ms),
	]);
	return {
		title: `Many executions at once, ${PER_SECOND} jobs per second`,
		body: [
			`All executions start at once, and each creates one job; the service accepts ${PER_SECOND} requests per second (a sliding window), and n8n has not used the account before. “Took” is from the first start to the end of the last execution; without a limit, it is n8n’s own time for this number of executions. The HTTP Request node does not read Retry-After, so it is measured with one form of it.`,
			table(header, lines, 2),
			targetList(targets(cases.filter(({ key }) => key === 'j'))),
		],
	};
}

/** @param cases those of this node */
function targets(cases: BurstCase[]): Target[] {
	const ours = cases.filter(({ retryAfter }) => retryAfter).map(({ burst }) => burst);
	if (ours.length === 0) return [];
	const own = (executions: number) =>
		cases.find(({ retryAfter, burst }) => !retryAfter && burst.executions === executions)?.burst
			.ms ?? 0;
	const allowed = ({ executions }: Burst) =>
		LONGER * limitMs(executions, PER_SECOND) + own(executions);
	return [
		atMost(
			'every execution succeeds',
			ours.map(({ executions, succeeded }) => executions - succeeded),
			0,
			(count) => `at most ${whole(count)} failed`,
		),
		atMost(
			'every job is there exactly once',
			ours.map(({ executions, landed, twice }) => executions - landed + twice),
			0,
			(count) => `at most ${whole(count)} missing or there twice`,
		),
		atMost(
			'at most 5 % of the requests are refused',
			ours.map(({ refused, requests }) => refused / requests),
			0.05,
			(share) => `at most ${percent(share)}`,
		),
		atMost(
			`all are done within ${LONGER} times the limit’s own time plus n8n’s own`,
			ours.map((burst) => burst.ms / allowed(burst)),
			1,
			(share) => `at most ${percent(share)} of that`,
		),
	];
}
