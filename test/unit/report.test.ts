import fc from 'fast-check';

import * as report from '../../nodes/BusinessListingSearch/run/told/report';
import type { FailedTask } from '../../nodes/BusinessListingSearch/run/task';
import { sentences } from '../../nodes/shared/errors/explain';

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
	const plan = { total, what };
	const text = sentences(report.countsOf(ledger, plan, shown), report.listsOf(ledger, shown));
	return text === '' ? undefined : text;
}

const many = (count: number, more: Partial<FailedTask> = {}) =>
	Array.from({ length: count }, (_, index) => failed(`Item ${index}`, more));

/** The failure that ended the run, whose reason the user sees anyway. */
const SHOWN = failed('Item 7');

it('adds nothing for a single failed item', () => {
	expect(summarize({ failed: [SHOWN] }, SHOWN)).toBeUndefined();
});

it.each<[what: string, tally: Partial<Tally>, shown: FailedTask | undefined, text: string]>([
	[
		'one of each',
		{ total: 3, done: 1, failed: [SHOWN] },
		SHOWN,
		'Of 3 items, 1 was done, 1 failed, 1 was not started.',
	],
	[
		'values',
		{ total: 7, what: 'values', done: 2, failed: [SHOWN] },
		SHOWN,
		'Of 7 values, 2 were done, 1 failed, 4 were not started.',
	],
	[
		'the jobs that must not be lost',
		{ total: 5, done: 2, ids: ['a-1', 'b-2'], failed: [SHOWN] },
		SHOWN,
		'Of 5 items, 2 were done, 1 failed, 2 were not started. Done, by job_id: a-1, b-2.',
	],
	[
		'why others failed',
		{ total: 3, failed: [failed('Item 3', { reason: 'No.' }), SHOWN, failed('Item 1')] },
		SHOWN,
		'Of 3 items, 0 were done, 3 failed, 0 were not started. Item 3: No. Item 1: It broke. Run it later.',
	],
	['a cancelled run', {}, undefined, 'Of 1 item, 0 were done, 0 failed, 1 was not started.'],
	[
		'what an earlier attempt did that is no longer part of the input',
		{ total: 2, done: 3, failed: [failed('Item 0', { reason: 'No.' })] },
		undefined,
		'Of 4 items, 3 were done, 1 failed, 0 were not started. Item 0: No.',
	],
])('describes %s', (_what, tally, shown, text) => {
	expect(summarize(tally, shown)).toBe(text);
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

	it('that may have been carried out are shown with their reason, even if it is the main one', () => {
		const [other] = many(1, { doubt: 'unknown' });
		expect(summarize({ total: 2, failed: [SHOWN, other!] }, SHOWN)).toContain(
			'Item 0: It broke. Run it later.',
		);
	});
});

it('lists all jobs, unless a retry is named, which returns them', () => {
	const ids = Array.from({ length: 101 }, (_, index) => ({ id: `job-${index}` }));
	const text = (namesRetry: boolean) =>
		report.listsOf({ done: 101, failed: [], ids }, undefined, namesRetry);
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
