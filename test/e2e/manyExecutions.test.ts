import { status } from '../support/faults';
import { ADD, CREATE, domains, keywords } from '../support/parameters';
import { until } from '../support/until';
import { workflowOf } from '../support/workflowOf';
import type { Workflow } from '../../n8n/client';
import { NODE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

/** A workflow with a webhook that creates one job per call. */
function onCall(path: string): Workflow {
	const { nodes, connections, ...rest } = workflowOf({
		...CREATE,
		keyword: '={{ $json.body.keyword }}',
	});
	const webhook = {
		...nodes[0]!,
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
	};
	const { pinData: _none, ...others } = rest;
	return { ...others, nodes: [webhook, ...nodes.slice(1)], connections } as unknown as Workflow;
}

/** The largest page of n8n's list. */
const MOST_LISTED = 100;

/**
 * Starts this many executions at once, and waits until there is a job for each.
 *
 * @returns the newest executions, when all have ended
 */
async function startAtOnce(count: number) {
	const { client, sandbox, save } = n8n();
	const path = `jobs-${Math.random().toString(36).slice(2)}`;
	const id = await save(onCall(path));
	await client.activate(id);
	await client.callWebhook(path, { keyword: 'first' });
	const calls = Array.from({ length: count - 1 }, (_, index) =>
		client.callWebhook(path, { keyword: `keyword ${index}` }),
	);
	await Promise.all(calls);
	await until(() => sandbox.state.jobs.length >= count, 110_000);
	const running = ({ status: now }: { status: string }) => ['new', 'running'].includes(now);
	await until(async () => !(await client.listExecutions(id, MOST_LISTED)).some(running), 10_000);
	await client.deactivate(id);
	return await client.listExecutions(id, MOST_LISTED);
}

const refusedShare = () => {
	const { requests } = n8n().sandbox;
	return requests.filter(({ status: code }) => code === 429).length / requests.length;
};

it.each([
	[100, 'seconds'],
	[100, 'date'],
	[100, 'none'],
	[200, 'seconds'],
] as const)(
	'%i executions at once create each job once at 5 a second (Retry-After: %s)',
	async (count, retryAfter) => {
		const { sandbox } = n8n();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 5, retryAfter } });
		const executions = await startAtOnce(count);
		expect(executions.filter(({ status: end }) => end !== 'success')).toEqual([]);
		const made = sandbox.state.jobs.map(({ keyword }) => keyword);
		expect(new Set(made).size).toBe(count);
		expect(made).toHaveLength(count);
		process.stdout.write(
			`${count} executions, ${retryAfter}: ${(100 * refusedShare()).toFixed(1)} % refused in ${Math.round(sandbox.lasted / 100) / 10} s\n`,
		);
		expect(refusedShare()).toBeLessThanOrEqual(0.05);
	},
);

it('lets a single job take its turn during a bulk run', async () => {
	const { client, sandbox, save, run } = n8n();
	sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
	const bulk = await client.runWorkflow(await save(workflowOf(ADD, domains(400))));
	await until(() => sandbox.requests.length > 60, 20_000);
	const before = sandbox.requests.length;
	const single = await run(workflowOf(CREATE, keywords(1)));
	expect(outputOf(single, NODE)).toHaveLength(1);
	const place = sandbox.requests.findIndex(({ path }) => path.endsWith('/jobs'));
	// n8n needs a moment to start an execution, while the bulk run continues.
	expect(place - before).toBeLessThan(60);
	await client.stopExecution(bulk);
});

it("one execution's end does not affect another", async () => {
	const { client, sandbox, save } = n8n();
	sandbox.faults.add({ match: 'keyword 1.', fault: status(402) });
	sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
	const good = await client.runWorkflow(await save(workflowOf(ADD, domains(60))));
	const cancelled = await client.runWorkflow(await save(workflowOf(CREATE, keywords(1))));
	const usedUp = await client.runWorkflow(await save(workflowOf(CREATE, keywords(3))));
	await client.stopExecution(cancelled).catch(() => {});
	expect((await client.waitForExecution(usedUp)).status).toBe('error');
	const ended = await client.waitForExecution(good);
	expect(ended.status).toBe('success');
	expect(outputOf(ended, NODE)).toHaveLength(60);
	expect(sandbox.state.blacklists.get('customers')!.size).toBe(60);
});
