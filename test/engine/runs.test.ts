import type { IDataObject } from 'n8n-workflow';

import { advance, until } from '../support/clock';
import { workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, CREATE, domains, keywords, ONE_BY_ONE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { NODE_TYPE } from '../support/workflowOf';

const { sandbox, execute, start, log } = useEngine();

/** The keywords that the service received, in order. */
const sentKeywords = () => sandbox.requests.map(({ body }) => (body as IDataObject).keyword);

/** Retry On Fail a second later: the minute's second 0 is the first attempt, in an expression too. */
const RETRY_IN_A_SECOND = { ...RETRY_ON_FAIL, waitBetweenTries: 1_000 };

describe('a run is bounded', () => {
	it.each([
		['by "Concurrency"', { ...CREATE, options: { concurrency: 4 } }, keywords(12), 4],
		['by a text', { ...ADD, options: { concurrency: '={{ "12" }}' } }, domains(24), 12],
		['by 1 at first, for jobs', CREATE, keywords(8), 1],
	])('%s', async (_what, parameters, items, concurrency) => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 100 } });
		const { json, error } = await execute(parameters, items);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(items.length);
		expect(sandbox.requests).toHaveLength(items.length);
		expect(sandbox.maxInFlight).toBe(concurrency);
	});

	it.each([
		['to 10, for jobs', CREATE, keywords(80), 10],
		['to 80, for adds', ADD, domains(160), 80],
	])(
		'automatically, doubled while more get through: %s',
		async (_what, parameters, items, most) => {
			sandbox.faults.add({ fault: { kind: 'delay', ms: 200 } });
			await execute(parameters, items);
			expect(sandbox.maxInFlight).toBe(most);
		},
	);

	it('sends in input order, and keeps it in the output', async () => {
		// The first is slow, so that later ones are answered before it.
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 100 } });
		const items = keywords(9);
		const { outputs } = await execute({ ...CREATE, options: { concurrency: 3 } }, items);
		expect(sentKeywords()).toEqual(items.map(({ keyword }) => keyword));
		const idOf = new Map(sandbox.state.jobs.map(({ keyword, job_id }) => [keyword, job_id]));
		expect(outputs[0]).toEqual(
			items.map(({ keyword }, item) => ({
				json: { job_id: idOf.get(String(keyword)) },
				pairedItem: { item },
			})),
		);
	});
});

describe('a run pays for nothing twice', () => {
	it('with Retry On Fail sends only what was not done, also of equal items', async () => {
		sandbox.faults.add({ times: 1, fault: status(402) });
		const equal = keywords(1).flatMap((item) => [item, { ...item }, { ...item }]);
		const { json } = await execute(ONE_BY_ONE, equal, RETRY_ON_FAIL);
		const [job] = sandbox.state.jobs;
		expect(json).toEqual(Array(3).fill({ job_id: job!.job_id }));
		expect(sandbox.requests).toHaveLength(2);
		const logged = log.lines('info').join(' ');
		for (const { job_id } of sandbox.state.jobs) expect(logged.split(job_id)).toHaveLength(2);
	});

	it('with Continue does so when the first item failed', async () => {
		sandbox.faults.add({ match: 'keyword 0', times: 1, fault: status(400) });
		const { json } = await execute(ONE_BY_ONE, keywords(3), {
			...RETRY_ON_FAIL,
			onError: 'continueRegularOutput',
		});
		expect(sandbox.state.jobs).toHaveLength(3);
		expect(json.map(({ job_id }) => job_id).sort()).toEqual(
			sandbox.state.jobs.map(({ job_id }) => job_id).sort(),
		);
	});

	it('with Continue sends nothing again if the first item was done: a rule of n8n', async () => {
		sandbox.faults.add({ match: 'keyword 1', times: 1, fault: status(500) });
		const settings = { ...RETRY_ON_FAIL, ...CONTINUE };
		const { outputs } = await execute(ONE_BY_ONE, keywords(3), settings);
		expect(outputs.map(({ length }) => length)).toEqual([2, 1]);
		expect(sandbox.requests).toHaveLength(3);
	});

	it.each([
		['the allowance is below the minimum', { minRemaining: 99 }],
		['a parameter is refused', { concurrency: '={{ $now.second === 0 ? 1 : 1000 }}' }],
	])('reports an unknown outcome even if %s in the next attempt', async (_what, options) => {
		sandbox.state.remaining = 100;
		sandbox.faults.add({ method: 'POST', fault: { kind: 'drop', carryOut: true } });
		const { error } = await execute({ ...CREATE, options }, [{}], RETRY_IN_A_SECOND);
		expect(error?.message).toMatch(/^Not sent again: .* may have been carried out/);
		expect(sandbox.state.jobs).toHaveLength(1);
	});
});

describe('a run loses no job', () => {
	it('starts nothing after the first failure, and lists what was done', async () => {
		sandbox.faults.add({ match: 'keyword 2', fault: status(400) });
		const { error } = await execute(ONE_BY_ONE, keywords(5));

		expect(sandbox.requests).toHaveLength(3);
		expect(error).toMatchObject({
			message: 'The service rejected the input (paid: 2 of 5 jobs)',
			context: {
				itemIndex: 2,
				data: sandbox.state.jobs.map(({ job_id, keyword }) => ({ job_id, keyword })),
			},
		});
	});

	it('names a new job in n8n’s log within a second, while the run goes on', async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 30 } });
		sandbox.faults.add({ match: 'keyword 2', fault: { kind: 'hang' } });
		const { stop } = start(ONE_BY_ONE, keywords(3));
		await until(() => sandbox.requests.length === 3);
		await advance(1_000);
		for (const { job_id } of sandbox.state.jobs) {
			expect(log.lines('info').join(' ')).toContain(job_id);
		}
		await stop();
	});

	it.each([
		['Job: Create', CREATE, keywords(10)],
		['Blacklist: Add Item', ADD, domains(10)],
	])('blocks no other run after its failure, %s', async (_what, parameters, items) => {
		// As many as are in flight at first; the next ones get their turns as the run stops.
		for (let failed = 0; failed < 5; failed++) {
			sandbox.faults.add({ times: 1, fault: status(400) });
			const { error } = await execute(parameters, items);
			expect(error).toBeDefined();
		}
		const { json } = await execute(parameters, items);
		expect(json).toHaveLength(items.length);
	});

	it('logs how far it is while all items fail, and an unknown outcome once, in all attempts', async () => {
		sandbox.faults.add({ match: 'keyword 0.', times: 1, fault: { kind: 'drop', carryOut: true } });
		sandbox.faults.add({ fault: status(400) });
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 3_000 } } };
		const settings = { ...CONTINUE, ...RETRY_ON_FAIL };
		await execute({ ...ONE_BY_ONE, requestOptions }, keywords(5), settings);
		const lines = log.lines('info');
		expect(lines.filter((line) => line.includes('may have been carried out'))).toHaveLength(1);
		expect(lines.some((line) => line.endsWith('3 of 5 finished'))).toBe(true);
	});

	it('logs what the service said of a job that may exist, and of no other failure', async () => {
		sandbox.faults.add({ times: 1, fault: status(200, { body: { id: 'paid' } }) });
		sandbox.faults.add({ times: 1, fault: status(500) });
		sandbox.faults.add({ fault: status(400) });
		await execute(ONE_BY_ONE, keywords(3), CONTINUE);
		expect(sandbox.requests).toHaveLength(3);
		expect(log.lines('info')).toEqual([
			expect.stringMatching(
				/^Business Listing Search \(execution 1\): Item 0 \("keyword 0\."\): .*\{"id":"paid"\}/,
			),
			expect.stringMatching(/ Item 1 \("keyword 1\."\): .*status 500.*may have been carried out/),
		]);
	});

	it('lets requests in flight finish', async () => {
		sandbox.faults.add({ match: 'keyword 0', fault: status(400) });
		sandbox.faults.add({ match: 'keyword 2', fault: { kind: 'drop' } });
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const { error } = await execute({ ...CREATE, options: { concurrency: 3 } }, keywords(5));
		expect(sandbox.requests).toHaveLength(3);
		expect(error?.message).toContain(' (paid: 1 of 5 jobs)');
		expect(error?.description).toMatch(
			/Item 2 .*: The connection to the service broke .*\. It may have been carried out/,
		);
	});

	it('ends the waits of others at the first failure', async () => {
		sandbox.faults.add({ match: 'keyword 1', fault: status(429, { retryAfter: '60' }) });
		sandbox.faults.add({ match: 'keyword 0', fault: { kind: 'delay', ms: 100 } });
		sandbox.faults.add({ match: 'keyword 0', fault: status(400) });
		const started = performance.now();
		const { error } = await execute({ ...CREATE, options: { concurrency: 2 } }, keywords(3));
		expect(performance.now() - started).toBe(100);
		expect(error?.context.itemIndex).toBe(0);
	});
});

describe('calls of an agent at once', () => {
	const THREE_CALLS = workflowOf(CREATE, keywords(1), { type: `${NODE_TYPE}Tool` });

	it('are all carried out', async () => {
		const { json } = await execute(THREE_CALLS);
		const created = sandbox.state.jobs.map(({ job_id }) => job_id);
		expect(created).toHaveLength(3);
		expect(json.map(({ job_id }) => job_id).sort()).toEqual(created.sort());
	});

	it('all end when the execution is cancelled', async () => {
		sandbox.faults.add({ fault: status(429, { retryAfter: '1' }) });
		const { stop } = start(THREE_CALLS);
		await until(() => sandbox.requests.length > 0);
		await stop();
		const { length } = sandbox.requests;
		await advance(60_000);
		expect(sandbox.requests).toHaveLength(length);
		// A sum for each.
		expect(log.lines('warn')).toHaveLength(3);
	});
});
