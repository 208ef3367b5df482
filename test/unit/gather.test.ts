import type { IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';

import { gather } from '../../nodes/BusinessListingSearch/resources/blacklist/gather';
import { outputItems } from '../../nodes/BusinessListingSearch/resources/blacklist/outcome';
import { heapInUse } from '../support/heap';

/** The value of an expression for a row; it may throw. */
type Expression = (row: number) => unknown;

interface Step {
	parameters?: Partial<Record<'blacklist' | 'type' | 'values', string | Expression>>;
	options?: INodeParameters;
	rows?: number;
	continues?: boolean;
}

/** A context that reads parameters and records the rows for which each was read. */
function stepOf({ parameters = {}, options = {}, rows = 1, continues = false }: Step) {
	const set: Record<string, unknown> = { blacklist: 'customers', type: 'domain', ...parameters };
	const read: Record<string, number[]> = {};
	const node = {
		name: 'Business Listing Search',
		parameters: Object.fromEntries(
			Object.entries(set).map(([name, value]) => [
				name,
				typeof value === 'function' ? '={{ … }}' : value,
			]),
		),
	} as INode;
	const context = {
		getInputData: () => Array.from({ length: rows }, () => ({ json: {} })),
		getNode: () => node,
		continueOnFail: () => continues,
		getNodeParameter: (name: string, row: number, fallback: unknown) => {
			if (name === 'options') return options;
			if (!(name in set)) return fallback;
			(read[name] ??= []).push(row);
			const value = set[name];
			return typeof value === 'function' ? (value as Expression)(row) : value;
		},
	} as unknown as IExecuteFunctions;
	return { context, read };
}

const gatherFrom = (step: Step) => gather(stepOf(step).context);

/** The output of a step after all pending values were added. */
async function outputOf(step: Step) {
	const gathered = await gatherFrom(step);
	for (const value of gathered.values) if (value.status === 'pending') value.status = 'added';
	return outputItems(gathered);
}

const valuesOf = (...values: unknown[]): Step => ({
	parameters: { values: (row) => values[row] },
	rows: values.length,
});
const items = { output: 'items' };

describe('the values of the rows', () => {
	it.each<[string, unknown[], string[]]>([
		['a text of one value', ['a.example'], ['a.example']],
		[
			'a text of many',
			['a.example, b.example\nc.example'],
			['a.example', 'b.example', 'c.example'],
		],
		['a list', [['a.example', 'b.example; c.example']], ['a.example', 'b.example', 'c.example']],
		['nothing', [undefined, null, '', ' ,;\n', [], [null, undefined, '']], []],
		['different spellings of a value', ['a.example', 'https://www.A.example/'], ['a.example']],
		['repeated values in a row', [['a.example', 'a.example, a.example']], ['a.example']],
		['a number', [0, [42]], ['0', '42']],
		['a fraction', [2 ** 60, 0.5], [String(2 ** 60), '0.5']],
		['anything but text', [true, { a: 1 }, [['a']]], ['true', '{"a":1}', '["a"]']],
	])('from %s are gathered once each', async (_what, values, expected) => {
		const gathered = await gatherFrom(valuesOf(...values));
		expect(gathered.values.map(({ value }) => value)).toEqual(expected);
	});

	it('are pending, or invalid with a reason, and refer to their first row', async () => {
		const { values } = await gatherFrom(valuesOf('', ['a.example', 'a b'], ['a.example', 'a b']));
		expect(values).toEqual([
			{ row: 1, blacklist: 'customers', type: 'domain', value: 'a.example', status: 'pending' },
			{
				row: 1,
				blacklist: 'customers',
				type: 'domain',
				value: 'a b',
				status: 'invalid',
				reason: 'contains a space',
				times: 2,
			},
		]);
	});

	it('are invalid if they are numbers that JavaScript has rounded', async () => {
		const rounded = Number('12345678901234567');
		const parameters = { type: 'cid', values: () => [rounded] };
		const { values } = await gatherFrom({ parameters });
		expect(values).toMatchObject([
			{ status: 'invalid', reason: 'is not an exact whole number; pass it as text' },
		]);
	});

	it('are not mixed up with invalid entries that look the same', async () => {
		const { values } = await gatherFrom({
			parameters: { type: 'place_id', values: () => [true, 'true'] },
			options: { cleanValues: 'false' },
		});
		expect(values.map(({ value, status }) => [value, status])).toEqual([
			['true', 'invalid'],
			['true', 'pending'],
		]);
	});

	it('are each invalid for their own reason, also if they look the same', async () => {
		const parameters = { type: 'cid', values: () => [0.5, '0.5', false, 'false'] };
		const { values } = await gatherFrom({ parameters });
		expect(values.map(({ value, reason }) => `${value} ${reason}`)).toEqual([
			'0.5 is not an exact whole number; pass it as text',
			'0.5 is not a CID',
			'false is not text',
			'false is not a CID',
		]);
	});

	it('are each invalid for their own type, also if the reason is the same', async () => {
		const { values } = await gatherFrom({
			parameters: { type: (row) => ['domain', 'email'][row], values: 'a b@c.example' },
			rows: 2,
		});
		expect(values.map(({ type, status, times }) => [type, status, times])).toEqual([
			['domain', 'invalid', 1],
			['email', 'invalid', 1],
		]);
	});

	it('are shortened in the output if they are invalid and very long', async () => {
		const [item] = await outputOf(valuesOf('x'.repeat(3_000)));
		expect(item!.json.problems).toMatchObject([{ value: `${'x'.repeat(80)}…` }]);
	});

	it('are distinct per blacklist and type', async () => {
		const types = ['auto', 'cid', 'place_id', 'place_id'];
		const { values } = await gatherFrom({
			parameters: {
				blacklist: (row) => (row < 3 ? 'one' : 'two'),
				type: (row) => types[row],
				values: 'ChIJLU7jZClu5kcR4PcOOO6p3I0',
			},
			rows: 4,
		});
		expect(values.map(({ blacklist, type, status }) => [blacklist, type, status])).toEqual([
			['one', 'place_id', 'pending'],
			['one', 'cid', 'invalid'],
			['two', 'place_id', 'pending'],
		]);
	});

	it('are not changed with Clean Values off', async () => {
		const { values } = await gatherFrom({
			...valuesOf('www.a.example', 'https://a.example'),
			options: { cleanValues: 'false' },
		});
		expect(values.map(({ value, status }) => [value, status])).toEqual([
			['www.a.example', 'pending'],
			['https://a.example', 'invalid'],
		]);
	});

	it.each<[string, INodeParameters, (text: string) => unknown]>([
		['texts', {}, (text) => text],
		['texts, with Clean Values off', { cleanValues: 'false' }, (text) => text],
		['lists, with Clean Values off', { cleanValues: 'false' }, (text) => text.split(';')],
	])('of %s do not keep their source texts in memory', async (_what, options, valuesOf) => {
		const value = (index: number) => `Site-number-${index}.example.com`;
		const filler = ' '.repeat(1_000_000);
		// An expression that builds a new text for each row, with one new value in it.
		const before = heapInUse();
		const { values } = await gatherFrom({
			parameters: { values: (row) => valuesOf(`${value(row)};${row}${filler}`) },
			options,
			rows: 500,
		});
		const grown = heapInUse() - before;
		expect(values).toHaveLength(1_000);
		// 500 MB of texts
		expect(grown).toBeLessThan(50_000_000);
	});
});

describe('repeated values', () => {
	const list = ['a.example', 'no domain', 'b.example, a.example', 'no domain', 7, 'x'];
	const text = list.join('\n');

	it.each<[string, Step]>([
		['by expression', { parameters: { values: () => [...list] }, rows: 3 }],
		['in a text', { parameters: { values: (row) => `${'\n'.repeat(row)}${text}` }, rows: 3 }],
		['in the same text', { parameters: { values: text }, rows: 3 }],
	])('are counted %s, and problems are listed as often as they occur', async (_how, step) => {
		const [item] = await outputOf(step);
		expect(item).toEqual({
			json: {
				blacklist: 'customers',
				added: 2,
				duplicates: 7,
				invalid: 12,
				failed: 0,
				problems: [...Array<string>(6).fill('no domain'), '7', '7', '7', 'x', 'x', 'x'].map(
					(value) => ({ value, type: 'domain', reason: expect.any(String) }),
				),
			},
			pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
		});
	});

	it('are listed once each after 10,000 of them', async () => {
		const [item] = await outputOf({ parameters: { values: () => ['x', 'y'] }, rows: 20_000 });
		const { invalid, problems } = item!.json as { invalid: number; problems: unknown[] };
		expect(invalid).toBe(40_000);
		expect(problems).toHaveLength(10_002);
	});

	it.each<[string, Step]>([
		['by expression', { parameters: { values: () => ['a.example', 'x', 'x'] }, rows: 2 }],
		['in the same text', { parameters: { values: 'a.example, x, x' }, rows: 2 }],
	])('are an item each with Each Value, %s', async (_how, step) => {
		const output = await outputOf({ ...step, options: items });
		const common = { blacklist: 'customers', type: 'domain' };
		const invalid = { ...common, value: 'x', status: 'invalid', reason: expect.any(String) };
		const valid = { ...common, value: 'a.example' };
		expect(output).toEqual([
			{ json: { ...valid, status: 'added' }, pairedItem: { item: 0 } },
			{ json: invalid, pairedItem: { item: 0 } },
			{ json: invalid, pairedItem: { item: 0 } },
			{ json: { ...valid, status: 'duplicate' }, pairedItem: { item: 1 } },
			{ json: invalid, pairedItem: { item: 1 } },
			{ json: invalid, pairedItem: { item: 1 } },
		]);
	});

	it('are also duplicates of a failed value', async () => {
		const gathered = await gatherFrom({ ...valuesOf('a.example', 'a.example'), options: items });
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

describe('a parameter without an expression', () => {
	it('is read once for all rows', async () => {
		const constant = stepOf({ parameters: { values: 'a.example' }, rows: 3 });
		const gathered = await gather(constant.context);
		expect(constant.read).toEqual({ blacklist: [0], type: [0], values: [0] });
		expect(gathered.tallies.get('customers')).toMatchObject({ valid: 3, distinct: 1 });

		const varied = stepOf({ parameters: { values: () => 'a.example' }, rows: 3 });
		await gather(varied.context);
		expect(varied.read).toEqual({ blacklist: [0], type: [0], values: [0, 1, 2] });
	});

	it('is split and cleaned once for each blacklist', async () => {
		const text = Array.from({ length: 100_000 }, (_, index) => `site-${index}.example`).join();
		const { values, tallies } = await gatherFrom({
			parameters: { blacklist: (row) => (row % 2 ? 'odd' : 'even'), values: text },
			rows: 2_000,
		});
		expect(values).toHaveLength(200_000);
		expect(tallies.get('odd')).toMatchObject({ valid: 100_000_000, distinct: 100_000 });
	});
});

describe('invalid input', () => {
	it.each<[string, Step, string]>([
		['an empty blacklist', { parameters: { blacklist: ' ' } }, '"Blacklist" is empty'],
		['a list of blacklists', { parameters: { blacklist: () => ['a'] } }, '"Blacklist" is a list'],
		['an unknown type', { parameters: { type: 'phone' } }, '"Type" is unknown'],
		['an unknown output', { options: { output: 'all' } }, '"Output" is neither'],
		['a text for Clean Values', { options: { cleanValues: 'yes' } }, '"Clean Values" is neither'],
		['a fractional concurrency', { options: { concurrency: 2.5 } }, '"Concurrency" is not'],
		['too much concurrency', { options: { concurrency: 51 } }, '"Concurrency" is not'],
	])('%s is refused', async (_what, step, message) => {
		const refusal = { message: expect.stringContaining(message), context: { itemIndex: 0 } };
		await expect(gatherFrom(step)).rejects.toMatchObject(refusal);
	});

	it('becomes its own item with Continue, and the other rows are processed', async () => {
		const lists = ['one', '', 'two', '..', 'one'];
		const step: Step = {
			parameters: {
				blacklist: (row) => lists[row],
				values: (row) => {
					if (row === 2) throw new Error('No such field');
					return 'a.example';
				},
			},
			rows: lists.length,
		};
		const output = await outputOf({ ...step, continues: true });
		expect(output).toMatchObject([
			{
				json: { blacklist: 'one', added: 1, duplicates: 1 },
				pairedItem: [{ item: 0 }, { item: 4 }],
			},
			{ json: { error: '"Blacklist" is empty' }, pairedItem: { item: 1 } },
			{ json: { error: 'No such field' }, pairedItem: { item: 2 } },
			{ json: { error: '"Blacklist" cannot be ".."' }, pairedItem: { item: 3 } },
		]);
		expect(output.slice(1).map(({ json }) => Object.keys(json))).toEqual(
			Array(3).fill(['error', 'message']),
		);
		await expect(gatherFrom(step)).rejects.toMatchObject({ context: { itemIndex: 1 } });
	});

	it.each<[string, Step]>([
		['an invalid option', { options: { concurrency: 0 } }],
		['too many values', { options: items, parameters: { values: 'a,'.repeat(60_000) } }],
	])('applies to every row if it is %s', async (_what, step) => {
		const output = await outputOf({ ...step, rows: 3, continues: true });
		const json = { error: expect.any(String), message: expect.any(String) };
		expect(output).toEqual([0, 1, 2].map((item) => ({ json, pairedItem: { item } })));
	});
});

describe('the settings', () => {
	it.each([
		[{}, { cleans: true, concurrency: undefined, output: 'summary' }],
		[
			{ cleanValues: false, concurrency: '7', output: 'items' },
			{ cleans: false, concurrency: 7, output: 'items' },
		],
	])('of %j', async (options, expected) => {
		const { settings } = await gatherFrom({ options });
		expect(settings).toMatchObject(expected);
	});
});

describe('Each Value', () => {
	const rowsOf = (rows: number): Step => ({
		parameters: { values: () => Array.from({ length: 1_000 }, (_, index) => `s${index}.example`) },
		options: items,
		rows,
	});

	it('supports up to 100,000 values', async () => {
		expect(await outputOf(rowsOf(100))).toHaveLength(100_000);
	});

	it('rejects one more', async () => {
		const step = { ...rowsOf(1), parameters: { values: 'a.example,'.repeat(100_001) } };
		await expect(gatherFrom(step)).rejects.toThrow('"Output" cannot be "Each Value"');
	});

	it('rejects more as early as possible', async () => {
		const { context, read } = stepOf(rowsOf(2_000));
		await expect(gather(context)).rejects.toMatchObject({
			message: '"Output" cannot be "Each Value" for more than 100,000 values',
			description: 'Choose "Summary", or split the values across several runs.',
		});
		expect(read.values).toHaveLength(101);
	});
});

describe('many values', () => {
	/** The longest time that the event loop was blocked, in milliseconds. */
	async function longestHold(work: () => Promise<unknown>): Promise<number> {
		let longest = 0;
		let last = performance.now();
		const tick = () => {
			const now = performance.now();
			longest = Math.max(longest, now - last);
			last = now;
			next = setImmediate(tick);
		};
		let next = setImmediate(tick);
		await work();
		clearImmediate(next);
		return Math.max(longest, performance.now() - last);
	}

	const addresses = Array.from({ length: 2_000 }, (_, index) => `User.${index}@Example.com`);

	it.each<[string, Expression]>([
		['a list of all', () => [...addresses]],
		['a text of all', (row) => `${'\n'.repeat(row)}${addresses.join(', ')}`],
		['lists in a list', () => addresses.map((address) => `${address}; nobody`)],
	])('of rows with %s each do not block the event loop', async (_what, values) => {
		const longest = await longestHold(async () => {
			const gathered = await gatherFrom({ parameters: { type: 'auto', values }, rows: 2_000 });
			const valid = gathered.values.filter(({ status }) => status === 'pending');
			expect(valid).toHaveLength(2_000);
			expect(gathered.tallies.get('customers')).toMatchObject({
				valid: 4_000_000,
				distinct: 2_000,
			});
			expect(outputItems(gathered)).toMatchObject([{ json: { duplicates: 3_998_000 } }]);
		});
		expect(longest).toBeLessThan(1_000);
	});

	it.each([
		['commas', ','],
		['one value', 'a'],
		['line breaks', 'a.example\n'],
		['a Google Maps link', ',+Berlin'],
	])(
		'in a text of ten million characters, %s, do not block the event loop',
		async (_what, unit) => {
			const text = `google.com/maps/${unit.repeat(10_000_000 / unit.length)}`;
			const longest = await longestHold(() => gatherFrom({ parameters: { values: text } }));
			expect(longest).toBeLessThan(1_000);
		},
	);

	it('are not read after a cancellation', async () => {
		const cancellation = new AbortController();
		const { context, read } = stepOf({
			parameters: {
				values: (row) => {
					if (row === 9) cancellation.abort();
					return 'a.example';
				},
			},
			rows: 2_000,
		});
		await gather(context, cancellation.signal);
		expect(read.values).toHaveLength(10);
	});
});
