/** The examples that fill blacklists from n8n's data tables. */
import customersToBlacklist from '../../../examples/customers-to-blacklist.json';
import longList from '../../../examples/long-list-over-several-workers.json';
import { status } from '../../support/faults';
import { errorOf, n8n, outputOf } from '../n8n';
import { rowsOf, useDataTables } from './tables';

useDataTables();

const blacklisted = () => [...(n8n().sandbox.state.blacklists.get('customers')?.values() ?? [])];
const customers = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({ website: `customer-${from + index}.example` }));

describe('customers to blacklist', () => {
	const TABLE = 'Customers to exclude';

	it('adds the customers in the first run, and stores what could not be added', async () => {
		const { run } = n8n();
		const execution = await run(customersToBlacklist);
		expect(errorOf(execution)).toBeUndefined();
		expect(blacklisted()).toEqual([
			{ type: 'domain', value: 'example.com' },
			{ type: 'email', value: 'ada@example.com' },
			{ type: 'domain', value: 'xn--mller-bckerei-hfb76a.example' },
			{ type: 'email', value: 'grace@example.org' },
		]);
		expect(outputOf(execution, 'Add to Blacklist').map(({ json }) => json)).toMatchObject([
			{ blacklist: 'customers', added: 4, duplicates: 1, invalid: 1, failed: 0 },
		]);
		expect(await rowsOf('Blacklist problems')).toEqual([
			{ value: 'to be asked', type: 'auto', reason: expect.any(String) },
		]);
		for (const { sent_on } of await rowsOf(TABLE)) expect(sent_on).not.toBeNull();
	});

	it('sends only new rows, 1,000 at a time', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const id = await save(customersToBlacklist);
		await runSaved(id);
		const before = sandbox.requestCount;
		await client.tables.insert(TABLE, customers(1, 1500));
		const execution = await runSaved(id);

		expect(errorOf(execution)).toBeUndefined();
		expect(sandbox.requestCount - before).toBe(1500);
		expect(blacklisted()).toHaveLength(1504);
		const runs = execution.data.resultData.runData['Add to Blacklist']!;
		expect(runs.map(({ data }) => data?.main?.[0]?.[0]?.json.added)).toEqual([1000, 500]);
		await runSaved(id);
		expect(sandbox.requestCount - before).toBe(1500);
	});

	it('keeps unsent rows as new, and the next run continues there', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const workflow = structuredClone(customersToBlacklist);
		for (const node of workflow.nodes) delete (node as { retryOnFail?: boolean }).retryOnFail;
		const id = await save(workflow);
		await runSaved(id);
		await client.tables.insert(TABLE, customers(1, 1500));
		sandbox.faults.add({ match: 'customer-1200.', times: 1, fault: status(402) });
		expect(errorOf(await runSaved(id))).toMatchObject({ httpCode: '402' });
		const left = (await rowsOf(TABLE)).filter(({ sent_on }) => sent_on === null);
		expect(left).toHaveLength(500);

		expect(errorOf(await runSaved(id))).toBeUndefined();
		expect(blacklisted()).toHaveLength(1504);
	});
});

describe('long list over several workers', () => {
	it('splits the new values into parts, and adds up their summaries', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const id = await save(longList);
		// The first run creates the tables, and finds nothing to send.
		await runSaved(id);
		await client.activate(id);
		const values = [...customers(1, 1499).map(({ website }) => website), 'to be asked'];
		await client.tables.insert(
			'Long list values',
			values.map((value) => ({ value })),
		);
		sandbox.faults.add({ match: 'customer-7.', times: 1, fault: status(422) });
		expect(errorOf(await runSaved(id))).toBeUndefined();

		const sum = { parts: 2, parts_failed: 0, added: 1498, duplicates: 0, invalid: 1, failed: 1 };
		expect(await rowsOf('Long list runs')).toEqual([sum]);
		expect(blacklisted()).toHaveLength(1498);
		expect((await rowsOf('Long list problems')).map(({ value }) => value).sort()).toEqual([
			'customer-7.example',
			'to be asked',
		]);

		await runSaved(id);
		expect(sandbox.requestCount).toBe(1499);
		await client.deactivate(id);
	});

	it('counts a failed part, and sends the rest in the next run', async () => {
		const { client, sandbox, save, runSaved } = n8n();
		const workflow = structuredClone(longList);
		for (const node of workflow.nodes) delete (node as { retryOnFail?: boolean }).retryOnFail;
		const id = await save(workflow);
		await runSaved(id);
		await client.activate(id);
		const values = customers(1, 1500).map(({ website: value }) => ({ value }));
		await client.tables.insert('Long list values', values);
		sandbox.faults.add({ match: 'customer-1200.', times: 1, fault: status(402) });
		await runSaved(id);
		expect(await rowsOf('Long list runs')).toMatchObject([
			{ parts: 2, parts_failed: 1, added: 1000 },
		]);

		await runSaved(id);
		expect(await rowsOf('Long list runs')).toMatchObject([
			{},
			{ parts: 1, parts_failed: 0, added: 500 },
		]);
		expect(blacklisted()).toHaveLength(1500);
		await client.deactivate(id);
	});
});
