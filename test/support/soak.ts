import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault, RecordedRequest } from '../../sandbox';
import type { EngineRun } from './engine';
import { status } from './faults';

/** The size of a soak. Set SOAK for more; fewer would meet too few faults. */
export const SOAK = Math.max(200, Number(process.env.SOAK ?? 0));
/** Set SOAK_SEED to repeat the same faults. */
export const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Sets the timeout for the tests of a file, and prints how to repeat them. */
export function useSoak(): void {
	jest.setTimeout(60_000 + SOAK * 100);
	beforeAll(() => {
		process.stdout.write(`Soak of SOAK=${SOAK} with SOAK_SEED=${SEED}\n`);
	});
}

/** Retried until it succeeds, by Retry On Fail if necessary. Every 503 here has Retry-After. */
export const TOLD_TO_WAIT: Fault[] = [
	status(429),
	status(429, { retryAfter: '1' }),
	status(503, { retryAfter: '1' }),
	{ kind: 'stall', status: 429 },
];
/** Not carried out. */
export const REJECTED: Fault[] = [status(400), { kind: 'successFalse' }];
/** The service itself reports a failure, and did nothing. Retry On Fail sends the request again. */
export const FAILED = [status(500)];
/** Outcome unknown, and carried out. Not even Retry On Fail sends it again. */
export const CARRIED_OUT: Fault[] = [
	{ kind: 'drop', carryOut: true },
	{ kind: 'cut', carryOut: true },
	{ kind: 'truncated', carryOut: true },
	{ kind: 'stall', after: 3, carryOut: true },
	{ kind: 'json', body: { id: 'elsewhere' }, carryOut: true },
	{ kind: 'raw', body: [...'created'].join('\0'), status: 201, carryOut: true },
];
/** Outcome unknown, and not carried out. Not even Retry On Fail sends it again. */
export const LOST: Fault[] = [
	{ kind: 'drop' },
	{ kind: 'html' },
	{ kind: 'stall', gzip: true },
	status(504),
	status(524),
];

const UNKNOWN_FAULTS = new Set(['drop', 'cut', 'truncated', 'stall', 'json', 'raw', 'html']);

/**
 * Whether the outcome of a request is unknown to the node. That includes one that was abandoned
 * because its execution was cancelled.
 */
export function isUnknown({
	fault,
	status: code,
}: Pick<RecordedRequest, 'fault' | 'status'>): boolean {
	// Whatever becomes of its body, it asks to wait.
	if (code === 429) return false;
	return UNKNOWN_FAULTS.has(fault ?? '') || code === undefined || code === 504 || code === 524;
}

export const MAYBE = 'may have been carried out';

export const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;

/** Nothing that may have been carried out is repeated. */
export function expectSentOnce(
	sent: RecordedRequest[][],
	mayFollow: (request: RecordedRequest) => boolean,
): void {
	for (const requests of sent) {
		expect(requests.slice(0, -1).filter((request) => !mayFollow(request))).toEqual([]);
		expect(requests.filter(({ carriedOut }) => carriedOut).length).toBeLessThanOrEqual(1);
	}
}

/** How many tasks a run reports as done, the jobs it lists, and the items it reports as unknown. */
export interface Told {
	done: number;
	ids: string[];
	maybe: number[];
}

/** Parses a summary, from an error or the log. */
export function toldIn(sum: string): Told {
	const done = Number(/(\d+) (?:was|were) done/.exec(sum)?.[1] ?? 0);
	const ids = /\(job_id: ([^)]*)\)/.exec(sum)?.[1]?.split(', ') ?? [];
	const label = /^(?:Item \d+|"item-\d+[^"]*"): /;
	const reasons = sum.split(/(?=Item \d+: |"item-)/).filter((part) => label.test(part));
	const listed = /Of these, the following may have been carried out: (.*?)\./.exec(sum)?.[1] ?? '';
	const maybe = reasons.filter((reason) => reason.includes(MAYBE)).map(itemIn);
	return { done, ids, maybe: [...maybe, ...(listed === '' ? [] : listed.split(', ').map(itemIn))] };
}

/** The number in the name of an item. */
export const itemIn = (text: string) => Number(/\d+/.exec(text)![0]);

/** What a run reports in its error, or in its output if it succeeded. */
export function told({ error, json }: Pick<EngineRun, 'error' | 'json'>): Told {
	if (!error) {
		return { done: json.length, ids: json.map(({ job_id }) => String(job_id)), maybe: [] };
	}
	// After a cancellation the error is n8n's own, without a summary.
	const [own = '', sum = ''] = (error.description ?? '').split(/(?=Of \d+ (?:items|values), )/);
	const { done, ids, maybe } = toldIn(sum);
	if (`${error.message} ${own}`.includes(MAYBE)) maybe.push(error.context.itemIndex as number);
	return { done, ids, maybe: maybe.sort((a, b) => a - b) };
}
