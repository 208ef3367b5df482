import fc from 'fast-check';

import { summarize, type Tally } from '../../nodes/BusinessListingSearch/transport/summary';

const NOTHING: Tally = { done: 0, receipts: {}, alsoFailed: [], notStarted: 0 };

it('says nothing of a single item that failed', () => {
	expect(summarize(NOTHING)).toBeUndefined();
});

it.each<[what: string, tally: Partial<Tally>, text: string]>([
	[
		'one that was done',
		{ done: 1 },
		'Of 2 items, 1 was done, 1 did not succeed, 0 were not started.',
	],
	[
		'one that was not started',
		{ notStarted: 1 },
		'Of 2 items, 0 were done, 1 did not succeed, 1 was not started.',
	],
	[
		'many',
		{ done: 20, notStarted: 300 },
		'Of 321 items, 20 were done, 1 did not succeed, 300 were not started.',
	],
	[
		'the jobs that must not be lost',
		{ done: 2, receipts: { job_id: ['a-1', 'b-2'] }, notStarted: 2 },
		'Of 5 items, 2 were done (job_id: a-1, b-2), 1 did not succeed, 2 were not started.',
	],
	[
		'what must not be lost of more than one field',
		{ done: 2, receipts: { job_id: ['a'], list_id: ['b', 'c'] } },
		'Of 3 items, 2 were done (job_id: a; list_id: b, c), 1 did not succeed, 0 were not started.',
	],
	[
		'why others failed too',
		{
			alsoFailed: [
				{ item: 3, message: 'The service rejected the input.' },
				{ item: 1, message: 'The service did not answer in time.' },
			],
		},
		'Of 3 items, 0 were done, 3 did not succeed, 0 were not started. Item 3: The service rejected the input. Item 1: The service did not answer in time.',
	],
])('puts into words %s', (_what, tally, text) => {
	expect(summarize({ ...NOTHING, ...tally })).toBe(text);
});

it('counts a run that was cancelled, in which none need have failed', () => {
	expect(summarize({ ...NOTHING, done: 2, notStarted: 3 }, 0)).toBe(
		'Of 5 items, 2 were done, 0 did not succeed, 3 were not started.',
	);
	expect(summarize({ ...NOTHING, notStarted: 1 }, 0)).toBeUndefined();
});

it('counts whatever is to be done', () => {
	expect(summarize({ ...NOTHING, done: 1, notStarted: 2 }, 4, 'values')).toBe(
		'Of 7 values, 1 was done, 4 did not succeed, 2 were not started.',
	);
});

it('accounts for every item and names every receipt, whatever the numbers', () => {
	const tallies = fc.record({
		done: fc.nat(10_000),
		receipts: fc.record({ job_id: fc.array(fc.uuid(), { minLength: 1 }) }),
		alsoFailed: fc.array(fc.record({ item: fc.nat(), message: fc.constant('It broke.') })),
		notStarted: fc.nat(10_000),
	});
	fc.assert(
		fc.property(tallies, (tally) => {
			const { done, receipts, alsoFailed, notStarted } = tally;
			fc.pre(done + alsoFailed.length + notStarted > 0);
			const text = summarize(tally)!;
			const [total, ...parts] = text
				.replace(/\(.*?\)/, '')
				.split('Item', 1)[0]!
				.match(/\d+/g)!
				.map(Number);
			expect(parts).toEqual([done, alsoFailed.length + 1, notStarted]);
			expect(total).toBe(parts.reduce((sum, part) => sum + part));
			for (const id of receipts.job_id) expect(text).toContain(id);
			for (const { item } of alsoFailed) expect(text).toContain(`Item ${item}: It broke.`);
			expect(text).toMatch(/[^.]\.$/);
		}),
	);
});
