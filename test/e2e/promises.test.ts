import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { status } from '../support/faults';
import { ADD, CREATE, keywords, USAGE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';
import { workflowOf, type TestWorkflow } from '../support/workflowOf';
import { errorOf, IS_N8N_1, NODE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

const jobIds = () => n8n().sandbox.state.jobs.map(({ job_id }) => job_id);

describe('patient', () => {
	it.each([
		['429', status(429, { retryAfter: '1' }), CREATE],
		['503 with Retry-After', status(503, { retryAfter: '1' }), CREATE],
		['500, for a GET', status(500), USAGE],
		['a broken connection, for a GET', { kind: 'drop' } as Fault, USAGE],
	])('%s is retried', async (_what, fault, parameters) => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ times: 1, fault });
		const execution = await run(workflowOf(parameters));
		expect(errorOf(execution)).toBeUndefined();
		expect(sandbox.requests).toHaveLength(2);
		const [first, second] = sandbox.requests;
		const wait = second!.at - first!.at;
		const isTold = fault.kind === 'status' && fault.headers !== undefined;
		expect(wait).toBeGreaterThan(isTold ? 990 : 490);
		expect(wait).toBeLessThan(2_500);
	});

	it.each([
		['500', status(500), 'The service does not document whether it carried out the request'],
		[
			'a broken connection',
			{ kind: 'drop', carryOut: true } as Fault,
			'The request may have been carried out',
		],
	])('%s is not, for a POST or DELETE', async (_what, fault, told) => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ fault });
		const execution = await run(workflowOf(CREATE));
		expect(errorOf(execution)?.description).toContain(told);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('bounded', () => {
	it('has no more requests in flight than "Concurrency", in input order', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
		const parameters = { ...CREATE, options: { concurrency: 3 } };
		const execution = await run(workflowOf(parameters, keywords(12)));
		expect(sandbox.maxInFlight).toBe(3);
		// Three that start together may arrive in any order.
		sandbox.requests.forEach(({ body }, place) => {
			const index = Number(/\d+/.exec(String((body as IDataObject).keyword))![0]);
			expect(Math.abs(index - place)).toBeLessThan(3);
		});
		expect(outputOf(execution, NODE)).toHaveLength(12);
	});
});

describe('no more jobs than wanted', () => {
	const creating = (maxJobs: string | number) => ({
		...CREATE,
		options: { maxJobs, minRemaining: 1 },
	});
	const TOO_MANY = 'No job was created: 5 items would create 5 jobs, but "Maximum Jobs" is 2';

	it('creates none for more items, and sends nothing', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(workflowOf(creating('={{ "2" }}'), keywords(5)));
		expect(errorOf(execution)?.message).toBe(TOO_MANY);
		expect(sandbox.requests).toEqual([]);
	});

	it('gives each item this reason with Continue', async () => {
		const { sandbox, run } = n8n();
		const maxJobs = '={{ $itemIndex === 4 ? 2 : 100 }}';
		const execution = await run(workflowOf(creating(maxJobs), keywords(5), CONTINUE));
		expect(outputOf(execution, NODE, 0)).toEqual([]);
		expect(outputOf(execution, NODE, 1).map(({ json }) => json.error)).toEqual(
			Array(5).fill(TOO_MANY),
		);
		expect(sandbox.requests).toEqual([]);
	});

	it.each([
		['as many as allowed', 2, 5],
		['more', 3, 0],
	])('treats a pass of a loop as a run: with %s in each', async (_what, batchSize, created) => {
		const { sandbox, run } = n8n();
		await run(inLoop(workflowOf(creating(2), keywords(5)), batchSize));
		expect(sandbox.state.jobs).toHaveLength(created);
		if (created === 0) expect(sandbox.requests).toEqual([]);
	});
});

/** Puts the node into a loop over the items. */
function inLoop(workflow: TestWorkflow, batchSize: number): TestWorkflow {
	workflow.nodes.push({
		...{ id: 'loop', name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
		position: [110, 0],
		parameters: { batchSize },
	});
	workflow.connections = {
		Start: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
		Loop: { main: [[], [{ node: NODE, type: 'main', index: 0 }]] },
		[NODE]: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
	};
	return workflow;
}

describe('paid once', () => {
	it('Retry On Fail sends only what was not done', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(500) });
		const execution = await run(workflowOf(CREATE, keywords(5), RETRY_ON_FAIL));
		expect(errorOf(execution)).toBeUndefined();
		expect(jobIds()).toHaveLength(5);
		expect(outputOf(execution, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
		expect(sandbox.requests).toHaveLength(6);
	});

	it('the Retry of a failed execution sends only what was not done', async () => {
		const { client, sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(400) });
		const failed = await run(workflowOf(CREATE, keywords(5)));
		expect(failed.status).toBe('error');
		const retried = await client.waitForExecution(await client.retryExecution(failed.id));
		expect(retried.status).toBe('success');
		expect(jobIds()).toHaveLength(5);
		expect(outputOf(retried, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
		expect(sandbox.requests).toHaveLength(6);
	});
});

// Limits of n8n that docs/reliability.md describes.
describe('a sub-workflow', () => {
	/** Saves a workflow that runs the node in a sub-workflow, once for five items. */
	async function saveParent(settings: Partial<INode> = {}) {
		const { client, save } = n8n();
		const sub = { ...workflowOf(CREATE), pinData: {} };
		Object.assign(sub.nodes[0]!, {
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		});
		const subId = await save(sub);
		// n8n 2 runs only a published one, and n8n 1 publishes none.
		if (!IS_N8N_1) await client.activate(subId);
		const parent = workflowOf({}, keywords(5), settings);
		Object.assign(parent.nodes[1]!, {
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: { __rl: true, mode: 'id', value: subId }, options: {} },
			credentials: {},
		});
		return { subId, id: await save(parent) };
	}

	it('starts without memory when Retry On Fail of its parent runs it again', async () => {
		const { sandbox, runSaved } = n8n();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(500) });
		const { id } = await saveParent(RETRY_ON_FAIL);
		expect((await runSaved(id)).status).toBe('success');
		expect(jobIds()).toHaveLength(2 + 5);
	});

	it('starts without memory when its parent is retried', async () => {
		const { client, sandbox, runSaved } = n8n();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(400) });
		const { id } = await saveParent();
		const failed = await runSaved(id);
		expect(failed.status).toBe('error');
		const retried = await client.waitForExecution(await client.retryExecution(failed.id));
		expect(retried.status).toBe('success');
		expect(jobIds()).toHaveLength(2 + 5);
	});

	it('remembers what was done when its own execution is retried', async () => {
		const { client, sandbox, runSaved } = n8n();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(400) });
		const { id, subId } = await saveParent();
		await runSaved(id);
		const [failed] = await client.listExecutions(subId);
		const retried = await client.waitForExecution(await client.retryExecution(failed!.id));
		expect(retried.status).toBe('success');
		expect(jobIds()).toHaveLength(5);
	});

	it('continues when its parent is cancelled', async () => {
		const { client, sandbox } = n8n();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 300 } });
		const { id, subId } = await saveParent();
		const execution = await client.runWorkflow(id);
		await until(() => sandbox.requests.length === 1, 20_000);
		await client.stopExecution(execution);
		expect((await client.waitForExecution(execution)).status).toBe('canceled');
		const [sub] = await client.listExecutions(subId);
		expect((await client.waitForExecution(sub!.id)).status).toBe('success');
		expect(jobIds()).toHaveLength(5);
	});
});

describe('nothing lost', () => {
	it('stops at the first failure and lists what was done', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2', fault: status(400) });
		const execution = await run(workflowOf(CREATE, keywords(5)));
		expect(sandbox.requests).toHaveLength(3);
		expect(jobIds()).toHaveLength(2);
		expect(errorOf(execution)).toMatchObject({
			message: 'The service rejected the input',
			description: expect.stringContaining(`job_id: ${jobIds().join(', ')}`),
			httpCode: '400',
		});
	});

	// On the error output n8n adds the fields of the input item.
	it('sends failed items down the error output, paired', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 1', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 3', fault: { kind: 'html' } });
		const items = keywords(5);
		const execution = await run(workflowOf(CREATE, items, CONTINUE));
		expect(outputOf(execution, NODE, 0).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
			{ item: 4 },
		]);
		expect(outputOf(execution, NODE, 1)).toEqual([
			{
				json: {
					keyword: 'keyword 1.',
					error: 'The service rejected the input',
					message: expect.any(String),
				},
				pairedItem: { item: 1 },
			},
			{
				json: {
					keyword: 'keyword 3.',
					error: 'The response does not match the documentation of the service',
					message: expect.stringContaining('may have been carried out'),
				},
				pairedItem: { item: 3 },
			},
		]);
	});

	it('sends nothing when a later item cannot be built', async () => {
		const { sandbox, run } = n8n();
		const parameters = { ...CREATE, keyword: '={{ $json.keyword.trim() }}' };
		const execution = await run(workflowOf(parameters, [...keywords(3), { keyword: null }]));
		expect(execution.status).toBe('error');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('stops when told', () => {
	it('ends the wait at once and sends nothing more', async () => {
		const { client, sandbox, save, log } = n8n();
		sandbox.faults.add({ skip: 2, fault: status(429, { retryAfter: '60' }) });
		const id = await client.runWorkflow(await save(workflowOf(CREATE, keywords(5))));
		await until(() => sandbox.requests.length === 3);
		const asked = performance.now();
		await client.stopExecution(id);
		const execution = await client.waitForExecution(id);
		expect(performance.now() - asked).toBeLessThan(30_000);
		expect(execution.status).toBe('canceled');
		await sleep(1_000);
		expect(sandbox.requests).toHaveLength(3);
		// n8n stores nothing of a cancelled node.
		expect(await log()).toContain(`job_id: ${jobIds().join(', ')}`);
	});
});

it('keeps the key out of the log', async () => {
	const { sandbox, run, log } = n8n();
	sandbox.faults.add({ fault: { kind: 'echo', status: 400 } });
	await run(workflowOf(CREATE));
	await run(workflowOf(ADD));
	expect(await log()).not.toContain(sandbox.key);
});
