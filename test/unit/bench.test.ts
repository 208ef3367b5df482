import type { Burst, Run } from '../../bench/bench';
import type { CandidateKey } from '../../bench/candidates';
import type { RetryAfter } from '../../bench/executions';
import { median } from '../../bench/figures';
import { readOptions, SECTIONS } from '../../bench/options';
import { renewed, stamped } from '../../bench/page';
import { summed, type Recorded } from '../../bench/recorded';
import type { Runs } from '../../bench/runs';
import {
	capacityTargets,
	defaultsTargets,
	executionsTargets,
	limitTargets,
	targetList,
	type Target,
} from '../../bench/targets';

/** The targets that were missed. */
const missed = (targets: Target[]) =>
	targets.filter(({ isMet }) => !isMet).map(({ what, seen }) => `${what}: ${seen}`);

it('the median is the middle value, or the mean of the two in the middle', () => {
	expect(median([10, 1, 2])).toBe(2);
	expect(median([10, 1, 2, 4])).toBe(3);
	expect(median([])).toBeNaN();
});

describe('what the recorded requests say', () => {
	const request = (at: number, endedAt: number | undefined, status = 200) => ({
		at,
		endedAt,
		status,
	});

	it('how many were refused, the typical response time and the total time', () => {
		const requests = [request(10, 30), request(20, 100), request(40, 41, 429)];
		expect(summed(requests)).toMatchObject({ refused: 1, answerMs: 20, servedMs: 90 });
	});

	it.each([
		['all', [request(0, 5), request(5, 9), request(12, 20)], 3],
		['the first two', [request(0, 5), request(6, 9), request(9, 20), request(15, 30)], 2],
		['none', [request(0, 5), request(1, 3)], 0],
		['none, as the first has no answer', [request(0, undefined), request(9, 10)], 0],
		['the only one', [request(0, 5)], 1],
	])('how many were sent one by one at first: %s', (_what, requests, count) => {
		expect(summed(requests).oneByOne).toBe(count);
	});
});

describe('executions at once', () => {
	const burst = (changes: Partial<Burst> = {}): Burst => ({
		executions: 100,
		succeeded: 100,
		ms: 33_000,
		landed: 100,
		twice: 0,
		requests: 105,
		refused: 5,
		...changes,
	});
	const own = { key: 'j' as const, burst: burst({ ms: 10_000, refused: 0 }) };
	const targets = (changes?: Partial<Burst>, key: CandidateKey = 'j') =>
		executionsTargets({
			perSecond: 5,
			cases: [own, { key, retryAfter: 'seconds' as RetryAfter, burst: burst(changes) }],
		});

	it('meet all targets: the limit itself takes 20 s, n8n 10 s', () => {
		expect(targets()).toHaveLength(4);
		expect(missed(targets())).toEqual([]);
	});

	it.each([
		['succeeds', { succeeded: 99 }],
		['exactly once', { landed: 99 }],
		['exactly once', { twice: 1 }],
		['refused', { refused: 6 }],
		['done within', { ms: 33_001 }],
	])('%s: missed by %j', (what, changes) => {
		const [only, ...others] = missed(targets(changes));
		expect(only).toContain(what);
		expect(others).toEqual([]);
	});

	it('the HTTP Request node has no targets', () => {
		expect(targets({ succeeded: 1 }, 'h5')).toEqual([]);
	});
});

/** A run of each candidate that takes this many milliseconds. */
function runsOf(times: Partial<Record<CandidateKey, number | Partial<Run>>>): Runs {
	const recorded: Recorded = { refused: 0, oneByOne: 8, answerMs: 20, servedMs: 2_500 };
	const run: Run = {
		rows: 1_000,
		nodeMs: 1_000,
		landed: 1_000,
		requests: 1_000,
		requestsMs: 1_000,
		mostInFlight: 10,
		recorded,
	};
	return new Map(
		Object.entries(times).map(([key, value]) => [
			key as CandidateKey,
			[{ ...run, ...(typeof value === 'number' ? { nodeMs: value } : value) }],
		]),
	);
}

describe('nothing set', () => {
	const result = (delay: number, adds: Runs, jobs = runsOf({ j: 8_000 })) => ({
		adds: [{ delay, runs: adds }],
		jobs: { delay: 200, runs: jobs },
	});
	const exact = { a0: 900, b0: 600, c0: 600, d2: 900 };

	it.each([0, 5, 50])('at %i ms as fast as HTTP Request, Add Many Items 1.5 times', (delay) => {
		expect(missed(defaultsTargets(result(delay, runsOf(exact))))).toEqual([]);
		const slower = runsOf({ ...exact, a0: 901, b0: 601, c0: 601 });
		expect(missed(defaultsTargets(result(delay, slower)))).toHaveLength(3);
	});

	it('at 200 ms 1.5 times as long, and at most 50 in flight', () => {
		const slow = { d2: 900, a0: 1_350, b0: { mostInFlight: 50 } };
		expect(missed(defaultsTargets(result(200, runsOf(slow))))).toEqual([]);
		const slower = runsOf({ ...slow, a0: 1_351, b0: { mostInFlight: 51 } });
		expect(missed(defaultsTargets(result(200, slower)))).toHaveLength(2);
	});

	it.each([
		['8 s', { nodeMs: 8_001 }],
		['in flight', { mostInFlight: 11 }],
		['one by one', { recorded: { refused: 0, oneByOne: 7, answerMs: 200, servedMs: 1 } }],
	])('jobs, %s: missed by %j', (what, job) => {
		const [only, ...others] = missed(defaultsTargets(result(0, runsOf(exact), runsOf({ j: job }))));
		expect(only).toContain(what);
		expect(others).toEqual([]);
	});

	it('a candidate that did not take part has no target', () => {
		expect(defaultsTargets(result(0, runsOf({ a0: 1 }), runsOf({})))).toEqual([]);
	});
});

describe('a limit of 50 a second', () => {
	const targets = (a: Partial<Run>) => missed(limitTargets({ perSecond: 50, runs: runsOf({ a }) }));
	const kept = { requests: 1_005, requestsMs: 22_000 };

	it('meets all targets: the limit itself takes 20 s', () => {
		expect(targets(kept)).toEqual([]);
	});

	it.each([
		['every row', { landed: 999, requests: 1_000 }],
		['refused', { requests: 1_006 }],
		['own time', { requestsMs: 22_001 }],
	])('%s: missed by %j', (what, changes) => {
		const [only, ...others] = targets({ ...kept, ...changes });
		expect(only).toContain(what);
		expect(others).toEqual([]);
	});
});

describe('a capacity', () => {
	const recorded = (answerMs: number, servedMs: number) => ({
		recorded: { refused: 0, oneByOne: 0, answerMs, servedMs },
	});
	const targets = (a0: Partial<Run>) =>
		missed(
			capacityTargets({
				atOnce: 8,
				ms: 20,
				runs: runsOf({ e50: recorded(120, 2_700), e1: recorded(20, 20_000), a0 }),
			}),
		);

	it('90 % of the best throughput, and three times the response time of an idle service', () => {
		expect(targets(recorded(60, 2_999))).toEqual([]);
		expect(targets(recorded(60, 3_001))).toHaveLength(1);
		expect(targets(recorded(61, 2_999))).toHaveLength(1);
	});
});

it('a list of targets says what is missed', () => {
	const target = { what: 'fast', seen: '2 s' };
	expect(targetList([{ ...target, isMet: true }])).toBe('- Met: fast. Seen: 2 s.');
	expect(targetList([{ ...target, isMet: false }])).toBe('- **Missed**: fast. Seen: 2 s.');
});

describe('the page', () => {
	const section = (title: string, text: string) =>
		stamped(
			{ title, body: [text] },
			{
				command: 'npm run bench',
				versions: { n8n: '2', node: '24', benchNode: '20' },
				date: new Date(0),
			},
		);
	const [one, two] = [section('One', 'old one'), section('Two', 'old two')];

	it('says how and when each section was measured', () => {
		expect(one).toContain('## One\n\nFrom `npm run bench`; 1970-01-01 00:00 UTC; n8n 2 on');
	});

	it('keeps the other sections, in their places', () => {
		const page = renewed([section('One', 'new'), section('Three', 'new')], renewed([one, two]));
		expect(page.match(/^## .*/gm)).toEqual(['## One', '## Two', '## Three']);
		expect(page).not.toContain('old one');
		expect(page).toContain('old two');
		expect(page.match(/^# .*/gm)).toHaveLength(1);
	});

	it('is created if there is none', () => {
		expect(renewed([one])).not.toContain('## Two');
	});
});

describe('the options', () => {
	it('take all sections, or those asked for, in their order', () => {
		expect(readOptions([])).toMatchObject({ sections: SECTIONS });
		const asked = readOptions(['--sections', 'queue,executions']);
		expect(asked).toMatchObject({ sections: ['executions', 'queue'] });
		expect(() => readOptions(['--sections', 'quue'])).toThrow('not "quue"');
	});
});
