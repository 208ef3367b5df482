import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Item } from '../../nodes/BusinessListingSearch/input/item';
import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import { Run } from '../../nodes/BusinessListingSearch/run/run';
import { Requester } from '../../nodes/shared/pacing/requester';
import { advance, settle } from '../support/clock';
import { asDeclared, TOOL_OF_AGENT_3, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	keywords,
	LIST,
	listNamed,
	USAGE,
} from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, start, log } = useEngine();

afterEach(() => jest.restoreAllMocks());

describe('whatever throws', () => {
	const LIMITED = { ...CREATE, options: { minRemaining: 1 } };
	const BREAK = new Error('It broke');
	const breaks = () => {
		throw BREAK;
	};
	const PLACES: Array<[where: string, breakIt: () => unknown, operations?: INodeParameters[]]> = [
		[
			'while the items are read',
			() => jest.spyOn(Item.prototype, 'parameter').mockImplementation(breaks),
		],
		['in the ledger', () => jest.spyOn(Ledger.prototype, 'takeTurn').mockImplementation(breaks)],
		[
			'where it recalls an item',
			() => jest.spyOn(Ledger.prototype, 'recall').mockImplementation(breaks),
		],
		[
			'where the limits decide',
			() => jest.spyOn(Requester.prototype, 'request').mockRejectedValueOnce(BREAK),
			[LIMITED],
		],
		[
			'while an item is sent',
			() => jest.spyOn(Requester.prototype, 'request').mockRejectedValue(BREAK),
		],
		[
			'while the output is made',
			() => jest.spyOn(Run.prototype, 'carryOut').mockRejectedValue(BREAK),
		],
	];

	describe.each(PLACES)('%s', (_where, breakIt, operations = [CREATE, ADD, ADD_MANY, DELETE]) => {
		it.each(operations)(
			'with Continue, each item is an error item: $operation',
			async (parameters) => {
				breakIt();
				const items = keywords(3).map((item, index) => ({
					...item,
					value: `${index}.example.com`,
				}));
				const { outputs, error } = await execute(parameters, items, CONTINUE);
				expect(error).toBeUndefined();
				expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual(
					[0, 1, 2].map((item) => ({ item })),
				);
				expect(outputs[0]!.filter(({ json }) => !('problems' in json))).toEqual([]);
			},
		);

		it('without Continue it is one error', async () => {
			breakIt();
			const { error } = await execute(operations[0]!, keywords(2));
			expect(error?.name).toBe('NodeApiError');
			expect(error?.description).toBeTruthy();
			expect(sandbox.state.jobs).toEqual([]);
		});
	});

	it('keeps what is done', async () => {
		const { request } = Requester.prototype;
		jest
			.spyOn(Requester.prototype, 'request')
			.mockImplementationOnce(async function (this: Requester, ...call) {
				return await request.apply(this, call);
			})
			.mockRejectedValue(BREAK);
		const { outputs } = await execute(CREATE, keywords(3), CONTINUE);
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 0 }],
			[{ item: 1 }, { item: 2 }],
		]);
	});
});

describe('an expression that throws', () => {
	const THROWS = { ...CREATE, keyword: '={{ $json.keyword.toTitleCase() }}' };
	const OF_OTHER_NODE = { ...CREATE, keyword: '={{ $("Gone").item.json.keyword }}' };
	const items: IDataObject[] = [{ keyword: 'a' }, {}, { keyword: 'c' }];

	it('is an error item of its own with Continue, and says what to do about it', async () => {
		const { outputs } = await execute(THROWS, items, CONTINUE);
		expect(outputs[0]).toHaveLength(2);
		expect(outputs[1]).toEqual([
			{
				json: {
					error: '"Keyword" cannot be read: toTitleCase can\'t be used on undefined value',
					message: expect.stringMatching(/Correct the expression in "Keyword"\.$/),
				},
				pairedItem: { item: 1 },
			},
		]);
	});

	it('refuses the run without Continue, with the ways on of a wrong item', async () => {
		const { error } = await execute(workflowOf(THROWS, items), {
			mode: 'trigger',
		});
		expect(error?.message).toMatch(/^"Keyword" cannot be read/);
		expect(error?.description).toContain('Wrong item: ');
		expect(error?.context).toEqual({ itemIndex: 1, runIndex: 0 });
		expect(sandbox.requests).toEqual([]);
	});

	it('has the same ways on where it names a node that does not exist', async () => {
		const { error } = await execute(workflowOf(OF_OTHER_NODE, items), {
			mode: 'trigger',
		});
		expect(error?.message).toBe('"Keyword" cannot be read: Referenced node doesn\'t exist');
		expect(error?.description).toContain('Correct the expression in "Keyword".');
		expect(error?.description).toContain('Wrong field (or credential): correct it, save, and ');
		expect(error?.description).toContain('Wrong item: ');
		// By these, n8n's editor would show its own help in place of what is paid.
		expect(error?.context).not.toHaveProperty('descriptionKey');
		expect(error?.context).not.toHaveProperty('messageTemplate');
	});
});

describe('each field is evaluated once per item,', () => {
	const fields = (parameters: INodeParameters): INodeParameters => {
		const counted = (value: unknown): unknown => {
			if (typeof value === 'object' && value !== null) {
				return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, counted(of)]));
			}
			return `={{ ($json.count.${'n'} = ($json.count.n ?? 0) + 1) && ${JSON.stringify(value)} }}`;
		};
		const { resource, operation, blacklist, ...others } = parameters;
		return {
			...{ resource, operation },
			...(counted(others) as INodeParameters),
			...(blacklist !== undefined && {
				blacklist: listNamed((counted({ name: 'customers' }) as { name: string }).name),
			}),
		};
	};
	const REQUEST_OPTIONS = {
		timeout: 5_000,
		batching: { batch: { batchSize: 2, batchInterval: 1 } },
	};

	it.each<[string, INodeParameters, count: number]>([
		[
			'job create',
			{
				...{ ...CREATE, keyword: 'dentist', groupName: 'leads' },
				filters: { minRating: 4, minReviews: 1, maxReviews: 9, hasPhone: true, hasWebsite: true },
				sort: { sortBy: 'title', sortOrder: 'asc' },
				options: {
					minRemaining: 1,
					maxJobs: 9,
					concurrency: 2,
					includeInputFields: true,
					dryRun: false,
				},
				requestOptions: REQUEST_OPTIONS,
			},
			17,
		],
		['blacklist addItem', { ...ADD, value: 'a.example.com', options: { concurrency: 2 } }, 4],
		['blacklist addItems', { ...ADD_MANY, values: 'a.example.com' }, 3],
		['blacklist delete', DELETE, 1],
		['blacklist getAll', { ...LIST, returnAll: false, limit: 3 }, 2],
		['usage get', { ...USAGE, simple: true }, 1],
	])('%s', async (_name, parameters, count) => {
		const items = [{ count: {} as IDataObject }, { count: {} as IDataObject }];
		const workflow = workflowOf(fields(parameters), items);
		await execute(workflow);
		expect(workflow.pinData!.Start!.map(({ json }) => json.count)).toEqual([
			{ n: count },
			{ n: count },
		]);
	});
});

describe("n8n's engine, and the custom operation,", () => {
	/** What is sent, and what comes of it, whichever carries it out. */
	async function both(parameters: INodeParameters, item: IDataObject = {}, settings = {}) {
		const ends = [];
		for (const change of [asDeclared, <T>(workflow: T) => workflow]) {
			sandbox.reset();
			const workflow = change(workflowOf(parameters, [item], settings));
			const { outputs, error } = await execute(workflow);
			const requests = sandbox.requests.map(({ method, path, rawBody, headers }) => {
				return { method, path, rawBody, headers };
			});
			const { message, description, context } = error ?? {};
			const end = { requests, outputs, message, description, context };
			// The ids of jobs are by chance.
			ends.push(
				JSON.parse(JSON.stringify(end).replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id')) as unknown,
			);
		}
		return ends as [unknown, unknown];
	}

	const FULL = {
		...{ ...CREATE, groupName: ' leads ' },
		filters: { minRating: '={{ "4" }}', minReviews: 1, maxReviews: '={{ " 9 " }}' },
		sort: { sortBy: '={{ $json.field }}', sortOrder: 'desc' },
	};
	it.each<[string, INodeParameters, item?: IDataObject]>(
		[
			['only the keyword', CREATE],
			['a group that is empty', { ...CREATE, groupName: '' }],
			['all fields', { ...FULL, filters: { ...FULL.filters, hasPhone: true, hasWebsite: false } }],
			['empty collections', { ...CREATE, filters: {}, sort: {}, options: {}, requestOptions: {} }],
			['a collection that is an expression', { ...CREATE, filters: '={{ $json.filters }}' }],
			['the time', { ...CREATE, keyword: '={{ $now.set({ year: 2030 }).startOf("year") }}' }],
			['a number', { ...CREATE, keyword: '={{ 4711 }}' }],
			['nothing', { ...CREATE, keyword: '={{ $json.missing }}' }],
			['a fallback', { ...CREATE, keyword: '=dentist in {{ $json.city }}' }, { city: 'Vienna' }],
			['a wrong number', { ...CREATE, filters: { minRating: '={{ "four" }}' } }],
			['options of the request', { ...CREATE, requestOptions: { timeout: '={{ 5000 }}' } }],
			['certificates', { ...USAGE, requestOptions: { allowUnauthorizedCerts: '={{ true }}' } }],
			['a value', ADD],
			[
				'a value with spaces',
				{ ...ADD, type: '={{ "email" }}', value: '={{ " a@example.com " }}' },
			],
			['a list with a slash', { ...ADD, blacklist: listNamed('a/b ü') }],
			[
				'a list that was chosen',
				{ ...ADD, blacklist: { ...listNamed(' x '), mode: 'list' } as never },
			],
			[
				'a name by expression',
				{ ...DELETE, blacklist: listNamed('={{ $json.list }}') },
				{ list: ' y ' },
			],
			['the blacklists', LIST],
			['some of the blacklists', { ...LIST, returnAll: false, limit: '={{ 1 }}' }],
			['the usage', { ...USAGE, simple: false }],
			['the usage, simplified', { ...USAGE, simple: '={{ "true" }}' }],
		].filter(([, parameters]) => (parameters as INodeParameters).operation !== 'addItems') as never,
	)('send and return the same: %s', async (_what, parameters, item = {}) => {
		for (const settings of [{}, CONTINUE]) {
			const [declared, custom] = await both(parameters, item, settings);
			expect(custom).toEqual(declared);
		}
	});

	it.each([400, 401, 402, 404, 500, 502])('say the same of a status %d', async (statusCode) => {
		// What only reads is tried again, as often as the account's lane allows.
		const reading = statusCode < 500 ? [LIST, USAGE] : [];
		for (const parameters of [CREATE, ADD, DELETE, ...reading]) {
			for (const settings of [{}, CONTINUE]) {
				const ends = [];
				for (const change of [asDeclared, <T>(workflow: T) => workflow]) {
					sandbox.reset();
					sandbox.faults.add({ fault: status(statusCode) });
					const { outputs, error } = await execute(change(workflowOf(parameters, [{}], settings)));
					const { message, description, httpCode, context } = error ?? {};
					ends.push({ outputs, message, description, httpCode, context });
				}
				expect(ends[1]).toEqual(ends[0]);
			}
		}
	});

	it('send the same through a proxy', async () => {
		const parameters = { ...CREATE, requestOptions: { proxy: '={{ $json.proxy }}' } };
		const proxy = new URL(owner.baseUrl).origin;
		const [declared, custom] = await both(parameters, { proxy });
		expect(custom).toEqual(declared);
		// The sandbox is the proxy: it sees the whole address.
		expect(JSON.stringify(custom)).toContain(`"path":"http://`);
	});
});

describe("several items that n8n's engine passes one by one", () => {
	it.each([
		['Job: Create', CREATE],
		['Blacklist: Add Item', ADD],
		['Blacklist: Delete', DELETE],
	])('are refused by %s, before anything is sent', async (_name, parameters) => {
		const workflow = asDeclared(workflowOf(parameters, [{}, {}]));
		const { error } = await execute(workflow);
		expect(error?.message).toContain('Engine 2.0');
		const { outputs } = await execute(asDeclared(workflowOf(parameters, [{}, {}], CONTINUE)));
		expect(outputs[1]).toHaveLength(2);
		expect(sandbox.requests).toEqual([]);
	});

	it('are read all the same', async () => {
		const { json } = await execute(asDeclared(workflowOf(USAGE, [{}, {}])));
		expect(json).toHaveLength(2);
	});
});

describe('a tool of an agent of version 3', () => {
	const tool = workflowOf(CREATE, [{ keyword: 'dentist' }], { type: TOOL_OF_AGENT_3 });

	it('creates its job', async () => {
		const { json } = await execute(tool);
		expect(json).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
	});

	it('tells the model of a failure in an item', async () => {
		sandbox.faults.add({ fault: status(402) });
		const { json, error } = await execute(tool);
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{ error: expect.stringContaining('allowance'), message: expect.any(String) },
		]);
	});
});

describe('a run that is stopped while it reads', () => {
	it('reads and sends nothing more, and says so once', async () => {
		const read = jest.spyOn(Item.prototype, 'parameter');
		const { stop } = start(CREATE, keywords(500));
		await settle();
		await stop();
		await advance(60_000);
		expect(read).not.toHaveBeenCalled();
		expect(sandbox.requests).toEqual([]);
		expect(log.lines('warn')).toEqual([expect.stringContaining('This try sent nothing.')]);
	});
});
