import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { ADD_MANY, domains } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox({ remaining: 1_000_000 });

/** Each row returns the values of all rows: an easy mistake if the node seems to run once. */
const ALL_OF_ALL = '={{ $("Start").all().map(i => i.json.value) }}';
const parameters = (options: INodeParameters): INodeParameters => ({
	...ADD_MANY,
	values: ALL_OF_ALL,
	options: { concurrency: 20, ...options },
});

describe('when every row returns the values of all rows', () => {
	it('adds each value once, and counts the repeated ones', async () => {
		const { sandbox, account: owner } = account();
		const { outputs, error } = await runWorkflow(workflowOf(parameters({}), domains(300)), owner);
		expect(error).toBeUndefined();
		expect(sandbox.requests).toHaveLength(300);
		expect(sandbox.state.blacklists.get('customers')!.size).toBe(300);
		const counts = { added: 300, duplicates: 300 * 300 - 300, invalid: 0, failed: 0 };
		expect(outputs[0]).toEqual([
			{
				json: { blacklist: 'customers', ...counts, problems: [] },
				pairedItem: Array.from({ length: 300 }, (_, item) => ({ item })),
			},
		]);
	});

	it('counts all invalid values, but limits their list', async () => {
		const { sandbox, account: owner } = account();
		const invalid = domains(150).map(({ value }) => ({ value: `no domain: ${String(value)}` }));
		const { json, error } = await runWorkflow(workflowOf(parameters({}), invalid), owner);
		expect(error).toBeUndefined();
		const [{ problems, ...counts }] = json as [IDataObject & { problems: unknown[] }];
		expect(counts).toMatchObject({ added: 0, duplicates: 0, invalid: 150 * 150, failed: 0 });
		expect(problems.length).toBeGreaterThanOrEqual(150);
		expect(problems.length).toBeLessThanOrEqual(150 + 10_000);
		expect(sandbox.requests).toEqual([]);
	});

	it('returns an item for each of up to 100,000 values', async () => {
		const { account: owner } = account();
		const { json } = await runWorkflow(
			workflowOf(parameters({ output: 'items' }), domains(100)),
			owner,
		);
		expect(json).toHaveLength(10_000);
		expect(json.filter(({ status }) => status === 'added')).toHaveLength(100);
		expect(json.filter(({ status }) => status === 'duplicate')).toHaveLength(9_900);
	});

	it('refuses an item for each of more than 100,000, before anything is sent', async () => {
		const { sandbox, account: owner } = account();
		const workflow = workflowOf(parameters({ output: 'items' }), domains(317));
		const { error } = await runWorkflow(workflow, owner);
		expect(error?.message).toBe('"Output" cannot be "Each Value" for more than 100,000 values');
		expect(error?.description).toMatch(/Summary/);
		expect(sandbox.requests).toEqual([]);
	});

	it('also refuses them with Continue, with a reason for each row', async () => {
		const { sandbox, account: owner } = account();
		const workflow = workflowOf(parameters({ output: 'items' }), domains(317), CONTINUE);
		const { outputs } = await runWorkflow(workflow, owner);
		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(317);
		expect(outputs[1]![0]!.json.error).toContain('"Output"');
		expect(sandbox.requests).toEqual([]);
	});
});
