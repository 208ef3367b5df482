import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { Run } from '../../nodes/BusinessListingSearch/run/run';
import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { runWorkflow, startRetry, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import { ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';

const account = useSandbox();
const log = useLog();

/** "Batching": one item every so many milliseconds. */
const oneEvery = (batchInterval: number) => ({
	requestOptions: { batching: { batch: { batchSize: 1, batchInterval } } },
});

/** A job for each day, in batches. n8n cannot build the second one. */
const CREATE_OF_DAY = {
	...CREATE,
	...oneEvery(20),
	keyword: '={{ "events of " + $json.day.toDateTime().toISODate() }}',
};
const DAYS = ['2030-01-01', 'no day', '2030-01-03'].map((day) => ({ day }));

const VALUES = domains(5).map(({ value }) => ({ values: value }));

const jobIds = () => account().sandbox.state.jobs.map(({ job_id }) => job_id);

/** Starts a run, cancels it after a number of requests have arrived, and waits for its end. */
async function stopAt(requests: number, ...workflow: Parameters<typeof workflowOf>) {
	const { sandbox, account: owner } = account();
	const { finished, cancel } = startWorkflow(workflowOf(...workflow), owner);
	await until(() => sandbox.requests.length === requests);
	cancel();
	const end = await finished;
	await sleep(100);
	expect(sandbox.requests).toHaveLength(requests);
	return end;
}

/** A delayed fault, so that a run can be cancelled before the response. */
function addSlowly(match: string, fault?: Fault): void {
	const { sandbox } = account();
	sandbox.faults.add({ match, fault: { kind: 'delay', ms: 300 } });
	if (fault) sandbox.faults.add({ match, fault });
}

it('logs what was done each time, if a cancelled run is retried and cancelled again', async () => {
	const { sandbox, account: owner } = account();
	addSlowly('keyword 1.', status(500));
	const workflow = workflowOf({ ...CREATE, options: { concurrency: 1 } }, keywords(4));
	const first = startWorkflow(workflow, owner);
	await until(() => sandbox.requests.length === 2);
	first.cancel();
	const failed = await first.finished;
	sandbox.faults.clear();
	addSlowly('keyword 2.');
	const second = startRetry(workflow, failed, owner);
	await until(() => sandbox.requests.length === 4);
	second.cancel();
	await second.finished;
	const sums = log.lines().filter((line) => line.includes('was cancelled'));
	expect(sums).toHaveLength(2);
	expect(sums[0]).toContain('Of 4 items, 1 was done');
	expect(sums[1]).toContain('Of 4 items, 3 were done');
	for (const id of jobIds()) expect(sums[1]).toContain(id);
});

it('logs one summary if a retried execution is cancelled, also with Retry On Fail', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: status(400) });
	const workflow = workflowOf(CREATE, keywords(4), RETRY_ON_FAIL);
	const failed = await runWorkflow(workflow, owner);
	addSlowly('keyword 1.', status(500));
	const { finished, cancel } = startRetry(workflow, failed, owner);
	await until(() => sandbox.requests.length === 4);
	cancel();
	await finished;
	expect(log.lines('warn')).toEqual([expect.stringContaining('Of 4 items, 1 was done')]);
});

it('logs what failed in an earlier attempt, if it is cancelled before the next', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 1.', fault: status(500) });
	const waiting = { ...RETRY_ON_FAIL, waitBetweenTries: 1_000 };
	const options = { concurrency: 1 };
	const { finished, cancel } = startWorkflow(
		workflowOf({ ...CREATE, options }, keywords(3), waiting),
		owner,
	);
	await until(() => sandbox.requests.length === 2);
	await sleep(200);
	cancel();
	await finished;
	const [sum] = log.lines().filter((line) => line.includes('was cancelled'));
	expect(sum).toContain(`Of 3 items, 1 was done (job_id: ${jobIds()[0]}), 1 failed, `);
	expect(sum).toContain('1 was not started. Item 1: Failed in an earlier attempt.');
});

describe('the summary of a cancelled run', () => {
	it('is the last line, also if the last line of progress is long ago', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 2.', fault: status(429, { retryAfter: '60' }) });
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, keywords(6)), owner);
		await until(() => sandbox.requests.length === 3);
		await sleep(200);
		const clock = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => clock() + 10_000);
		cancel();
		await finished;
		expect(log.lines().at(-1)).toContain('Business Listing Search was cancelled. Of 6 items, 2');
	});

	it('with two jobs created, and a 500 for the third in flight', async () => {
		addSlowly('keyword 2.', status(500));
		await stopAt(3, CREATE, keywords(6));
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`Business Listing Search was cancelled. Of 6 items, 2 were done (job_id: ${jobIds().join(', ')}), 1 failed, 3 were not started.`,
			),
		]);
		expect(log.lines('warn')[0]).toContain('Item 2: The service could not process the request');
		expect(jobIds()).toHaveLength(2);
	});

	it('with Retry On Fail: logged once, and nothing is sent again', async () => {
		addSlowly('keyword 2.', status(500));
		await stopAt(3, CREATE, keywords(6), { ...RETRY_ON_FAIL, maxTries: 3 });
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`2 were done (job_id: ${jobIds().join(', ')}), 1 failed, 3 were not started.`,
			),
		]);
	});

	it('with Continue, and one carried out without a response', async () => {
		addSlowly('keyword 2.', { kind: 'drop', carryOut: true });
		const { sandbox } = account();
		await stopAt(3, CREATE, keywords(6), CONTINUE);
		const [first, second, unnamed] = jobIds();
		expect(sandbox.state.jobs).toHaveLength(3);
		const [line, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(line).toContain(
			`Of 6 items, 2 were done (job_id: ${first}, ${second}), 1 failed, 3 were not started.`,
		);
		expect(line).toMatch(/Item 2: The connection to the service broke .*may have been carried out/);
		expect(line).not.toContain(unnamed);
	});

	it('with Continue, including earlier failures', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ match: 'keyword 0.', fault: { kind: 'drop', carryOut: true } });
		addSlowly('keyword 2.');
		await stopAt(3, CREATE, keywords(4), CONTINUE);
		const [line, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(line).toContain('2 were done');
		expect(line).toContain('1 failed, 1 was not started.');
		expect(line).toMatch(/Item 0: .*may have been carried out/);
	});

	it('with several in flight, each with its own outcome', async () => {
		addSlowly('keyword 0.');
		addSlowly('keyword 1.', status(400));
		addSlowly('keyword 2.', { kind: 'cut', carryOut: true });
		const parameters = { ...CREATE, options: { concurrency: 3 } };
		await stopAt(3, parameters, keywords(5));
		const [line, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(line).toMatch(/Of 5 items, 1 was done \(job_id: \S+\), 2 failed, 2 were not started\./);
		expect(line).toContain('Item 1: The service rejected the input');
		expect(line).toMatch(/Item 2: .*may have been carried out/);
	});

	it('with Retry On Fail, after an attempt that still expected an item n8n could not build', async () => {
		const { sandbox } = account();
		addSlowly('2030-01-01');
		sandbox.faults.add({ match: '2030-01-01', times: 1, fault: status(400) });
		const settings = { ...RETRY_ON_FAIL, ...CONTINUE };
		await stopAt(3, CREATE_OF_DAY, DAYS, settings);
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(`2 were done (job_id: ${jobIds().join(', ')})`),
		]);
	});

	it('of Add Many Items', async () => {
		addSlowly('site-2.', { kind: 'drop', carryOut: true });
		const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
		await stopAt(3, parameters, VALUES);
		const [line, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(line).toContain(
			'Of 5 values, 2 were done, 1 failed, 2 were not started. "site-2.example.com": ',
		);
		expect(line).toContain('may have been carried out');
	});

	it('of Add Many Items, between two attempts of Retry On Fail', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'site-1.', fault: { kind: 'drop', carryOut: true } });
		const settings = { ...RETRY_ON_FAIL, waitBetweenTries: 500 };
		const parameters = { ...ADD_MANY, options: { concurrency: 1 } };
		const { finished, cancel } = startWorkflow(workflowOf(parameters, VALUES, settings), owner);
		// Two, and the first attempt has ended.
		await until(() => sandbox.requests.length === 2);
		await sleep(200);
		cancel();
		await finished;
		await sleep(500);
		expect(sandbox.requests).toHaveLength(2);
		const [line, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(line).toContain(
			'Of 5 values, 1 was done, 1 failed, 3 were not started. "site-1.example.com": ',
		);
		expect(line).toContain('may have been carried out');
	});

	it('during a pause, with nothing in flight', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ skip: 2, fault: status(429, { retryAfter: '3' }) });
		await stopAt(3, CREATE, keywords(5));
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`2 were done (job_id: ${jobIds().join(', ')}), 0 failed, 3 were not started.`,
			),
		]);
	});

	it('is logged once, and one grace period begins, while Add Many Items adds its values', async () => {
		const { account: owner } = account();
		const values = Array.from({ length: 20_000 }, (_, index) => `site-${index}.example.com`);
		const added = jest.spyOn(Run.prototype, 'add');
		const gracePeriods = jest.spyOn(AbortSignal, 'timeout');
		const { finished, cancel } = startWorkflow(
			workflowOf({ ...ADD_MANY, values: '={{ $json.values }}' }, [{ values }]),
			owner,
		);
		await until(() => added.mock.calls.length > 0);
		cancel();
		await finished;
		await until(() => log.lines('warn').length > 0);
		expect(log.lines('warn')).toHaveLength(1);
		expect(gracePeriods.mock.calls.filter(([ms]) => ms === 10_000).length).toBeLessThanOrEqual(1);
	});

	it('is logged if n8n passes the next batch after that', async () => {
		const { sandbox, account: owner } = account();
		const { finished, cancel } = startWorkflow(
			workflowOf({ ...CREATE, ...oneEvery(500) }, keywords(3), CONTINUE),
			owner,
		);
		await until(() => jobIds().length === 1);
		await sleep(100);
		cancel();
		await finished;
		await sleep(1_500);
		expect(sandbox.requests).toHaveLength(1);
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`Of 3 items, 1 was done (job_id: ${jobIds()[0]}), 0 failed, 2 were not started.`,
			),
		]);
	});

	it('is not logged if the node has finished without an item that n8n could not build', async () => {
		const { sandbox, account: owner } = account();
		const workflow = workflowOf(CREATE_OF_DAY, DAYS, CONTINUE);
		const [, node] = workflow.nodes;
		const parameters = { ...CREATE, keyword: 'later' };
		workflow.nodes.push({ ...node!, id: 'later', name: 'Later', parameters });
		workflow.connections[node!.name] = { main: [[{ node: 'Later', type: 'main', index: 0 }]] };
		addSlowly('later');
		const { finished, cancel } = startWorkflow(workflow, owner);
		await until(() => sandbox.requests.length === 3);
		cancel();
		await finished;
		await sleep(500);
		expect(log.lines('warn').filter((line) => line.startsWith(node!.name))).toEqual([]);
	});

	it('is no longer listened for when the node has finished, even without such an item', async () => {
		const { account: owner } = account();
		const added = jest.spyOn(Run.prototype, 'add');
		await runWorkflow(workflowOf(CREATE_OF_DAY, DAYS, CONTINUE), owner);
		const [run] = added.mock.contexts as unknown as Array<{
			cancellation: AbortSignal;
			cancel: () => void;
		}>;
		expect(run!.cancel).toBeInstanceOf(Function);
		expect(getEventListeners(run!.cancellation, 'abort')).not.toContain(run!.cancel);
	});

	it('is not logged if the run has already ended', async () => {
		const { sandbox, account: owner } = account();
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, keywords(3)), owner);
		await finished;
		cancel();
		await sleep(100);
		expect(log.lines('warn')).toEqual([]);
		expect(sandbox.state.jobs).toHaveLength(3);
	});
});

describe('a POST in flight when the run is cancelled', () => {
	it.each<[string, INodeParameters, Partial<INode>]>([
		['', CREATE, {}],
		[', with Continue', CREATE, CONTINUE],
	])('ends with its job_id in the log when it succeeds%s', async (_also, parameters, settings) => {
		addSlowly('keyword 1.');
		await stopAt(2, parameters, keywords(3), settings);
		expect(jobIds()).toHaveLength(2);
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`2 were done (job_id: ${jobIds().join(', ')}), 0 failed, 1 was not started.`,
			),
		]);
	});

	it('does not concern another execution of the same account', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const other = startWorkflow(workflowOf(CREATE, keywords(6)), owner, { executionId: '2' });
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, keywords(6)), owner);
		await until(() => sandbox.requests.length >= 4);
		cancel();
		await finished;
		const { json } = await other.finished;
		expect(json).toHaveLength(6);
		expect(log.lines('warn')).toHaveLength(1);
		const named = `${log.lines('warn').join()} ${JSON.stringify(json)}`;
		for (const id of jobIds()) expect(named).toContain(id);
	});
});
