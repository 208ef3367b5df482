import { blacklistOf } from '../../sandbox';
import addItem from '../workflows/blacklist-add-item.json';
import deleteBlacklist from '../workflows/blacklist-delete.json';
import getManyBlacklists from '../workflows/blacklist-get-many.json';
import createJob from '../workflows/job-create.json';
import getUsage from '../workflows/usage-get.json';
import { useSandbox } from './account';
import { runWorkflow, workflowOf, type TestWorkflow } from './engine';

const account = useSandbox();

/** What reached the service, in order, without what every HTTP client adds. */
function sent() {
	return account().sandbox.requests.map(({ method, path, headers, body }) => ({
		method,
		path,
		key: headers['x-api-key'],
		contentType: headers['content-type'],
		body,
	}));
}

const ODD_NAME = 'Kunden / 100 % größe 顧客';
const ODD_SEGMENT = 'Kunden%20%2F%20100%20%25%20gr%C3%B6%C3%9Fe%20%E9%A1%A7%E5%AE%A2';

describe('Job: Create', () => {
	it('sends what is set, typed, and gives the job_id of each item', async () => {
		const { sandbox, account: owner } = account();
		const { outputs, error } = await runWorkflow(createJob as unknown as TestWorkflow, owner);

		expect(error).toBeUndefined();
		const common = {
			group_name: 'Vienna',
			min_reviews: 10,
			max_reviews: 200,
			has_phone: true,
			has_website: false,
			sort_by: 'reviews',
			sort_order: 'desc',
		};
		const request = {
			method: 'POST',
			path: '/api/v1/jobs',
			key: `Token ${sandbox.key}`,
			contentType: 'application/json',
		};
		expect(sent()).toEqual([
			{ ...request, body: { keyword: 'dentist in Vienna', min_rating: 4, ...common } },
			{ ...request, body: { keyword: 'Zahnarzt „Mitte“ & Söhne', min_rating: 3, ...common } },
		]);
		expect(outputs).toEqual([
			sandbox.state.jobs.map(({ job_id }, item) => ({ json: { job_id }, pairedItem: { item } })),
		]);
	});

	it('does not send what is not set', async () => {
		const { account: owner } = account();
		await runWorkflow(
			workflowOf({
				resource: 'job',
				operation: 'create',
				keyword: 'dentist',
				groupName: ' ',
				filters: { minRating: '={{ null }}', minReviews: '', hasPhone: '={{ undefined }}' },
				sort: { sortBy: '', sortOrder: '={{ null }}' },
			}),
			owner,
		);
		expect(sent().map(({ body }) => body)).toEqual([{ keyword: 'dentist' }]);
	});

	it('sends a sort field of the user’s own, false, zero and a negative number', async () => {
		const { account: owner } = account();
		await runWorkflow(
			workflowOf({
				resource: 'job',
				operation: 'create',
				keyword: '={{ 24 }}',
				filters: { minRating: '={{ -1 }}', minReviews: 0, hasPhone: false },
				sort: { sortBy: '={{ "distance" }}' },
			}),
			owner,
		);
		expect(sent()[0]!.body).toEqual({
			keyword: '24',
			group_name: 'API',
			min_rating: -1,
			min_reviews: 0,
			has_phone: false,
			sort_by: 'distance',
		});
	});
});

describe('Blacklist: Add Item', () => {
	it('sends the item to the list in one path segment', async () => {
		const { sandbox, account: owner } = account();
		const { outputs, error } = await runWorkflow(addItem as unknown as TestWorkflow, owner);

		expect(error).toBeUndefined();
		const request = {
			method: 'POST',
			path: '/api/v1/blacklist/customers',
			key: `Token ${sandbox.key}`,
			contentType: 'application/json',
		};
		expect(sent()).toEqual(
			expect.arrayContaining([
				{ ...request, body: { type: 'email', value: 'name@example.com' } },
				{
					...request,
					path: `/api/v1/blacklist/${ODD_SEGMENT}`,
					body: { type: 'domain', value: 'example.com' },
				},
				{ ...request, body: { type: 'cid', value: '12345678901234567890' } },
				{ ...request, body: { type: 'place_id', value: 'ChIJN1t_tDeuEmsRUsoyG83frY4' } },
			]),
		);
		expect(sandbox.requests).toHaveLength(4);
		expect([...sandbox.state.blacklists.keys()].sort()).toEqual(['customers', ODD_NAME].sort());
		expect(outputs).toEqual([
			[0, 1, 2, 3].map((item) => ({ json: { success: true }, pairedItem: { item } })),
		]);
	});
});

describe('Blacklist: Get Many', () => {
	beforeEach(() => {
		const { state } = account().sandbox;
		state.blacklists.set('customers', blacklistOf({ type: 'domain', value: 'example.com' }));
		state.blacklists.set(ODD_NAME, blacklistOf());
		state.blacklists.set('third', blacklistOf());
	});

	it('gives one item a list, up to the limit', async () => {
		const { sandbox, account: owner } = account();
		const { outputs } = await runWorkflow(getManyBlacklists as unknown as TestWorkflow, owner);

		expect(sent()).toEqual([
			{
				method: 'GET',
				path: '/api/v1/blacklist',
				key: `Token ${sandbox.key}`,
				contentType: undefined,
				body: undefined,
			},
		]);
		expect(outputs).toEqual([
			[
				{ json: { name: 'customers', count: 1 }, pairedItem: { item: 0 } },
				{ json: { name: ODD_NAME, count: 0 }, pairedItem: { item: 0 } },
			],
		]);
	});

	it('gives all lists, and `count` where the service says `nb`', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'nb' } });
		const { json } = await runWorkflow(
			workflowOf({ resource: 'blacklist', operation: 'getAll', returnAll: true }),
			owner,
		);
		expect(json).toEqual([
			{ name: 'customers', count: 1 },
			{ name: ODD_NAME, count: 0 },
			{ name: 'third', count: 0 },
		]);
	});
});

describe('Blacklist: Delete', () => {
	it('deletes the whole list', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.blacklists.set(ODD_NAME, blacklistOf());
		const { outputs } = await runWorkflow(deleteBlacklist as unknown as TestWorkflow, owner);

		expect(sent()).toEqual([
			{
				method: 'DELETE',
				path: `/api/v1/blacklist/${ODD_SEGMENT}`,
				key: `Token ${sandbox.key}`,
				contentType: undefined,
				body: undefined,
			},
		]);
		expect(sandbox.state.blacklists.size).toBe(0);
		expect(outputs).toEqual([[{ json: { deleted: true }, pairedItem: { item: 0 } }]]);
	});

	it('says what to check when there is no such list', async () => {
		const { error } = await runWorkflow(
			deleteBlacklist as unknown as TestWorkflow,
			account().account,
		);
		expect(error).toMatchObject({
			message: 'The service did not find what was asked for',
			description: expect.stringContaining('"Blacklist"'),
			httpCode: '404',
		});
	});
});

describe('Usage: Get', () => {
	it('gives the plan and the remaining requests as a number', async () => {
		const { sandbox, account: owner } = account();
		const { outputs } = await runWorkflow(getUsage as unknown as TestWorkflow, owner);

		expect(sent()).toEqual([
			{
				method: 'GET',
				path: '/api/v1/usage',
				key: sandbox.key,
				contentType: undefined,
				body: undefined,
			},
		]);
		expect(outputs).toEqual([
			[{ json: { plan: 'Sandbox', remaining: 1000 }, pairedItem: { item: 0 } }],
		]);
	});

	it.each([
		['text that is no number', 'unlimited', 'unlimited'],
		['digits beyond what a number can hold', '12345678901234567890', '12345678901234567890'],
		['a number', 7, 7],
	])('keeps %s as it is', async (_what, remaining, expected) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'json', body: { plan: 'P', remaining } } });
		const { json } = await runWorkflow(getUsage as unknown as TestWorkflow, owner);
		expect(json).toEqual([{ plan: 'P', remaining: expected }]);
	});

	it('gives the answer untouched without Simplify', async () => {
		const { sandbox, account: owner } = account();
		const answer = { plan: 'P', remaining: '7', renews: { on: '2027-01-01' } };
		sandbox.faults.add({ fault: { kind: 'json', body: answer } });
		const { json } = await runWorkflow(
			workflowOf({ resource: 'usage', operation: 'get', simple: '={{ "false" }}' }),
			owner,
		);
		expect(json).toEqual([answer]);
	});
});
