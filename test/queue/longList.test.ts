/** The example that spreads a long list over the workers. */
import { readExample } from '../../n8n/examples';
import { executionsOf, useQueue } from './queue';

const queue = useQueue();

const COUNT = 20_000;
const PARTS = 20;
const RUN_MS = 5 * 60_000;

it(
	'adds 20,000 values in parts that both workers take, each value once',
	async () => {
		const { activate, allEnded, client, runSaved, sandbox, workers } = queue();
		const workflow = await activate(await readExample('long-list-over-several-workers.json'));
		// The first run creates the tables.
		await runSaved(workflow);
		const values = Array.from({ length: COUNT }, (_, index) => `customer-${index}.example`);
		values[12_345] = 'to be asked';
		await client.tables.insert(
			'Long list values',
			values.map((value) => ({ value })),
		);
		await client.waitForExecution(await client.runWorkflow(workflow), RUN_MS);

		// The summaries of the parts add up to the list.
		const [summary, ...others] = await client.tables.rows('Long list runs');
		expect(others).toEqual([]);
		expect(summary).toMatchObject({
			...{ parts: PARTS, parts_failed: 0 },
			...{ added: COUNT - 1, duplicates: 0, invalid: 1, failed: 0 },
		});
		expect(await client.tables.rows('Long list problems')).toMatchObject([
			{ value: 'to be asked', type: 'auto' },
		]);

		// Each value was added, and none was sent twice.
		const landed = [...sandbox.state.blacklists.get('customers')!.values()];
		expect(landed.map(({ value }) => value).sort()).toEqual(
			values.filter((value) => value !== 'to be asked').sort(),
		);
		expect(sandbox.requestCount).toBe(COUNT - 1);

		// Each part was an execution of its own, and both workers took a fair share of them.
		const executions = await allEnded(workflow, PARTS + 2);
		const parts = executions.filter(({ mode }) => mode === 'webhook').map(({ id }) => id);
		expect(parts).toHaveLength(PARTS);
		const taken = (await Promise.all(workers.map(executionsOf))).map(
			({ finished }) => finished.filter((id) => parts.includes(id)).length,
		);
		expect(taken[0]! + taken[1]!).toBe(PARTS);
		for (const count of taken) expect(count).toBeGreaterThanOrEqual(3);

		await client.waitForExecution(await client.runWorkflow(workflow), RUN_MS);
		expect(sandbox.requestCount).toBe(COUNT - 1);
		expect(await client.tables.rows('Long list runs')).toHaveLength(1);
	},
	2 * RUN_MS,
);
