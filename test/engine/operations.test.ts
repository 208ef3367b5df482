import { readdirSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { blacklistOf } from '../../sandbox';
import addItem from '../workflows/blacklist-add-item.json';
import deleteBlacklist from '../workflows/blacklist-delete.json';
import createJob from '../workflows/job-create.json';
import getUsage from '../workflows/usage-get.json';
import { useSandbox } from '../support/account';
import { ODD_NAME, prepare, sentRequests, RUNS } from '../support/contract';
import { runWorkflow, workflowOf, type TestWorkflow } from '../support/engine';

const account = useSandbox();

describe('every run of the contract', () => {
	it.each(RUNS)('$file', async ({ workflow, sends, outputs }) => {
		const { sandbox, account: owner } = account();
		prepare(sandbox);
		const { run, error } = await runWorkflow(workflow, owner);

		expect(error).toBeUndefined();
		expect(sentRequests(sandbox)).toEqual([...sends].sort());
		for (const [node, items] of Object.entries(outputs(sandbox))) {
			expect(run.data.resultData.runData[node]?.at(-1)?.data?.main).toEqual([items]);
		}
	});

	it('includes every workflow saved with version 1', () => {
		// The trigger's file runs in the real n8n only.
		const saved = readdirSync('test/workflows').filter((file) => !file.startsWith('trigger-'));
		expect(RUNS.map(({ file }) => file)).toEqual(
			expect.arrayContaining(saved.map((file) => `test/workflows/${file}`)),
		);
	});
});

describe('Job: Create', () => {
	it('creates the jobs in the order of the items', async () => {
		const { sandbox, account: owner } = account();
		await runWorkflow(createJob as unknown as TestWorkflow, owner);
		expect(sandbox.requests.map(({ body }) => (body as IDataObject).keyword)).toEqual([
			'dentist in Vienna',
			'Zahnarzt „Mitte“ & Söhne',
		]);
	});

	it('does not send what is not set', async () => {
		const { sandbox, account: owner } = account();
		await runWorkflow(
			workflowOf({
				resource: 'job',
				operation: 'create',
				keyword: 'dentist',
				groupName: '\u200b ',
				filters: { minRating: '={{ null }}', minReviews: '', hasPhone: '={{ undefined }}' },
				sort: { sortBy: '', sortOrder: '={{ null }}' },
			}),
			owner,
		);
		expect(sandbox.requests.map(({ body }) => body)).toEqual([{ keyword: 'dentist' }]);
	});

	it('sends a custom sort field, false, zero and a negative number', async () => {
		const { sandbox, account: owner } = account();
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
		expect(sandbox.requests[0]!.body).toEqual({
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
	it('adds each item to its list, whatever the list’s name', async () => {
		const { sandbox, account: owner } = account();
		await runWorkflow(addItem as unknown as TestWorkflow, owner);
		const { blacklists } = sandbox.state;
		expect([...blacklists.keys()].sort()).toEqual(['customers', ODD_NAME].sort());
		expect([...blacklists.get(ODD_NAME)!.values()]).toEqual([
			{ type: 'domain', value: 'example.com' },
		]);
	});
});

describe('Blacklist: Get Many', () => {
	it('returns `count` when the service sends `nb`', async () => {
		const { sandbox, account: owner } = account();
		const { blacklists } = sandbox.state;
		blacklists.set('customers', blacklistOf({ type: 'domain', value: 'example.com' }));
		blacklists.set(ODD_NAME, blacklistOf());
		sandbox.faults.add({ fault: { kind: 'nb' } });
		const { json } = await runWorkflow(
			workflowOf({ resource: 'blacklist', operation: 'getAll', returnAll: true }),
			owner,
		);
		expect(json).toEqual([
			{ name: 'customers', count: 1 },
			{ name: ODD_NAME, count: 0 },
		]);
	});

	it.each([
		[true, 60],
		['={{ true }}', 60],
		['={{ "true" }}', 60],
		[false, 50],
		['={{ false }}', 50],
		['={{ "false" }}', 50],
		['={{ null }}', 50],
	])('with "Return All" %j, returns %d of 60 lists', async (returnAll, returned) => {
		const { sandbox, account: owner } = account();
		for (let list = 0; list < 60; list++) sandbox.state.blacklists.set(`${list}`, blacklistOf());
		const { json } = await runWorkflow(
			workflowOf({ resource: 'blacklist', operation: 'getAll', returnAll }),
			owner,
		);
		expect(json).toHaveLength(returned);
	});
});

describe('Blacklist: Delete', () => {
	it('deletes the whole list', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.blacklists.set(ODD_NAME, blacklistOf());
		await runWorkflow(deleteBlacklist as unknown as TestWorkflow, owner);
		expect(sandbox.state.blacklists.size).toBe(0);
	});

	it('says what to check when there is no such list', async () => {
		const { error } = await runWorkflow(
			deleteBlacklist as unknown as TestWorkflow,
			account().account,
		);
		expect(error).toMatchObject({
			message: 'The service could not find what was requested',
			description: expect.stringContaining('"Blacklist"'),
			httpCode: '404',
		});
	});
});

describe('Usage: Get', () => {
	it.each([
		['text that is no number', 'unlimited', 'unlimited'],
		['digits beyond what a number can hold', '12345678901234567890', '12345678901234567890'],
		['a number', 7, 7],
	])('keeps %s unchanged', async (_what, remaining, expected) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'json', body: { plan: 'P', remaining } } });
		const { json } = await runWorkflow(getUsage as unknown as TestWorkflow, owner);
		expect(json).toEqual([{ plan: 'P', remaining: expected }]);
	});

	it('returns the unchanged response without Simplify', async () => {
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
