import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { status } from '../../support/faults';
import { ADD_MANY, listNamed } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, execute } = useEngine({ remaining: 1_000_000 });

const options = (set: INodeParameters): INodeParameters => ({ ...ADD_MANY, options: set });
const rows = (...values: unknown[]): IDataObject[] =>
	values.map((value) => ({ values: value }) as IDataObject);
const sites = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `site-${index}.example.com`);

const listed = (name = 'customers') =>
	[...(sandbox.state.blacklists.get(name)?.values() ?? [])].map(({ value }) => value);

describe('the added values', () => {
	it('are all values of all rows, once each: a text, a text of many, an array', async () => {
		const { outputs, error } = await execute(
			ADD_MANY,
			rows(
				'https://www.a.example/',
				'b.example, c.example;\nA.EXAMPLE',
				['d.example', 'b.example'],
				'',
			),
		);
		expect(error).toBeUndefined();
		expect(listed()).toEqual(['a.example', 'b.example', 'c.example', 'd.example']);
		expect(sandbox.requests).toHaveLength(4);
		expect(sandbox.requests[0]).toMatchObject({
			method: 'POST',
			path: '/api/v1/blacklist/customers',
			body: { type: 'domain', value: 'a.example' },
		});
		expect(outputs).toEqual([
			[
				{
					json: {
						blacklist: 'customers',
						added: 4,
						duplicates: 2,
						invalid: 0,
						failed: 0,
						problems: [],
					},
					pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }],
				},
			],
		]);
	});

	it('go to the blacklist of each row, once per blacklist', async () => {
		const blacklist = listNamed('={{ $json.list }}');
		const { json } = await execute({ ...ADD_MANY, blacklist }, [
			{ list: 'one', values: 'a.example' },
			{ list: 'größe / 2', values: 'a.example' },
			{ list: 'one', values: 'a.example' },
			{ list: 'empty', values: [] },
		]);
		expect(json.map(({ blacklist: name, added, duplicates }) => [name, added, duplicates])).toEqual(
			[
				['one', 1, 1],
				['größe / 2', 1, 0],
				['empty', 0, 0],
			],
		);
		expect(listed('größe / 2')).toEqual(['a.example']);
	});

	it.each([
		['rows', rows(...Array<string>(30).fill('a.example'))],
		['a text', rows(','.repeat(300))],
	])('are read so that n8n can work in between, in %s', async (_what, items) => {
		let time = performance.now();
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 20));
		const timers = jest.spyOn(globalThis, 'setTimeout');
		await execute(ADD_MANY, items);
		const yields = timers.mock.calls.filter(([, milliseconds]) => milliseconds === 0);
		clock.mockRestore();
		timers.mockRestore();
		expect(yields.length).toBeGreaterThanOrEqual(30);
	});
});

describe('an invalid value', () => {
	const NOT_TEXT =
		'is not text: choose a field in "Values", e.g. {{ $json.emails.map(e => e.email) }}';
	const TYPE_IT = ': to exclude all of it, type it in Add Item';

	it.each<[type: string, values: unknown[], ...problems: string[]]>([
		[
			'cid',
			[0.5, '0.5', false, 'false', { a: 1 }, [['a']]],
			...[`0.5 ${NOT_TEXT}`, '0.5 is not a CID', `false ${NOT_TEXT}`, 'false is not a CID'],
			...[`{"a":1} ${NOT_TEXT}`, `["a"] ${NOT_TEXT}`],
		],
		[
			'cid',
			[[Number('12345678901234567')]],
			'12345678901234568 has lost its last digits where it was read: make the column a text there, and read it again',
		],
		[
			'auto',
			['https://m.yelp.de/biz/example, gmail.com'],
			`https://m.yelp.de/biz/example is on yelp.de, a shared site${TYPE_IT}`,
			`gmail.com is the domain of a mail provider, which many businesses share${TYPE_IT}`,
		],
		['domain', ['x'.repeat(10_001)], `${'x'.repeat(79)}… is too long`],
		// Each problem once, the numbers count all.
		['domain', [7, ['x', '7'], 'x, x'], '7 is not a domain', 'x is not a domain'],
	])('as %s is listed with its reason: %j', async (type, values, ...problems) => {
		const parameters = { ...ADD_MANY, type, values: '={{ $json.values }}' };
		const { json } = await execute(parameters, rows(...values));
		const [{ problems: listed, invalid }] = json as [{ problems: IDataObject[]; invalid: number }];
		expect(listed.map(({ value, reason }) => `${String(value)} ${String(reason)}`)).toEqual(
			problems,
		);
		expect(invalid).toBe(values[0] === 7 ? 5 : problems.length);
	});
});

it('the same text is another value as another type', async () => {
	const items = ['auto', 'cid', 'place_id'].map((type) => ({
		type,
		values: 'ChIJLU7jZClu5kcR4PcOOO6p3I0',
	}));
	const parameters = { ...ADD_MANY, type: '={{ $json.type }}' };
	const { json } = await execute(parameters, items);
	expect(json).toMatchObject([{ added: 1, duplicates: 1, invalid: 1 }]);
});

describe('a value that the service rejects', () => {
	it('is counted and listed, and the others are added', async () => {
		sandbox.faults.add({
			match: 'site-1.',
			fault: status(422, { body: { message: 'No such site.' } }),
		});
		sandbox.faults.add({ match: 'site-2.', fault: { kind: 'successFalse' } });
		const { json, error } = await execute(ADD_MANY, rows(...sites(5), 'not a domain'));
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				blacklist: 'customers',
				added: 3,
				duplicates: 0,
				invalid: 1,
				failed: 2,
				problems: [
					{
						value: 'site-1.example.com',
						type: 'domain',
						reason: 'The service rejected the input: No such site',
					},
					{
						value: 'site-2.example.com',
						type: 'domain',
						reason: 'The service reported that the request was not successful',
					},
					{ value: 'not a domain', type: 'domain', reason: expect.any(String) },
				],
			},
		]);
		expect(listed()).toHaveLength(3);
	});

	it.each([
		['a refused key', 401],
		['a used-up allowance', 402],
		['a failing service', 500],
	])('ends the run for %s, with what had been added', async (_what, status) => {
		sandbox.faults.add({ match: 'site-3.', fault: { kind: 'status', status } });
		const { error } = await execute(options({ concurrency: 1 }), rows(...sites(10)));
		expect(error).toMatchObject({
			httpCode: String(status),
			message: expect.stringContaining(' (done: 3 of 10 values)'),
			context: { itemIndex: 3 },
		});
		expect(sandbox.requests).toHaveLength(4);
	});
});

describe('the promises', () => {
	it('each row that names a failed value first has an item on the error output', async () => {
		sandbox.faults.add({ match: 'a.example', fault: status(403) });
		sandbox.faults.add({ match: 'b.example', fault: { kind: 'drop' } });
		const rows = ['a.example.com', 'c.example.com, a.example.com', 'a.example.com b.example.com'];
		const items = rows.map((row) => ({ value: row.replaceAll(' ', ', ').replaceAll(',,', ',') }));
		const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
		const { outputs, json } = await execute(parameters, items, CONTINUE);
		expect(json).toMatchObject([{ added: 1, duplicates: 2, failed: 2 }]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		// Of a row's values, the one that may have been added is told.
		const isUnclear = outputs[1]!.map((each) => /may have been/.test(String(each.json.message)));
		expect(isUnclear).toEqual([false, true]);
	});

	it('with Retry On Fail and Continue sends nothing again: its output lists what failed', async () => {
		sandbox.faults.add({ match: 'site-0.', times: 1, fault: status(500) });
		const parameters = options({ concurrency: 1, output: 'items' });
		const { json } = await execute(parameters, rows(...sites(3)), {
			...RETRY_ON_FAIL,
			...CONTINUE,
		});
		expect(json.map((item) => item.status)).toEqual(['failed', 'added', 'added']);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('with Retry On Fail adds the same value to each blacklist, also from equal input items', async () => {
		sandbox.faults.add({ skip: 1, times: 1, fault: status(500) });
		const blacklist = listNamed('={{ "list-" + $itemIndex }}');
		const parameters = { ...options({ concurrency: 1 }), blacklist };
		const { error } = await execute(parameters, rows('a.example', 'a.example'), RETRY_ON_FAIL);
		expect(error).toBeUndefined();
		expect([listed('list-0'), listed('list-1')]).toEqual([['a.example'], ['a.example']]);
	});
});

it('invalid input becomes its own item with Continue, and the other rows are processed', async () => {
	const parameters = {
		...ADD_MANY,
		blacklist: listNamed('={{ $json.list }}'),
		values: '={{ $json.list === "two" ? $("Nowhere").first() : $json.values }}',
	};
	const items = [
		{ list: 'one', values: 'a.example' },
		{ list: '', values: 'b.example' },
		{ list: 'two', values: 'c.example' },
		{ list: 'one', values: 'a.example' },
	];
	const { outputs } = await execute(parameters, items, CONTINUE);
	expect(outputs).toMatchObject([
		[
			{
				json: { blacklist: 'one', added: 1, duplicates: 1 },
				pairedItem: [{ item: 0 }, { item: 3 }],
			},
		],
		[
			{ json: { error: '"Blacklist" is empty' }, pairedItem: { item: 1 } },
			{
				json: { error: `"Values" cannot be read: Referenced node doesn't exist` },
				pairedItem: { item: 2 },
			},
		],
	]);
});

describe('with Continue (using error output)', () => {
	const MAYBE = 'may have been carried out';
	const ROWS = Array.from({ length: 6 }, (_, row) => ({
		row,
		values: `site-${row}.example.com, other-${row}.example.com`,
	}));
	const runWith = async (settings: Partial<INode>) =>
		await execute({ ...ADD_MANY, options: { concurrency: 1 } }, ROWS, settings);

	it('each row that would have ended the run gives an item, with its own fields', async () => {
		sandbox.faults.add({ match: 'site-1.', fault: status(500) });
		sandbox.faults.add({ match: 'other-3.', fault: { kind: 'drop' } });
		sandbox.faults.add({ match: 'other-4.', fault: status(400) });
		const { outputs } = await runWith(CONTINUE);
		expect(outputs[0]!.map(({ json }) => json)).toMatchObject([{ added: 9, failed: 3 }]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		for (const { json } of outputs[1]!) expect(json.message).toContain(MAYBE);
	});

	it('a used-up allowance gives an item for each row that was not sent', async () => {
		sandbox.faults.add({ match: 'other-1.', fault: status(402) });
		const { outputs } = await runWith(CONTINUE);
		expect(outputs[0]!.map(({ json }) => json)).toMatchObject([{ added: 3, failed: 9 }]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 2, 3, 4, 5].map((item) => ({ item })),
		);
		expect(outputs[1]!.filter(({ json }) => String(json.message).includes(MAYBE))).toEqual([]);
	});

	it('Continue alone gives no more than the counts', async () => {
		sandbox.faults.add({ match: 'site-1.', fault: status(402) });
		const { json } = await runWith({ onError: 'continueRegularOutput' });
		expect(json).toMatchObject([{ added: 2, failed: 10 }]);
	});
});
