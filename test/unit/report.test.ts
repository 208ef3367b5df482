import fc from 'fast-check';

import type { Ledger } from '../../nodes/BusinessListingSearch/run/done/ledger';
import * as report from '../../nodes/BusinessListingSearch/run/told/report';
import type { FailedTask, Plan, RunContext } from '../../nodes/BusinessListingSearch/run/task';
import { sentences } from '../../nodes/shared/errors/explain';
import { advance, useClock } from '../support/clock';

useClock();

const failed = (label: string, more: Partial<FailedTask> = {}): FailedTask => ({
	label,
	reason: 'It broke. Run it later.',
	...more,
});
/** What a run has done. */
interface Tally {
	total: number;
	what: 'items' | 'values';
	done: number;
	/** The ids of jobs. */
	ids: string[];
	failed: FailedTask[];
}

/** The summary of a run. */
function summarize(
	{ total = 1, what = 'items', done = 0, ids = [], failed: list = [] }: Partial<Tally>,
	shown?: FailedTask,
): string | undefined {
	const ledger = { done, failed: list, ids: ids.map((id) => ({ id })) };
	const plan = { total, what, idField: 'job_id' };
	const text = sentences(report.countsOf(ledger, plan, shown), report.listsOf(ledger, plan, shown));
	return text === '' ? undefined : text;
}

const many = (count: number, more: Partial<FailedTask> = {}) =>
	Array.from({ length: count }, (_, index) => failed(`Item ${index}`, more));

/** The failure that ended the run, whose reason the user sees anyway. */
const SHOWN = failed('Item 7');

it('adds nothing for a single failed item', () => {
	expect(summarize({ failed: [SHOWN] }, SHOWN)).toBeUndefined();
});

it.each<[what: string, tally: Partial<Tally>, text: string]>([
	[
		'one that was done',
		{ total: 2, done: 1 },
		'Of 2 items, 1 was done, 1 failed, 0 were not started.',
	],
	[
		'one that was not started',
		{ total: 2 },
		'Of 2 items, 0 were done, 1 failed, 1 was not started.',
	],
	['many', { total: 321, done: 20 }, 'Of 321 items, 20 were done, 1 failed, 300 were not started.'],
	[
		'values',
		{ total: 7, what: 'values', done: 1 },
		'Of 7 values, 1 was done, 1 failed, 5 were not started.',
	],
	[
		'the jobs that must not be lost',
		{ total: 5, done: 2, ids: ['a-1', 'b-2'] },
		'Of 5 items, 2 were done, 1 failed, 2 were not started. Done, by job_id: a-1, b-2.',
	],
	[
		'that no job is to be lost',
		{ total: 5 },
		'Of 5 items, 0 were done, 1 failed, 4 were not started.',
	],
])('describes %s', (_what, more, text) => {
	expect(summarize({ failed: [SHOWN], ...more }, SHOWN)).toBe(text);
});

it('adds why others failed, without repeating the main reason', () => {
	const others = [failed('Item 3', { reason: 'No.' }), failed('Item 1', { reason: 'Not now.' })];
	expect(summarize({ total: 3, failed: [others[0]!, SHOWN, others[1]!] }, SHOWN)).toBe(
		'Of 3 items, 0 were done, 3 failed, 0 were not started. Item 3: No. Item 1: Not now.',
	);
});

it('counts a cancelled run without failures', () => {
	expect(summarize({ total: 5, done: 2 })).toBe(
		'Of 5 items, 2 were done, 0 failed, 3 were not started.',
	);
	expect(summarize({})).toBe('Of 1 item, 0 were done, 0 failed, 1 was not started.');
	expect(summarize({ what: 'values', failed: [failed('a@b.c', { reason: 'No.' })] })).toBe(
		'Of 1 value, 0 were done, 1 failed, 0 were not started. a@b.c: No.',
	);
});

describe('many failures', () => {
	it('of one reason are listed together: the first fifty', () => {
		const text = (count: number) => summarize({ total: 100, failed: many(count) })!;
		expect(text(2)).toMatch(/ Item 0, Item 1: It broke\. Run it later\.$/);
		expect(text(50)).toMatch(/, Item 49: It broke\. Run it later\.$/);
		expect(text(53)).toMatch(/, Item 49 and 3 more: It broke\. Run it later\.$/);
	});

	it('of other reasons are listed by themselves: the first fifty', () => {
		const each = Array.from({ length: 53 }, (_, index) =>
			failed(`Item ${index}`, { reason: `No ${index}.` }),
		);
		const text = summarize({ total: 100, failed: each })!;
		expect(text).toMatch(/ Item 48: No 48\. Item 49: No 49\. 3 more failed\.$/);
		each[51]!.doubt = 'unknown';
		const withUnknown = summarize({ total: 100, failed: each })!;
		expect(withUnknown).toMatch(/ Item 49: No 49\. Item 51: No 51\. 2 more failed\.$/);
	});

	it('do not count the main one', () => {
		const others = many(50, { reason: 'No.' });
		const text = summarize({ total: 100, failed: [SHOWN, ...others] }, SHOWN)!;
		expect(text).toContain('51 failed');
		expect(text).toMatch(/Item 49: No\.$/);
	});

	it('that may have been carried out are shown with their reason, even if it is the main one', () => {
		const [other] = many(1, { doubt: 'unknown' });
		expect(summarize({ total: 2, failed: [SHOWN, other!] }, SHOWN)).toContain(
			'Item 0: It broke. Run it later.',
		);
	});

	it('list all that may have been carried out', () => {
		const list = many(60);
		for (const index of [3, 50, 57]) list[index] = { ...list[index]!, doubt: 'unknown' };
		expect(summarize({ total: 60, failed: list })).toMatch(
			/, Item 49, Item 50, Item 57 and 8 more: It broke\. Run it later\.$/,
		);
	});
});

it('lists all jobs, unless a retry is named, which returns them', () => {
	const ids = Array.from({ length: 101 }, (_, index) => ({ id: `job-${index}` }));
	const text = (namesRetry: boolean) =>
		report.listsOf({ done: 101, failed: [], ids }, { idField: 'job_id' }, undefined, namesRetry);
	expect(text(false)).toBe(`Done, by job_id: ${ids.map(({ id }) => id).join(', ')}.`);
	expect(text(true)).toMatch(/job-99, and 1 more\. A retry returns all of them/);
});

it('accounts for every item, and lists every job and every failure with an unknown outcome', () => {
	const tallies = fc.record({
		done: fc.integer({ min: 1, max: 10_000 }),
		notStarted: fc.nat(10_000),
		ids: fc.array(fc.uuid(), { maxLength: 5 }),
		failures: fc.array(fc.boolean(), { maxLength: 200 }),
	});
	fc.assert(
		fc.property(tallies, ({ done, notStarted, ids, failures }) => {
			const list = failures.map((isUnknown, index) =>
				failed(`Value#${index}#`, isUnknown ? { doubt: 'unknown' } : {}),
			);
			const total = done + notStarted + list.length;
			const text = summarize({ total, done, ids: ids, failed: list })!;
			const sum = text.split('started.')[0]!;
			const numbers = sum.match(/\d+/g)!.map(Number);
			expect(numbers).toEqual([total, done, list.length, notStarted]);
			for (const id of ids) expect(text).toContain(id);
			for (const [index, { label, doubt }] of list.entries()) {
				if (index < 50 || doubt) expect(text).toContain(label);
			}
			expect(text).toMatch(/[^.]\.$/);
		}),
		{ numRuns: 50 },
	);
});

it('counts tasks of an earlier attempt that are no longer part of the input', () => {
	expect(summarize({ total: 2, done: 3, failed: [failed('Item 0', { reason: 'No.' })] })).toBe(
		'Of 4 items, 3 were done, 1 failed, 0 were not started. Item 0: No.',
	);
});

it('the log of a run has the progress at most every five seconds', async () => {
	const lines: string[] = [];
	const context = {
		logger: { info: (line: string) => lines.push(`${performance.now()}: ${line}`) },
		getNode: () => ({ name: 'Node' }),
		getExecutionId: () => undefined,
	} as unknown as RunContext;
	const ledger = { done: 0, failed: [] };
	const log = new report.Report(context, { total: 9 } as Plan, ledger as unknown as Ledger);
	for (const wait of [10, 4_989, 1, 1_000, 3_999, 2_001]) {
		await advance(wait);
		ledger.done += 1;
		log.progress();
	}
	expect(lines).toEqual(['5000: Node: 3 of 9 finished', '12000: Node: 6 of 9 finished']);
});
