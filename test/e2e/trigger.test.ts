import type { Execution } from '../../n8n/client';
import { status } from '../support/faults';
import { until } from '../support/until';
import { triggerOf } from '../support/workflowOf';
import { NODE, NODE_TYPE, outputOf, useN8n, type TestN8n } from './n8n';

const n8n = useN8n();

/** n8n polls at most once per minute. */
const TWO_POLLS_MS = 135_000;

/** Waits for the first execution of an active workflow. */
async function firstExecution({ client }: TestN8n, id: string) {
	let newest: Omit<Execution, 'data'> | undefined;
	await until(async () => {
		[newest] = await client.listExecutions(id);
		return newest !== undefined;
	}, TWO_POLLS_MS);
	return await client.waitForExecution(newest!.id);
}

it('is available as a polling trigger', async () => {
	const types = await n8n().client.nodeTypes();
	expect(types.find(({ name }) => name === `${NODE_TYPE}Trigger`)).toMatchObject({
		displayName: 'Business Listing Search Trigger',
		group: ['trigger'],
		polling: true,
	});
	expect(types.map(({ name }) => name)).not.toContain(`${NODE_TYPE}TriggerTool`);
});

it('shows the usage when it is tested in the editor', async () => {
	const { sandbox, run } = n8n();
	sandbox.state.remaining = 777;
	const execution = await run(triggerOf({ events: ['allowanceLow'], threshold: 100 }));
	const usage = { plan: sandbox.state.plan, remaining: 777 };
	expect(outputOf(execution, 'After').map(({ json }) => json)).toEqual([
		{ event: 'allowanceLow', ...usage, previous: usage },
	]);
});

it('explains why it does not start when the key is refused', async () => {
	const { client, sandbox, save, log } = n8n();
	const id = await save(triggerOf({ events: ['allowanceLow'], threshold: 100 }));
	sandbox.faults.add({ fault: status(401) });
	// n8n 1.123 responds with the reason. n8n 2 makes five attempts, which take 16 seconds, before it
	// reports the reason to the editor and in its log.
	let said = await client.activate(id).then(() => '', String);
	const sentence = 'There was a problem activating the workflow: "The service refused the API key"';
	await until(async () => {
		if (!said.includes(sentence)) said = await log();
		return said.includes(sentence);
	}, 60_000);
	await client.deactivate(id);
	expect(said).toContain(sentence);
});

it(
	'starts an active workflow when the allowance falls',
	async () => {
		const { client, sandbox, save } = n8n();
		sandbox.state.remaining = 500;
		const id = await save(triggerOf({ events: ['allowanceLow', 'planChanged'], threshold: 100 }));
		await client.activate(id);
		await until(() => sandbox.requests[0]?.status === 200);
		sandbox.state.remaining = 50;
		const execution = await firstExecution(n8n(), id);
		await client.deactivate(id);

		const { plan } = sandbox.state;
		expect(outputOf(execution, NODE).map(({ json }) => json)).toEqual([
			{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
		]);
		expect(await client.listExecutions(id)).toHaveLength(1);
	},
	2 * TWO_POLLS_MS,
);
