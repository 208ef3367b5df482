import { split } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/split';
import {
	DistinctValues,
	type Row,
} from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/distinctValues';
import type {
	Gathered,
	Settings,
} from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/gather';
import { outputItems } from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/output';
import { BY_EXPRESSION } from '../support/parameters';

const ROW: Row = {
	index: 0,
	listKey: 'of account one',
	summaryKey: 'of account one',
	blacklist: 'customers',
	type: 'domain',
	values: undefined,
};

/** The values of rows. A row is its values, unless it says more. */
function gather(rows: Array<Partial<Row>>, options: Partial<Settings> = {}): Gathered {
	const defaults: Settings = { isDry: false, output: 'summary', limits: {}, connection: {} };
	const settings = { ...defaults, ...options };
	const distinct = new DistinctValues(BY_EXPRESSION);
	const blacklists: Gathered['blacklists'] = new Map();
	const occurrences: Gathered['occurrences'] = [];
	for (const [index, part] of rows.entries()) {
		const row = { ...ROW, index, ...part };
		const { blacklist, summaryKey } = row;
		const { rows: named } = blacklists.get(summaryKey) ?? { rows: [] };
		blacklists.set(summaryKey, { blacklist, rows: [...named, index] });
		for (const part of split(row.values)) {
			if (part !== '') occurrences.push({ row: index, value: distinct.add(row, part) });
		}
	}
	return { settings, values: distinct.values, blacklists, occurrences, refused: [] };
}

const rowsOf = (...rows: unknown[]) => rows.map((values) => ({ values }));

/** The output when the service accepts every value. */
function outputOf(gathered: Gathered) {
	for (const value of gathered.values) if (value.status === 'pending') value.status = 'added';
	return outputItems(gathered);
}

const EACH_VALUE = { output: 'items' } as const;

describe('the values of the rows', () => {
	it.each<[string, unknown[], string[]]>([
		['nothing', [undefined, null, '', ' ,;\n', [], [null, undefined, '']], []],
		['a number', [0, [42]], ['0', '42']],
		['anything but text', [true, { a: 1 }, [['a']]], ['true', '{"a":1}', '["a"]']],
	])('from %s are gathered once each', (_what, values, expected) => {
		expect(gather(rowsOf(...values)).values.map(({ value }) => value)).toEqual(expected);
	});

	it('are each invalid for their own reason, also if they look the same', () => {
		const NOT_TEXT =
			'is not text: choose a field in "Values", e.g. {{ $json.emails.map(e => e.email) }}';
		const { values } = gather([{ type: 'cid', values: [0.5, '0.5', false, 'false'] }]);
		expect(values.map(({ value, reason }) => `${value} ${reason}`)).toEqual([
			`0.5 ${NOT_TEXT}`,
			'0.5 is not a CID',
			`false ${NOT_TEXT}`,
			'false is not a CID',
		]);
	});

	it.each<[what: string, row: Partial<Row>, ...reasons: string[]]>([
		[
			'numbers that JavaScript has rounded',
			{ type: 'cid', values: [Number('12345678901234567')] },
			'has lost its last digits where it was read: make the column a text there, and read it again',
		],
		[
			'shared by many businesses, with the way to add them all the same',
			{ values: 'https://m.yelp.de/biz/example, gmail.com' },
			'is on yelp.de, a shared site: to exclude all of it, type it in Add Item',
			'is the domain of a mail provider, which many businesses share: to exclude all of it, type it in Add Item',
		],
	])('are invalid if they are %s', (_what, row, ...reasons) => {
		expect(gather([row]).values.map(({ reason }) => reason)).toEqual(reasons);
	});

	it('are distinct per blacklist and type', () => {
		const values = 'ChIJLU7jZClu5kcR4PcOOO6p3I0';
		const gathered = gather([
			{ listKey: 'one', blacklist: 'one', type: 'auto', values },
			{ listKey: 'one', blacklist: 'one', type: 'cid', values },
			{ listKey: 'one', blacklist: 'one', type: 'place_id', values },
			{ listKey: 'two', blacklist: 'two', type: 'place_id', values },
		]);
		expect(gathered.values.map(({ blacklist, type, status }) => [blacklist, type, status])).toEqual(
			[
				['one', 'place_id', 'pending'],
				['one', 'cid', 'invalid'],
				['two', 'place_id', 'pending'],
			],
		);
	});

	it('are shortened in the output if they are invalid and very long', () => {
		const [item] = outputOf(gather(rowsOf('x'.repeat(10_001))));
		expect(item!.json.problems).toMatchObject([{ value: `${'x'.repeat(79)}…` }]);
	});
});

describe('repeated values', () => {
	const list = ['a.example', 'no domain', 'b.example, a.example', 'no domain', 7, 'x'];
	const text = list.join('\n');

	it('are counted, and each problem is listed once', () => {
		expect(outputOf(gather(rowsOf([...list], text, text)))).toEqual([
			{
				json: {
					...{ blacklist: 'customers', added: 2, duplicates: 7, invalid: 12, failed: 0 },
					problems: ['no domain', '7', 'x'].map((value) => ({
						...{ value, type: 'domain', reason: expect.any(String) },
					})),
				},
				pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
			},
		]);
	});

	it('are an item each with Each Value', () => {
		const row = { values: ['a.example', 'x, x'] };
		expect(outputOf(gather([row, row], EACH_VALUE))).toMatchObject([
			{ json: { value: 'a.example', status: 'added' }, pairedItem: { item: 0 } },
			{ json: { value: 'x', status: 'invalid' }, pairedItem: { item: 0 } },
			{ json: { value: 'x', status: 'invalid' }, pairedItem: { item: 0 } },
			{ json: { value: 'a.example', status: 'duplicate' }, pairedItem: { item: 1 } },
			{ json: { value: 'x', status: 'invalid' }, pairedItem: { item: 1 } },
			{ json: { value: 'x', status: 'invalid' }, pairedItem: { item: 1 } },
		]);
	});

	it('are also duplicates of a failed value', () => {
		const gathered = gather(rowsOf('a.example', 'a.example'), EACH_VALUE);
		Object.assign(gathered.values[0]!, { status: 'failed', reason: 'it was refused' });
		expect(outputItems(gathered).map(({ json }) => [json.status, json.reason])).toEqual([
			['failed', 'it was refused'],
			['duplicate', undefined],
		]);
		gathered.settings.output = 'summary';
		expect(outputItems(gathered)).toMatchObject([
			{ json: { added: 0, failed: 1, duplicates: 1, problems: [{ reason: 'it was refused' }] } },
		]);
	});
});
