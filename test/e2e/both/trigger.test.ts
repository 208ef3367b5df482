import { status } from '../../support/faults';
import { triggerOf } from '../../support/workflowOf';
import { errorOf, n8n, NODE, outputOf, restartN8n } from '../n8n';
import { executionThat, pollTimes } from '../polls';
import { until } from '../until';

it('explains why it does not start when the key is refused', async () => {
	const { client, save, log } = n8n();
	const id = await save(triggerOf({ events: ['allowanceLow'] }), 'a refused key');
	// n8n reports it to the editor and in its log after five attempts, which take 16 seconds; n8n 1 at once,
	// in its answer.
	const answer = await client.activate(id).catch(String);
	const said =
		'There was a problem activating the workflow: "The service refused the API key. The service says: "';
	await until(async () => `${answer} ${await log()}`.includes(said));
	await client.deactivate(id);
});

/** Waits for so many more responses with this status. */
async function polled(code: number, times = 1) {
	const { requests } = n8n().sandbox;
	const count = () => requests.filter((request) => request.status === code).length;
	const before = count();
	await until(() => count() >= before + times);
}

/** Publishes a trigger for a low allowance, of which much is left, and waits until it has polled. */
async function publish(): Promise<string> {
	const { client, sandbox, save } = n8n();
	sandbox.state.remaining = 500;
	const id = await save(triggerOf({ pollTimes, events: ['allowanceLow'], threshold: 100 }));
	await client.activate(id);
	await polled(200, 2);
	return id;
}

it('starts an active workflow when the allowance falls, and loses no event in a failed poll', async () => {
	const { client, sandbox } = n8n();
	const id = await publish();

	sandbox.faults.add({ fault: status(401) });
	sandbox.state.remaining = 50;
	const failed = await executionThat(n8n(), id, 'error');
	expect(errorOf(failed)?.message).toMatch(/^The service refused the API key\. .*Check "API Key"/);

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

it('stays alive when n8n starts again while the key is refused, and tells then that the allowance fell', async () => {
	const { sandbox, stop } = n8n();
	const id = await publish();
	await stop();
	sandbox.faults.add({ fault: status(401) });
	sandbox.state.remaining = 50;
	await restartN8n();
	// A poll after the first one.
	await executionThat(n8n(), id, 'error');
	expect(await n8n().log()).toContain(
		`${NODE}: the first poll failed, the next one tries again. The service refused the API key. `,
	);
	sandbox.faults.clear();
	const started = await executionThat(n8n(), id, 'success');
	await n8n().client.deactivate(id);
	const { plan } = sandbox.state;
	expect(outputOf(started, NODE).map(({ json }) => json)).toEqual([
		{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
	]);
});

it('can be published again during a slow poll', async () => {
	const { client, sandbox } = n8n();
	const id = await publish();
	// Longer than n8n tries to publish.
	sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 20_000 } });
	await until(() => sandbox.requests.at(-1)?.fault === 'delay');
	const { nodes } = await client.getWorkflow(id);
	Object.assign(nodes[0]!.parameters, { threshold: 1_000 });
	await client.updateWorkflow(id, { nodes });
	await client.activate(id);
	const started = await executionThat(n8n(), id, 'success');
	await client.deactivate(id);
	expect(outputOf(started, NODE)).toMatchObject([{ json: { previous: { remaining: 500 } } }]);
});
