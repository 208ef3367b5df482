import { status } from '../support/faults';
import { triggerOf } from '../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from './n8n';
import { executionThat, pollTimes } from './polls';
import { until } from './until';

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
	const { client, save, log } = n8n();
	const id = await save(triggerOf({ events: ['allowanceLow'] }), 'a refused key');
	// n8n reports it to the editor and in its log after five attempts, which take 16 seconds.
	await client.activate(id).catch(() => {});
	const said = 'There was a problem activating the workflow: "The service refused the API key"';
	await until(async () => (await log()).includes(said));
	await client.deactivate(id);
});

it('starts an active workflow when the allowance falls, and loses no event in a failed poll', async () => {
	const { client, sandbox, save } = n8n();
	sandbox.state.remaining = 500;
	const id = await save(triggerOf({ pollTimes, events: ['allowanceLow'], threshold: 100 }));
	await client.activate(id);
	await until(() => sandbox.requests[0]?.status === 200);

	sandbox.faults.add({ fault: status(401) });
	sandbox.state.remaining = 50;
	const failed = await executionThat(n8n(), id, 'error');
	expect(errorOf(failed)?.message).toBe('The service refused the API key');

	sandbox.faults.clear();
	const started = await executionThat(n8n(), id, 'success');
	await client.deactivate(id);
	const { plan } = sandbox.state;
	expect(outputOf(started, NODE).map(({ json }) => json)).toEqual([
		{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
	]);
	const successes = (await client.listExecutions(id)).filter((one) => one.status === 'success');
	expect(successes).toHaveLength(1);
});
