import { CONTINUE } from '../support/settings';
import type { Fault } from '../../sandbox';
import { until, advance } from '../support/clock';
import {
	activeTrigger,
	searchBlacklists,
	workflowOf,
	inThreePasses,
	type StartedRun,
} from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, start } = useEngine();

/** Starts a workflow as a schedule does: nobody waits for it in the editor. */
const startScheduled = (parameters: Parameters<typeof workflowOf>[0], items = domains(1)) =>
	start(workflowOf(parameters, items), { mode: 'trigger' });

type Started = ReturnType<typeof startScheduled>;

async function cancelAll(runs: Started[]): Promise<void> {
	for (const { cancel } of runs) cancel();
	sandbox.reset();
	await until(Promise.all(runs.map(async ({ finished }) => await finished)));
}

/** How long something takes, in milliseconds. */
async function timeOf(work: Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work;
	return performance.now() - started;
}

describe('what a person waits for', () => {
	it.each([
		['the dropdown', searchBlacklists],
		['a test of the node', async () => await execute(ADD, domains(1))],
		[
			'a test of the trigger',
			async (owner: Parameters<typeof activeTrigger>[0]) =>
				await activeTrigger(owner, { events: ['planChanged'] })('manual'),
		],
	])('%s goes before scheduled runs', async (_what, ask) => {
		sandbox.faults.add({ fault: { kind: 'capacity', atOnce: 2, ms: 1_000 } });
		const runs = domains(40).map((item) => startScheduled(ADD, [item]));
		await until(() => sandbox.requestCount >= 2);
		// Ten are in flight. All the adds before it would take 20 seconds.
		expect(await timeOf(ask(owner))).toBeLessThanOrEqual(7_000);
		await cancelAll(runs);
	});

	it('the dropdown is served while adds hang', async () => {
		sandbox.faults.add({ method: 'POST', fault: { kind: 'hang' } });
		const adds = startScheduled(ADD_MANY, domains(20));
		await until(() => sandbox.requestCount >= 5);
		expect(await timeOf(searchBlacklists(owner))).toBe(0);
		await cancelAll([adds]);
	});
});

describe('the jobs of an account', () => {
	it('are created while one of them hangs', async () => {
		sandbox.faults.add({ match: 'hangs', fault: { kind: 'hang' } });
		const bad = startScheduled(CREATE, [{ keyword: 'hangs' }]);
		await until(() => sandbox.requestCount >= 1);
		const good = startScheduled(CREATE, [{ keyword: 'good' }]);
		// The one that hangs would end after five minutes.
		expect(await timeOf(until(good.finished))).toBeLessThanOrEqual(30_000);
		expect(sandbox.state.jobs).toMatchObject([{ keyword: 'good' }]);
		await cancelAll([bad]);
	});

	it('are created one by one at first, also when each run reads the usage before', async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
		const guarded = { ...CREATE, options: { minRemaining: 1 } };
		const runs = keywords(12).map((item) => startScheduled(guarded, [item]));
		await until(Promise.all(runs.map(async ({ finished }) => await finished)));
		const jobs = sandbox.requests.filter(({ method }) => method === 'POST');
		expect(jobs).toHaveLength(12);
		const alone = jobs.slice(1, 8).map(({ at }, index) => jobs[index]!.endedAt! <= at);
		expect(alone).toEqual(Array(7).fill(true));
	});
});

describe('all runs of an account wait when the service asks for it', () => {
	it('however many they are', async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '60' }) });
		const parameters = { ...ADD, options: { concurrency: 5 } };
		const runs = Array.from({ length: 12 }, () => startScheduled(parameters, domains(5)));
		await until(() => sandbox.requests.some((request) => request.status === 429));
		const toldAt = performance.now();
		const before = sandbox.requestCount;
		await until(() => sandbox.requestCount > before);
		expect(performance.now() - toldAt).toBeGreaterThanOrEqual(60_000);
		await cancelAll(runs);
	});

	it('even if the rest of its response does not come', async () => {
		const stall: Fault = { kind: 'stall', status: 429, headers: { 'retry-after': '20' } };
		sandbox.faults.add({ skip: 2, times: 1, fault: stall });
		sandbox.faults.add({ fault: { kind: 'delay', ms: 500 } });
		const parameters = { ...ADD, options: { concurrency: 5 } };
		const { json } = await until(startScheduled(parameters, domains(30)).finished);
		expect(json).toHaveLength(30);
		expect(sandbox.maxInFlight).toBe(5);
		const toldAt = sandbox.requests[2]!.at;
		// The rest is awaited for a moment.
		const during = sandbox.requests.filter(({ at }) => at > toldAt + 1_000 && at < toldAt + 20_000);
		expect(during).toEqual([]);
	});
});

/** The paths of jobs and of blacklists, whose requests belong to different lanes. */
const [JOBS, LISTS] = ['/api/v1/jobs', '/api/v1/blacklist/customers'];

/** Runs two workflows at once. @returns when each has ended, in milliseconds, and its output items */
async function sideBySide(...workflows: Array<ReturnType<typeof workflowOf>>) {
	const began = performance.now();
	const runs = workflows.map(async (workflow, index) => {
		const { outputs } = await start(workflow, { executionId: `${index}` }).finished;
		return { outputs, took: performance.now() - began };
	});
	return await until(Promise.all(runs));
}

const adds = (count = 30) => workflowOf(ADD, domains(count), CONTINUE);
const jobs = (count: number) => workflowOf(CREATE, keywords(count), CONTINUE);

describe('a service that always refuses', () => {
	it('a job does not hold up the adds of another execution', async () => {
		sandbox.faults.add({ path: JOBS, fault: status(429) });
		const [job, added] = await sideBySide(jobs(1), adds());
		expect(added!.outputs[0]).toHaveLength(30);
		expect(added!.took).toBeLessThan(1_000);
		expect(job!.outputs[1]).toHaveLength(1);
		expect(job!.took).toBeLessThan(125_000);
	});

	it('adds does not hold up the jobs of another execution', async () => {
		sandbox.faults.add({ path: LISTS, fault: status(429) });
		const [created, refused] = await sideBySide(jobs(20), adds());
		expect(created!.outputs[0]).toHaveLength(20);
		expect(created!.took).toBeLessThan(1_000);
		expect(refused!.outputs[1]).toHaveLength(30);
		expect(refused!.took).toBeLessThan(125_000);
	});
});

describe('a service that fails with one kind of requests holds up nothing of the other one:', () => {
	it.each<[string, string, () => StartedRun]>([
		['20 jobs', JOBS, () => start(jobs(20), { executionId: 'jobs' })],
		['jobs in a loop', JOBS, () => start(inThreePasses(jobs(20)), { executionId: 'jobs' })],
		['40 adds', LISTS, () => start(adds(40), { executionId: 'adds' })],
	])('%s', async (_what, path, begin) => {
		sandbox.state.remaining = 10_000;
		sandbox.faults.add({ path, fault: status(500) });
		const { finished } = begin();
		let hasEnded = false;
		void finished.then(() => (hasEnded = true));
		// Into the longer pauses.
		await advance(20_000);
		const healthy = path === JOBS ? adds() : jobs(8);
		for (const workflow of [healthy, inThreePasses(healthy)]) {
			const began = performance.now();
			await until(start(workflow, { executionId: 'healthy' }).finished);
			expect(performance.now() - began).toBeLessThan(1_000);
		}
		const carriedOut = sandbox.requests.filter((request) => request.carriedOut);
		// The passes behind the first have input items that ask for the same.
		expect(carriedOut).toHaveLength(2 * (path === JOBS ? 30 : 8) + 2);
		expect(hasEnded).toBe(false);
		await until(finished);
	});
});
