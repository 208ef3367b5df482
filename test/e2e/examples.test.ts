import customersToBlacklist from '../../examples/customers-to-blacklist.json';
import lowAllowanceAlert from '../../examples/low-allowance-alert.json';
import scheduledLeadCollection from '../../examples/scheduled-lead-collection.json';
import { status } from '../support/faults';
import { errorOf, outputOf, useN8n } from './n8n';

const n8n = useN8n();

describe('scheduled lead collection', () => {
	it('creates a job for each keyword', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(scheduledLeadCollection);

		expect(errorOf(execution)).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(3);
		expect(outputOf(execution, 'Jobs Created').map(({ json }) => json)).toEqual(
			sandbox.state.jobs.map(({ keyword, job_id }) => ({ keyword, job_id })),
		);
	});

	it('sends failed items down the error branch, with the reason', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({
			match: 'bakery',
			fault: status(422, { body: { message: 'No bakeries.' } }),
		});
		const execution = await run(scheduledLeadCollection);

		expect(outputOf(execution, 'Jobs Created')).toHaveLength(2);
		expect(outputOf(execution, 'Keywords to Look At').map(({ json }) => json)).toEqual([
			{
				keyword: 'bakery in Graz',
				what_happened: 'The service rejected the input',
				what_to_do: expect.stringContaining('The service says: "No bakeries".'),
			},
		]);
	});

	it('creates nothing when the allowance is low', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 99;
		const execution = await run(scheduledLeadCollection);

		expect(outputOf(execution, 'Stop: Allowance Low')).toHaveLength(1);
		expect(sandbox.state.jobs).toEqual([]);
	});
});

describe('customers to blacklist', () => {
	it('adds every customer once, and lists what could not be added', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(customersToBlacklist);

		expect(errorOf(execution)).toBeUndefined();
		expect([...sandbox.state.blacklists.get('customers')!.values()]).toEqual(
			expect.arrayContaining([
				{ type: 'domain', value: 'example.com' },
				{ type: 'email', value: 'ada@example.com' },
				{ type: 'domain', value: 'xn--mller-bckerei-hfb76a.example' },
				{ type: 'email', value: 'grace@example.org' },
			]),
		);
		expect(outputOf(execution, 'Add to Blacklist')).toMatchObject([
			{
				json: { blacklist: 'customers', added: 4, duplicates: 1, invalid: 1, failed: 0 },
				pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
			},
		]);
		expect(outputOf(execution, 'Values to Look At').map(({ json }) => json)).toEqual([
			{ value: 'to be asked', type: 'auto', reason: expect.any(String) },
		]);
	});

	it('ends with a summary of what was added when the service refuses the key', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ skip: 2, fault: status(401) });
		const workflow = structuredClone(customersToBlacklist);
		for (const node of workflow.nodes) delete (node as { retryOnFail?: boolean }).retryOnFail;
		const execution = await run(workflow);
		expect(errorOf(execution)).toMatchObject({
			message: 'The service refused the API key',
			description: expect.stringContaining('Of 4 values, 2 were done'),
			httpCode: '401',
		});
	});
});

describe('low allowance alert', () => {
	it.each([
		[199, 'Alert'],
		[200, 'Enough'],
	])('with %i requests remaining ends at %s', async (remaining, end) => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = remaining;
		const execution = await run(lowAllowanceAlert);
		expect(errorOf(execution)).toBeUndefined();
		expect(outputOf(execution, end)).toHaveLength(1);
	});
});
