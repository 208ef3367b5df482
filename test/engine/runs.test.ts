import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { inThreePasses, runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import { ADD, CREATE, domains, keywords, USAGE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';
import { NODE_TYPE, TESTED_NODE } from '../support/workflowOf';

const account = useSandbox({ remaining: 1_000_000 });
const log = useLog();

/** The keywords that the service received, in order. */
const sentKeywords = () =>
	account().sandbox.requests.map(({ body }) => (body as IDataObject).keyword);

describe('a run is bounded', () => {
	it.each([
		['Job: Create, one by one', CREATE, keywords(6), 1],
		[
			'Job: Create, with "Concurrency"',
			{ ...CREATE, options: { concurrency: 4 } },
			keywords(12),
			4,
		],
		['Blacklist: Add Item, five at first', ADD, domains(10), 5],
		[
			'Blacklist: Add Item, with "Concurrency"',
			{ ...ADD, options: { concurrency: '={{ "12" }}' } },
			domains(40),
			12,
		],
		['Usage: Get, five', USAGE, domains(12), 5],
	])('%s', async (_what, parameters, items, concurrency) => {
		const { sandbox, account: owner } = account();
		// Long enough for all of them to start before the first response, on a busy machine too.
		sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
		const { json, error } = await runWorkflow(workflowOf(parameters, items), owner);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(items.length);
		expect(sandbox.requests).toHaveLength(items.length);
		expect(sandbox.maxInFlight).toBe(concurrency);
	});

	it('sends in input order, and keeps it in the output', async () => {
		const { sandbox, account: owner } = account();
		// The first is slow, so that later ones are answered before it.
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 100 } });
		const items = keywords(9);
		const { outputs } = await runWorkflow(
			workflowOf({ ...CREATE, options: { concurrency: 3 } }, items),
			owner,
		);
		expect(sentKeywords()).toEqual(items.map(({ keyword }) => keyword));
		const idOf = new Map(sandbox.state.jobs.map(({ keyword, job_id }) => [keyword, job_id]));
		expect(outputs[0]).toEqual(
			items.map(({ keyword }, item) => ({
				json: { job_id: idOf.get(String(keyword)) },
				pairedItem: { item },
			})),
		);
	});

	it('keeps to the first valid Concurrency', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const parameters = {
			...ADD,
			options: { concurrency: '={{ [0, 1, 3, 4, 5, ""][$itemIndex] }}' },
		};
		const { outputs } = await runWorkflow(workflowOf(parameters, domains(6), CONTINUE), owner);
		expect(outputs.map(({ length }) => length)).toEqual([5, 1]);
		expect(sandbox.maxInFlight).toBe(1);
	});

	it('continues as items arrive in n8n’s batches', async () => {
		const { sandbox, account: owner } = account();
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 300 } } };
		const { json } = await runWorkflow(
			workflowOf({ ...CREATE, requestOptions }, keywords(5)),
			owner,
		);
		expect(json).toHaveLength(5);
		const [first, , third] = sandbox.requests;
		// The first may arrive late on a busy machine.
		expect(third!.at - first!.at).toBeGreaterThan(150);
	});

	it('sends one item if the node is set to execute once', async () => {
		const { sandbox, account: owner } = account();
		const { json } = await runWorkflow(
			workflowOf(CREATE, keywords(3), { executeOnce: true }),
			owner,
		);
		expect(json).toHaveLength(1);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('a run shares its waits', () => {
	it('pauses all requests when one is told to wait', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 0 } });
		sandbox.faults.add({
			skip: 2,
			times: 1,
			fault: status(429, { retryAfter: '1' }),
		});
		const { json } = await runWorkflow(workflowOf(ADD, domains(30)), owner);
		expect(json).toHaveLength(30);
		const toldAt = sandbox.requests.find(({ status }) => status === 429)!.at;
		const early = sandbox.requests.filter(({ at }) => at > toldAt + 50 && at < toldAt + 950);
		expect(early).toEqual([]);
	});

	it('sends 200 items at 20 per second, and few are refused after the first', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 20 } });
		const { json, error } = await runWorkflow(workflowOf(ADD, domains(200)), owner);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(200);
		expect(sandbox.state.blacklists.get('customers')!.size).toBe(200);
		const refused = sandbox.requests.filter(({ status }) => status === 429);
		// Those in flight with the first cannot know of it; how many they are depends on the machine.
		const later = refused.filter(({ at }) => at > refused[0]!.at + 1_000);
		expect(later.length / sandbox.requests.length).toBeLessThanOrEqual(0.05);
	});
});

describe('a run pays for nothing twice', () => {
	afterEach(() => jest.restoreAllMocks());

	it('with Retry On Fail sends only what was not done', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 2', times: 1, fault: status(500) });
		const { json, error } = await runWorkflow(
			workflowOf(CREATE, keywords(5), RETRY_ON_FAIL),
			owner,
		);

		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(5);
		expect(json).toEqual(sandbox.state.jobs.map(({ job_id }) => ({ job_id })));
		expect(sandbox.requests).toHaveLength(6);
		const logged = log.lines('info').join(' ');
		for (const { job_id } of sandbox.state.jobs) expect(logged.split(job_id)).toHaveLength(2);
	});

	it('does so for items that are equal', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 2, times: 1, fault: status(500) });
		const equal = keywords(1).flatMap((item) => [item, { ...item }, { ...item }]);
		const { json } = await runWorkflow(workflowOf(CREATE, equal, RETRY_ON_FAIL), owner);
		expect(json).toEqual(sandbox.state.jobs.map(({ job_id }) => ({ job_id })));
		expect(sandbox.requests).toHaveLength(4);
	});

	it('does so with Continue when the first item failed', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 0', times: 1, fault: status(500) });
		const { json } = await runWorkflow(
			workflowOf(CREATE, keywords(3), { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' }),
			owner,
		);
		expect(sandbox.state.jobs).toHaveLength(3);
		expect(json.map(({ job_id }) => job_id).sort()).toEqual(
			sandbox.state.jobs.map(({ job_id }) => job_id).sort(),
		);
	});

	it('with Continue sends nothing again if the first item was done: a rule of n8n', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1', times: 1, fault: status(500) });
		const settings = { ...RETRY_ON_FAIL, ...CONTINUE };
		const { outputs } = await runWorkflow(workflowOf(CREATE, keywords(3), settings), owner);
		expect(outputs.map(({ length }) => length)).toEqual([2, 1]);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('with Continue sends an item that n8n can build only in a later attempt', async () => {
		const { sandbox, account: owner } = account();
		let isFirst = true;
		jest.spyOn(Math, 'random').mockImplementation(() => (isFirst ? 0.1 : 0.9));
		sandbox.faults.add({ match: 'keyword 0', times: 1, fault: status(500) });
		void until(() => sandbox.requests.length > 0).then(() => (isFirst = false));
		// Item 1 can be built in the second attempt, the others only in the first.
		const keyword =
			'={{ ($itemIndex === 1) === (Math.random() < 0.5) ? "no day".toDateTime() : $json.keyword }}';
		const settings = { ...RETRY_ON_FAIL, ...CONTINUE, waitBetweenTries: 200 };
		const { outputs } = await runWorkflow(
			workflowOf({ ...CREATE, keyword }, keywords(3), settings),
			owner,
		);
		expect(outputs.flat()).toHaveLength(3);
		expect(sentKeywords()).toEqual(['keyword 0.', 'keyword 2.', 'keyword 1.']);
	});

	it('does not send again after an unknown outcome', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1', times: 1, fault: { kind: 'drop', carryOut: true } });
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(3), RETRY_ON_FAIL), owner);

		expect(error?.message).toBe(
			'Not sent again: the request may have been carried out in an earlier attempt',
		);
		expect(error?.description).toContain(`job_id: ${sandbox.state.jobs[0]!.job_id}`);
		expect(sandbox.requests).toHaveLength(2);
	});

	it.each([502, 504])('treats %i as unknown: it can come from a proxy', async (code) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: status(code, { carryOut: true }) });
		const { error } = await runWorkflow(workflowOf(CREATE, [{}], RETRY_ON_FAIL), owner);
		expect(error?.message).toMatch(/^Not sent again/);
		expect(sandbox.state.jobs).toHaveLength(1);
	});

	it('reports it even if the allowance is below the minimum in the next attempt', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.remaining = 100;
		sandbox.faults.add({ method: 'POST', fault: { kind: 'drop', carryOut: true } });
		const parameters = { ...CREATE, options: { minRemaining: 100 } };
		const { error } = await runWorkflow(workflowOf(parameters, [{}], RETRY_ON_FAIL), owner);
		expect(error?.message).toContain('may have been carried out');
		expect(sandbox.state.jobs).toHaveLength(1);
	});

	it.each([
		['without', {}],
		['with', CONTINUE],
	])('reports it even if the next attempt is refused, %s Continue', async (_what, settings) => {
		const { sandbox, account: owner } = account();
		let isFirst = true;
		jest.spyOn(Math, 'random').mockImplementation(() => (isFirst ? 0.1 : 0.9));
		sandbox.faults.add({ match: 'keyword 0', fault: { kind: 'drop', carryOut: true } });
		void until(() => sandbox.requests.length > 0).then(() => (isFirst = false));
		const options = { concurrency: '={{ Math.random() < 0.5 ? 1 : 100 }}' };
		const { error, outputs } = await runWorkflow(
			workflowOf({ ...CREATE, options }, keywords(1), {
				...RETRY_ON_FAIL,
				...settings,
				waitBetweenTries: 200,
			}),
			owner,
		);
		const [item] = outputs.flat();
		expect(error?.message ?? item?.json.error).toMatch(/^Not sent again/);
		expect(sandbox.state.jobs).toHaveLength(1);
	});

	it('sends the same items again in the next pass of a loop', async () => {
		const { sandbox, account: owner } = account();
		const workflow = inThreePasses(workflowOf(CREATE, [{ keyword: 'dentist' }]));
		const { run } = await runWorkflow(workflow, owner);
		expect(run.data.resultData.runData[TESTED_NODE]).toHaveLength(3);
		expect(sandbox.state.jobs).toHaveLength(3);
	});

	it('stores nothing when everything is done', async () => {
		const { run } = await runWorkflow(workflowOf(CREATE, keywords(5)), account().account);
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('job_id');
	});

	it('stores little for 10,000 items', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 9999.', fault: status(400) });
		const { run, error } = await runWorkflow(
			workflowOf({ ...CREATE, options: { concurrency: 50 } }, keywords(10_000)),
			owner,
		);
		expect(error?.httpCode).toBe('400');
		const kept = JSON.stringify(run.data.executionData?.contextData);
		expect(kept).toContain(sandbox.state.jobs[0]!.job_id);
		expect(kept.length).toBeLessThan(2_000_000);
	}, 240_000);
});

describe('a run loses no job', () => {
	it('starts nothing after the first failure, and lists what was done', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 2', fault: status(400) });
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(5)), owner);

		expect(sandbox.requests).toHaveLength(3);
		const ids = sandbox.state.jobs.map(({ job_id }) => job_id).join(', ');
		expect(error).toMatchObject({
			message: 'The service rejected the input',
			description: expect.stringContaining(
				`Of 5 items, 2 were done (job_id: ${ids}), 1 failed, 2 were not started.`,
			),
			context: { itemIndex: 2 },
		});
	});

	it.each([
		['Job: Create', CREATE, keywords(20)],
		['Blacklist: Add Item', ADD, domains(20)],
	])('blocks no other run after its failure, %s', async (_what, parameters, items) => {
		const { sandbox, account: owner } = account();
		// As many as are in flight at first; the next ones get their turns as the run stops.
		for (let failed = 0; failed < 5; failed++) {
			sandbox.faults.add({ times: 1, fault: status(400) });
			const { error } = await runWorkflow(workflowOf(parameters, items), owner);
			expect(error).toBeDefined();
		}
		const { json } = await runWorkflow(workflowOf(parameters, items), owner);
		expect(json).toHaveLength(items.length);
	});

	it('logs what the service said of an unknown outcome', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: status(200, { body: { id: 'paid' } }) });
		await runWorkflow(workflowOf(CREATE, keywords(2), CONTINUE), owner);
		expect(log.lines('info')).toContainEqual(
			expect.stringMatching(/^Business Listing Search: Item 0: .*\{"id":"paid"\}/),
		);
	});

	it('lets requests in flight finish', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 0', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 2', fault: { kind: 'drop' } });
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const { error } = await runWorkflow(
			workflowOf({ ...CREATE, options: { concurrency: 3 } }, keywords(5)),
			owner,
		);
		expect(sandbox.requests).toHaveLength(3);
		expect(error?.description).toContain(
			`Of 5 items, 1 was done (job_id: ${sandbox.state.jobs[0]!.job_id}), 2 failed, 2 were not started.`,
		);
		expect(error?.description).toMatch(
			/Item 2: The connection to the service broke .*\. The request may have been carried out/,
		);
	});

	it('ends the waits of others at the first failure', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({
			match: 'keyword 1',
			fault: status(429, { retryAfter: '60' }),
		});
		sandbox.faults.add({ match: 'keyword 0', fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ match: 'keyword 0', fault: status(400) });
		const started = Date.now();
		const { error } = await runWorkflow(
			workflowOf({ ...CREATE, options: { concurrency: 2 } }, keywords(3)),
			owner,
		);
		expect(Date.now() - started).toBeLessThan(20_000);
		expect(error?.description).toContain('0 were done, 1 failed, 2 were not started');
		expect(error?.context.itemIndex).toBe(0);
	});

	it.each([1, 2])('ends while items still arrive in batches of %i', async (batchSize) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 0', fault: status(400) });
		const requestOptions = { batching: { batch: { batchSize, batchInterval: 50 } } };
		const { error } = await runWorkflow(
			workflowOf({ ...CREATE, requestOptions }, keywords(5)),
			owner,
		);
		expect(error?.description).toContain('Of 5 items, 0 were done, 1 failed, 4 were not started.');
		expect(sandbox.requests).toHaveLength(1);
	});

	it('sends every item with Continue', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1', fault: status(400) });
		const { outputs } = await runWorkflow(workflowOf(CREATE, keywords(4), CONTINUE), owner);
		expect(sandbox.requests).toHaveLength(4);
		expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
			{ item: 3 },
		]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	/** A keyword whose expression throws for an invalid `day` (`toDateTime`), which fails the node. */
	const ofDay = { ...CREATE, keyword: '={{ "events of " + $json.day.toDateTime().toISODate() }}' };

	it('sends nothing when n8n cannot build a later item', async () => {
		const { sandbox, account: owner } = account();
		const items = [{ day: '2030-01-01' }, { day: '2030-01-02' }, { day: 'no day' }];
		const { error } = await runWorkflow(workflowOf(ofDay, items), owner);
		expect(error?.message).toMatch(/cannot convert to Luxon DateTime/);
		expect(error?.context.itemIndex).toBe(2);
		await sleep(200);
		expect(sandbox.requests).toEqual([]);

		// Only the others are built and sent.
		const { json } = await runWorkflow(workflowOf(ofDay, items.slice(0, 2)), owner);
		expect(json).toHaveLength(2);
	});

	it('sends the items that n8n can build with Continue', async () => {
		const { sandbox, account: owner } = account();
		const items = [{ day: '2030-01-01' }, { day: 'no day' }, { day: '2030-01-03' }];
		const { outputs } = await runWorkflow(workflowOf(ofDay, items, CONTINUE), owner);
		expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual([
			'events of 2030-01-01',
			'events of 2030-01-03',
		]);
		expect(outputs[0]).toHaveLength(2);
		expect(outputs[1]).toHaveLength(1);
		const lines = log.lines('info').filter((line) => line.includes('finished'));
		expect(lines.at(-1)).toMatch(/: 2 of 2 finished, new: /);
	});

	it('sends nothing when a later item is refused', async () => {
		const { sandbox, account: owner } = account();
		const { error } = await runWorkflow(
			workflowOf(CREATE, [...keywords(2), { keyword: ' ' }, ...keywords(1)]),
			owner,
		);
		expect(error?.message).toBe('"Keyword" is empty');
		expect(error?.context.itemIndex).toBe(2);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a run stops when told', () => {
	it('ends a wait at once and sends nothing after it', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({
			skip: 1,
			fault: status(429, { retryAfter: '60' }),
		});
		const { finished, cancel } = startWorkflow(workflowOf(CREATE, keywords(5)), owner);
		finished.catch(() => {});
		await until(() => sandbox.requests.length === 2);
		const started = Date.now();
		cancel();
		await finished.catch(() => {});
		expect(Date.now() - started).toBeLessThan(20_000);
		await sleep(100);
		expect(sandbox.requests).toHaveLength(2);
	});

	it('aborts a GET in flight', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'hang' } });
		const { finished, cancel } = startWorkflow(workflowOf(USAGE), owner);
		finished.catch(() => {});
		await until(() => sandbox.requests.length === 1);
		cancel();
		await finished.catch(() => {});
		await sleep(200);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('calls of an agent at once', () => {
	const THREE_CALLS = workflowOf(CREATE, keywords(1), { type: `${NODE_TYPE}Tool` });

	it('are all carried out', async () => {
		const { sandbox, account: owner } = account();
		const { json } = await runWorkflow(THREE_CALLS, owner);
		const created = sandbox.state.jobs.map(({ job_id }) => job_id);
		expect(created).toHaveLength(3);
		expect(json.map(({ job_id }) => job_id).sort()).toEqual(created.sort());
	});

	it('all end when the execution is cancelled', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: status(429, { retryAfter: '1' }) });
		const { finished, cancel } = startWorkflow(THREE_CALLS, owner);
		await until(() => sandbox.requests.length === 1);
		cancel();
		await finished;
		await sleep(1_500);
		expect(sandbox.requests).toHaveLength(1);
	});
});
