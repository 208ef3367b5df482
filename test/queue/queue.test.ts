import { readFile } from 'node:fs/promises';
import type { INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import type { N8nHost } from '../../n8n/host';
import type { Job } from '../../sandbox';
import { status } from '../support/faults';
import { listed } from '../support/jobs';
import { ADD_MANY, CREATE } from '../support/parameters';
import { RETRY_ON_FAIL } from '../support/settings';
import { until } from '../e2e/until';
import { onWebhook, webhookAt, type TestWorkflow } from '../support/workflowOf';
import { errorOf, NODE, outputOf } from '../e2e/n8n';
import { executionsOf, SOON_MS, useQueue, WORKER_CONCURRENCY } from './queue';

const queue = useQueue();

const ITEMS = ['dentist', 'bakery', 'florist'];
/** A job per item, with the execution in its keyword. */
const CREATE_EACH: INodeParameters = {
	...CREATE,
	keyword: "={{ $json.item + ' of execution ' + $execution.id + '.' }}",
};
/** A domain per item, with the execution in its name. */
const ADD_ALL: INodeParameters = {
	...ADD_MANY,
	values: "={{ $json.item + '.execution-' + $execution.id + '.example' }}",
};
/**
 * The error workflow. n8n 2.x runs it only if it is active, and 1.x activates only workflows with
 * another trigger: hence the webhook.
 */
const ON_ERROR: TestWorkflow = {
	name: 'On error',
	nodes: [
		{
			id: 'trigger',
			name: 'Error Trigger',
			type: 'n8n-nodes-base.errorTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		webhookAt('on-error'),
	],
	connections: {},
};
const DELAY_MS = 300;
/** The number of concurrent webhook calls. */
const CALLERS = 10;

it('Retry On Fail sends only what was not done', async () => {
	const { activate, allEnded, sandbox, workers } = queue();
	sandbox.faults.add({ match: 'bakery', times: 1, fault: status(402) });
	const workflow = await activate(onWebhook('retry-on-fail', CREATE_EACH, RETRY_ON_FAIL));
	await call(['retry-on-fail']);
	const [execution] = await allEnded(workflow, 1);

	expect(execution!.status).toBe('success');
	expect(sandbox.requests).toHaveLength(ITEMS.length + 1);
	expect(jobIdsOf(execution!)).toEqual(sandbox.state.jobs.map(({ job_id }) => job_id));
	expectPaidOnce();
	// A worker ran it.
	const runs = await Promise.all(workers.map(executionsOf));
	expect(runs.flatMap(({ finished }) => finished)).toContain(execution!.id);
});

it('a chain of retries, each on one of the two workers, creates each job once', async () => {
	const { activate, allEnded, client, sandbox, workers } = queue();
	const items = Array.from({ length: 12 }, (_, index) => `keyword ${index}.`);
	const fault = status(500);
	for (const match of items.slice(1)) sandbox.faults.add({ match, times: 1, fault });
	const parameters = { ...CREATE, keyword: '={{ $json.item }}', options: { concurrency: 1 } };
	const workflow = await activate(onWebhook('chain', parameters));
	expect(await client.webhooks.call('chain', { items })).toBe(200);
	let [execution] = await allEnded(workflow, 1);
	for (let retries = 1; retries < items.length; retries++) {
		execution = await client.getExecution(await client.retryExecution(execution!.id));
	}
	expect(execution!.status).toBe('success');
	expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(items);
	for (const worker of workers) {
		expect((await executionsOf(worker)).started).not.toEqual([]);
	}
});

it('stops when cancelled, and the worker lists the jobs in its log', async () => {
	const { activate, client, sandbox, workers } = queue();
	const tooMany = status(429, { retryAfter: '60' });
	sandbox.faults.add({ skip: 2, fault: tooMany });
	const workflow = await activate(onWebhook('stop', CREATE_EACH));
	await call(['stop']);
	await until(() => sandbox.requests.length === 3, SOON_MS);
	const [running] = await client.listExecutions(workflow);
	await client.stopExecution(running!.id);

	expect(await client.waitForExecution(running!.id)).toMatchObject({ status: 'canceled' });
	const named = `job_id: ${listed(sandbox.state.jobs)}`;
	await until(async () => {
		const logs = await Promise.all(workers.map(async (one) => await readFile(one.logFile, 'utf8')));
		return logs.join().includes(named);
	}, SOON_MS);
	expect(sandbox.requests).toHaveLength(3);
});

it('accounts for every job when a worker is killed', async () => {
	const { activate, allEnded, client, sandbox, workers } = queue();
	const [killed, other] = workers;
	sandbox.faults.add({ fault: { kind: 'delay', ms: DELAY_MS } });
	const errorWorkflow = await activate(ON_ERROR);
	const leads = await activate({ ...onWebhook('leads', CREATE_EACH), settings: { errorWorkflow } });
	const blacklist = await activate(onWebhook('blacklist', ADD_ALL));

	const calling = call(Array.from({ length: 100 }, () => ['leads', 'blacklist']).flat());
	await until(async () => sandbox.state.jobs.length >= 100 && (await hasPaid(killed)), SOON_MS);
	process.kill(killed.pid, 'SIGKILL');
	await calling;
	const collected = await allEnded(leads, 100);
	const added = await allEnded(blacklist, 100);
	const executions = [...collected, ...added];
	const runs = await Promise.all([killed, other].map(executionsOf));

	// Both workers did a fair share, and nothing was started twice.
	for (const { finished } of runs) expect(finished.length).toBeGreaterThan(20);
	const started = runs.flatMap((run) => run.started);
	expect(new Set(started).size).toBe(started.length);

	// Only the executions of the killed worker have failed, with an explanation.
	const lost = executions.filter(({ status }) => status !== 'success');
	for (const execution of lost) {
		expect(runs[1]!.started).not.toContain(execution.id);
		expect(runs[0]!.finished).not.toContain(execution.id);
		expect(execution.status).toBe('error');
		expect(errorOf(execution)?.message).toContain('failed to be processed too many times');
	}
	const lostLeads = collected.filter(({ status }) => status !== 'success');
	await allEnded(errorWorkflow, lostLeads.length);

	expectAccountedFor(collected);
	const blacklisted = [...sandbox.state.blacklists.get('customers')!.values()];
	for (const execution of added.filter(({ status }) => status === 'success')) {
		expect(outputOf(execution, NODE)[0]?.json).toMatchObject({ added: ITEMS.length });
		expect(blacklisted.map(({ value }) => value)).toEqual(
			expect.arrayContaining(ITEMS.map((item) => `${item}.execution-${execution.id}.example`)),
		);
	}

	// n8n stores nothing of a lost execution, not even its input: a Retry does nothing.
	const requests = sandbox.requestCount;
	const retried = await client.getExecution(await client.retryExecution(lostLeads[0]!.id));
	expect(retried.status).toBe('error');
	expect(sandbox.requestCount).toBe(requests);
});

it('runs nothing again when a killed worker restarts at once', async () => {
	const { activate, allEnded, client, restart, sandbox, workers } = queue();
	const [killed, other] = workers;
	sandbox.faults.add({ fault: { kind: 'delay', ms: DELAY_MS } });
	const workflow = await activate(onWebhook('back', CREATE_EACH));
	const calling = call(Array.from({ length: 20 }, () => 'back'));
	await until(async () => await hasPaid(killed), SOON_MS);
	process.kill(killed.pid, 'SIGKILL');
	await calling;
	await restart();
	const executions = await allEnded(workflow, 20);

	// It finds them in its own log and marks them as crashed, until n8n detects that they were lost.
	const lost = executions.filter(({ status }) => status !== 'success');
	for (const { status } of lost) expect(['crashed', 'error']).toContain(status);
	for (const { id } of lost) {
		await until(async () => (await client.getExecution(id)).status === 'error', SOON_MS);
	}
	const runs = await Promise.all([killed, other, workers[0]].map(executionsOf));
	const started = runs.flatMap((run) => run.started);
	expect(new Set(started).size).toBe(started.length);
	expectAccountedFor(executions);
});

it('lets a terminated worker finish its executions', async () => {
	const { activate, allEnded, sandbox, workers } = queue();
	const [ending] = workers;
	// An execution includes the waits that the service asks for.
	const tooMany = status(429, { retryAfter: '3' });
	sandbox.faults.add({ skip: 15, times: 10, fault: tooMany });
	sandbox.faults.add({ fault: { kind: 'delay', ms: DELAY_MS } });
	// If not set, the jobs of a new account are sent one by one in each worker.
	const oneByOne = { ...CREATE_EACH, options: { concurrency: 1 } };
	const workflow = await activate(onWebhook('ending', oneByOne));
	const before = await executionsOf(ending);

	const calling = call(Array.from({ length: 30 }, () => 'ending'));
	await until(async () => {
		const { underWay } = await executionsOf(ending);
		const asked = sandbox.requests.filter(({ status }) => status === 429);
		return asked.some(({ body }) => underWay.includes(executionOf(body as Job)));
	}, SOON_MS);
	process.kill(ending.pid, 'SIGTERM');
	await ending.ended;
	const after = await executionsOf(ending);
	await calling;
	const executions = await allEnded(workflow, 30);

	expect(after.underWay).toEqual(before.underWay);
	expect(after.finished.length).toBeGreaterThan(before.finished.length + 2);
	expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
	expectPaidOnce();
	expect(executions.flatMap(jobIdsOf).sort()).toEqual(
		sandbox.state.jobs.map(({ job_id }) => job_id).sort(),
	);
	// "Concurrency", here 1, applies per execution, of which a worker runs several.
	expect(sandbox.maxInFlight).toBeGreaterThan(workers.length);
	expect(sandbox.maxInFlight).toBeLessThanOrEqual(2 * WORKER_CONCURRENCY);
});

/** Calls these webhooks, ten at a time; n8n responds once it has queued the execution. */
async function call(paths: string[]): Promise<void> {
	const left = [...paths];
	const caller = async () => {
		for (let path = left.shift(); path !== undefined; path = left.shift()) {
			expect(await queue().client.webhooks.call(path, { items: ITEMS })).toBe(200);
		}
	};
	await Promise.all(Array.from({ length: CALLERS }, caller));
}

function jobIdsOf(execution: Execution): string[] {
	const ids = outputOf(execution, NODE).map(({ json }) => String(json.job_id));
	expect(ids).toHaveLength(ITEMS.length);
	return ids;
}

function executionOf({ keyword }: Job): string {
	return /(\d+)\.$/.exec(keyword)![1]!;
}

/** Whether a worker has created jobs in an unfinished execution. */
async function hasPaid(worker: N8nHost): Promise<boolean> {
	const { underWay } = await executionsOf(worker);
	return queue().sandbox.state.jobs.some((job) => underWay.includes(executionOf(job)));
}

/** The keyword of a job identifies the execution and the item, so none may occur twice. */
function expectPaidOnce(): void {
	const keywords = queue().sandbox.state.jobs.map(({ keyword }) => keyword);
	expect(new Set(keywords).size).toBe(keywords.length);
}

/** Each job is reported by an execution, or belongs to an execution that was lost with its worker. */
function expectAccountedFor(executions: Execution[]): void {
	const { jobs } = queue().sandbox.state;
	const succeeded = executions.filter(({ status }) => status === 'success');
	const lost = executions.filter(({ status }) => status !== 'success').map(({ id }) => id);
	const reported = succeeded.flatMap(jobIdsOf);
	const unreported = jobs.filter(({ job_id }) => !reported.includes(job_id));
	expectPaidOnce();
	expect(jobs.map(({ job_id }) => job_id)).toEqual(expect.arrayContaining(reported));
	expect(unreported.length).toBeGreaterThan(0);
	expect(lost).toEqual(expect.arrayContaining(unreported.map(executionOf)));
}
