import lowAllowanceAlert from '../../../examples/low-allowance-alert.json';
import { errorOf, n8n } from '../n8n';
import { executionThat, pollTimes } from '../polls';
import { until } from '../until';

it('the low allowance alert fails once when few requests remain, so that the error workflow reports it', async () => {
	const { client, sandbox, save } = n8n();
	sandbox.state.remaining = 200;
	const workflow = structuredClone(lowAllowanceAlert);
	const trigger = workflow.nodes.find(({ name }) => name === 'Allowance Low')!;
	Object.assign(trigger.parameters, { pollTimes });
	const id = await save(workflow);
	await client.activate(id);
	await until(() => sandbox.requestCount > 1);
	expect(await client.listExecutions(id)).toEqual([]);

	sandbox.state.remaining = 199;
	expect(errorOf(await executionThat(n8n(), id, 'error'))).toMatchObject({
		message: expect.stringContaining('199 requests remain'),
		node: 'Alert',
	});
	const polls = sandbox.requestCount;
	await until(() => sandbox.requestCount > polls + 1);
	expect(await client.listExecutions(id)).toHaveLength(1);
	await client.deactivate(id);
});
