import { setTimeout as sleep } from 'node:timers/promises';

import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { activeTrigger, searchBlacklists, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { until } from '../support/until';

const account = useSandbox();
afterEach(() => jest.restoreAllMocks());

/** Starts a workflow as a schedule does: nobody waits for it in the editor. */
const startScheduled = (parameters: Parameters<typeof workflowOf>[0], items = domains(1)) =>
	startWorkflow(workflowOf(parameters, items), account().account, { mode: 'trigger' });

type Started = ReturnType<typeof startScheduled>;

async function cancelAll(runs: Started[]): Promise<void> {
	for (const { cancel } of runs) cancel();
	account().sandbox.reset();
	await Promise.all(runs.map(async ({ finished }) => await finished));
}

describe('what a person waits for', () => {
	it.each([
		['the dropdown', searchBlacklists],
		[
			'a test of the trigger',
			async (owner: Parameters<typeof activeTrigger>[0]) =>
				await activeTrigger(owner, { events: ['planChanged'] })('manual'),
		],
	])('%s goes before scheduled runs', async (_what, ask) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'capacity', atOnce: 5, ms: 100 } });
		const runs = domains(100).map((item) => startScheduled(ADD, [item]));
		await until(() => sandbox.requestCount >= 5);
		await ask(owner);
		expect(sandbox.requests.findIndex(({ method }) => method === 'GET')).toBeLessThan(30);
		await cancelAll(runs);
	});

	it('the dropdown goes first each time, beside a scheduled run at a known rate', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
		const adds = startScheduled(ADD_MANY, domains(1_000));
		await until(() => sandbox.requests.some(({ status }) => status === 429));
		for (let times = 0; times < 3; times++) {
			const before = sandbox.requestCount;
			await searchBlacklists(owner);
			expect(sandbox.requestCount - before).toBeLessThan(50);
		}
		await cancelAll([adds]);
	});

	it('the dropdown is served while adds hang', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ method: 'POST', fault: { kind: 'hang' } });
		const adds = startScheduled(ADD_MANY, domains(20));
		await until(() => sandbox.requestCount >= 5);
		await expect(searchBlacklists(owner)).resolves.toBeDefined();
		await cancelAll([adds]);
	});
});

it('a job is created while another job of the account hangs', async () => {
	const { sandbox } = account();
	sandbox.faults.add({ match: 'hangs', fault: { kind: 'hang' } });
	const bad = startScheduled(CREATE, [{ keyword: 'hangs' }]);
	await until(() => sandbox.requestCount >= 1);
	const good = startScheduled(CREATE, [{ keyword: 'good' }]);
	await until(() => sandbox.state.jobs.some(({ keyword }) => keyword === 'good'), 25_000);
	await good.finished;
	await cancelAll([bad]);
});

it('the first eight jobs are sent one by one, also when each run reads the usage first', async () => {
	const { sandbox } = account();
	sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
	const guarded = { ...CREATE, options: { minRemaining: 1 } };
	const runs = keywords(12).map((item) => startScheduled(guarded, [item]));
	await Promise.all(runs.map(async ({ finished }) => await finished));
	const jobs = sandbox.requests.filter(({ method }) => method === 'POST');
	expect(jobs).toHaveLength(12);
	const alone = jobs.slice(1, 8).map(({ at }, index) => jobs[index]!.endedAt! <= at);
	expect(alone).toEqual(Array(7).fill(true));
});

it('few requests are sent after the service asked for a pause, however many runs are active', async () => {
	const { sandbox } = account();
	sandbox.faults.add({ fault: status(429, { retryAfter: '60' }) });
	const parameters = { ...ADD, options: { concurrency: 5 } };
	const runs = Array.from({ length: 200 }, () => startScheduled(parameters, domains(5)));
	await until(() => sandbox.requests.some(({ endedAt }) => endedAt !== undefined));
	const paused = sandbox.requests[0]!.endedAt!;
	await sleep(3_000);
	const late = sandbox.requests.filter(({ at }) => at > paused + 200);
	expect(late.length).toBeLessThan(100);
	await cancelAll(runs);
});

it('all wait when the service asks for a pause, even if the rest of its response does not come', async () => {
	const { sandbox } = account();
	const stall: Fault = { kind: 'stall', status: 429, headers: { 'retry-after': '2' } };
	sandbox.faults.add({ skip: 2, times: 1, fault: stall });
	sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
	const parameters = { ...ADD, options: { concurrency: 5 } };
	const { json } = await startScheduled(parameters, domains(80)).finished;
	expect(json).toHaveLength(80);
	expect(sandbox.maxInFlight).toBe(5);
	const paused = sandbox.requests[2]!.at;
	// Without a pause, about 45.
	const meanwhile = sandbox.requests.filter(({ at }) => at > paused && at < paused + 1_900);
	expect(meanwhile.length).toBeLessThan(30);
});

it.each([-1, 1])("a pause ends in time if n8n's clock is set by %i h meanwhile", async (hours) => {
	const { sandbox } = account();
	sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '4' }) });
	const { finished } = startScheduled(CREATE, keywords(1));
	await until(() => sandbox.requests[0]?.endedAt !== undefined);
	await sleep(500);
	const clock = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => clock() + hours * 3_600_000);
	expect((await finished).error).toBeUndefined();
	const [refused, accepted] = sandbox.requests;
	const wait = accepted!.at - refused!.endedAt!;
	expect(wait).toBeGreaterThan(3_900);
	// If it started again, it would take 8 s.
	expect(wait).toBeLessThan(7_000);
});
