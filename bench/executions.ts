import type { Report } from '../n8n/report';
import type { FaultRule } from '../sandbox';
import type { Bench, Burst } from './bench';
import { CANDIDATES, type CandidateKey } from './candidates';
import type { Scope } from './options';
import { chosen } from './runs';

/** The form of Retry-After in a refusal. */
export type RetryAfter = 'seconds' | 'date' | 'none';

export interface BurstCase {
	key: CandidateKey;
	/** Undefined if the service has no limit. */
	retryAfter?: RetryAfter;
	burst: Burst;
}

export interface ExecutionsResult {
	perSecond: number;
	cases: BurstCase[];
}

const PER_SECOND = 5;
const COUNTS = [100, 200];
/** The HTTP Request node does not read Retry-After, so it is measured with one form of it. */
const ANSWERS: Array<[CandidateKey, Array<RetryAfter | undefined>]> = [
	['j', [undefined, 'seconds', 'date', 'none']],
	['h5', ['seconds']],
];
const WARM_UP = 20;

/**
 * Measures many executions at once, one job each, against a service that accepts few requests per
 * second.
 * @param rows the maximum number of executions, for a trial
 */
export async function measureExecutions(
	bench: Bench,
	{ rows, only }: Scope,
	report: Report,
): Promise<ExecutionsResult | undefined> {
	const keys = chosen(['j', 'h5'], only);
	if (keys.length === 0) return undefined;
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
	return { perSecond: PER_SECOND, cases };
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
		`${(ms / 1000).toFixed(1)} s`,
	].join(', ');
}
