/** The example that fills a blacklist from one of n8n's data tables. */
import customersToBlacklist from '../../../../examples/customers-to-blacklist.json';
import { status } from '../../../support/faults';
import { errorOf, n8n } from '../../n8n';
import { DRY_PROBLEM, FAULTS, fill, rowsOf, useDataTables, withDryRun } from './tables';

useDataTables();

const TABLE = 'Customers to exclude';
const today = expect.stringMatching(/^20\d\d-\d\d-\d\d$/);

const blacklisted = () => [...(n8n().sandbox.state.blacklists.get('customers')?.values() ?? [])];
const enter = async (customers: string[]) =>
	await fill(
		customersToBlacklist,
		customers.map((customer) => ({ customer })),
	);
const customers = (count: number) =>
	Array.from({ length: count }, (_, index) => `customer-${index}.example`);

describe('customers to blacklist', () => {
	it('sends each row once, and stores why one was not added', async () => {
		const { save, runSaved, sandbox } = n8n();
		const id = await save(customersToBlacklist);
		// The first run creates the table.
		await runSaved(id);
		await enter([
			'https://www.example.com/contact',
			'Ada <ADA@example.com>',
			'to be asked',
			'EXAMPLE.com',
			'',
		]);
		for (let run = 0; run < 2; run++) {
			expect(errorOf(await runSaved(id))).toBeUndefined();
			expect(sandbox.requestCount).toBe(2);
		}
		expect(blacklisted()).toEqual([
			{ type: 'domain', value: 'example.com' },
			{ type: 'email', value: 'ada@example.com' },
		]);
		const rows = await rowsOf(TABLE);
		expect(rows.map(({ sent_on: sentOn }) => sentOn)).toEqual([today, today, today, today, null]);
		expect(rows.map(({ problem }) => Boolean(problem))).toEqual([false, false, true, false, false]);
	});

	it('with Dry Run, marks no row as sent', async () => {
		const { run, sandbox } = n8n();
		const rows = [...customers(3), 'https://a.example/, a.example', 'customer-1.example'];
		await enter(rows);
		expect(errorOf(await run(withDryRun(customersToBlacklist)))).toBeUndefined();
		expect(sandbox.requestCount).toBe(0);
		const row = { sent_on: '', problem: DRY_PROBLEM };
		expect(await rowsOf(TABLE)).toEqual(rows.map((customer) => ({ customer, ...row })));
		await run(customersToBlacklist);
		expect(blacklisted()).toHaveLength(4);
	});

	it('sends what was refused again, also where another row repeats it', async () => {
		const { run, sandbox } = n8n();
		await enter(['https://a.example/, a.example', 'a.example']);
		sandbox.faults.add({ times: 1, fault: status(401) });
		await run(customersToBlacklist);
		expect((await rowsOf(TABLE)).map(({ sent_on: sentOn }) => sentOn)).toEqual(['', '']);
		await run(customersToBlacklist);
		expect(blacklisted()).toHaveLength(1);
	});

	it.each(FAULTS)('after %s, adds no customer twice', async (_what, fault, isSentAgain) => {
		const { save, runSaved, sandbox } = n8n();
		const id = await save(customersToBlacklist);
		await enter(customers(3));
		sandbox.faults.add({ match: 'customer-1', times: 1, fault });
		expect(errorOf(await runSaved(id))).toBeUndefined();
		const failed = (await rowsOf(TABLE))[1]!;
		expect(failed).toMatchObject({
			sent_on: isSentAgain ? '' : today,
			problem: expect.stringMatching(/^[A-Z]/),
		});
		await runSaved(id);
		expect(blacklisted()).toHaveLength(3);
		const added = sandbox.requests.filter(({ body }) =>
			JSON.stringify(body).includes('customer-1'),
		);
		expect(added).toHaveLength(isSentAgain ? 2 : 1);
	});

	it('of many values in a row, keeps every problem, and pays again for none that was added', async () => {
		const { save, runSaved, sandbox } = n8n();
		const id = await save(customersToBlacklist);
		await enter([
			'refused.example, added-0.example',
			'added-1.example, refused.example, no value',
			'refused-2.example; neither value',
			'added-3.example',
		]);
		sandbox.faults.add({ match: 'refused', fault: status(400) });
		expect(errorOf(await runSaved(id))).toBeUndefined();
		const rows = await rowsOf(TABLE);
		const rejected = /^The service rejected the input/;
		expect(rows.map(({ sent_on: sentOn }) => sentOn)).toEqual([today, today, '', today]);
		expect(rows.map(({ problem }) => problem)).toEqual([
			expect.stringMatching(rejected),
			expect.stringMatching(/^The service rejected the input.*; is not clearly/),
			expect.stringMatching(/^The service rejected the input.*; is not clearly/),
			'',
		]);
		sandbox.faults.clear();
		expect(errorOf(await runSaved(id))).toBeUndefined();
		const sent = sandbox.requests.map(({ body }) => (body as { value: string }).value);
		expect(sent.filter((value) => value.startsWith('added'))).toHaveLength(3);
		expect(sent.filter((value) => value === 'refused-2.example')).toHaveLength(2);
	});
});
