/** One test for each promise of the node, in the real n8n. The details are shown on n8n's engine. */
import type { IDataObject } from 'n8n-workflow';

import { status } from '../support/faults';
import { listed } from '../support/jobs';
import { CREATE, keywords, ONE_BY_ONE, USAGE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { workflowOf } from '../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from './n8n';
import { until } from './until';

const jobIds = () => n8n().sandbox.state.jobs.map(({ job_id }) => job_id);

it('bounded: has no more requests in flight than "Concurrency", in input order', async () => {
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

it('patient: waits as long as the service says', async () => {
	const { sandbox, run } = n8n();
	sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '1' }) });
	const execution = await run(workflowOf(CREATE));
	expect(errorOf(execution)).toBeUndefined();
	const [first, second, ...others] = sandbox.requests;
	expect(second!.at - first!.at).toBeGreaterThan(990);
	expect(others).toEqual([]);
});

it('never pays twice: Retry On Fail and the Retry button send only what was not done', async () => {
	const { sandbox, run, retry } = n8n();
	sandbox.faults.add({ match: 'keyword 2.', times: 2, fault: status(402) });
	const failed = await run(workflowOf(CREATE, keywords(5), RETRY_ON_FAIL));
	expect(failed.status).toBe('error');
	expect(sandbox.requests).toHaveLength(4);
	expect(jobIds()).toHaveLength(2);

	const retried = await retry(failed.id);
	expect(retried.status).toBe('success');
	expect(sandbox.requests).toHaveLength(4 + 3);
	expect(jobIds()).toHaveLength(5);
	expect(outputOf(retried, NODE).map(({ json }) => json.job_id)).toEqual(jobIds());
});

it('never pays twice: Retry On Fail does not send a job again that was created and reported as failed (500)', async () => {
	const { retry, run, sandbox } = n8n();
	const NOT_SENT_AGAIN = 'Not sent again: the request may have been carried out in an earlier try';
	const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
	const keywordsOf = (...items: number[]) => items.map((item) => `keyword ${item}.`);
	const fault = status(500, { carryOut: true });
	sandbox.faults.add({ match: 'keyword 1.', times: 2, fault });
	const failed = await run(workflowOf(ONE_BY_ONE, keywords(3), RETRY_ON_FAIL));
	expect(errorOf(failed)).toMatchObject({
		message: `${NOT_SENT_AGAIN} (paid: 2 of 3 jobs)`,
		description: expect.stringContaining('may have been carried out.'),
		httpCode: '500',
	});
	expect(created()).toEqual(keywordsOf(0, 1, 2));

	// Also in a retry, which a person ordered.
	const retried = await retry(failed.id);
	expect(errorOf(retried)?.message).toContain(NOT_SENT_AGAIN);
	expect(created()).toEqual(keywordsOf(0, 1, 2, 1));
	expect((await retry(retried.id)).status).toBe('success');
	expect(created()).toEqual(keywordsOf(0, 1, 2, 1, 1));
});

describe('never loses a job', () => {
	it('stops at the first failure, lists what was done, and says how to go on', async () => {
		const { sandbox, retry, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
		const execution = await run(workflowOf(CREATE, keywords(5)));
		expect(sandbox.requests).toHaveLength(3);
		expect(jobIds()).toHaveLength(2);
		expect(errorOf(execution)).toMatchObject({
			message: 'The request allowance of the account is used up (paid: 2 of 5 jobs)',
			description: expect.stringContaining(
				`Then, within 14 days, save, and "Executions" > execution ${execution.id} of "Test" > arrow at the top right > "Retry with currently saved workflow".`,
			),
			httpCode: '402',
		});
		expect(execution.data.resultData.error).toMatchObject({
			context: { data: sandbox.state.jobs.map(({ job_id, keyword }) => ({ job_id, keyword })) },
		});
		expect((await retry(execution.id)).status).toBe('success');
		expect(jobIds()).toHaveLength(5);
		expect(sandbox.requests).toHaveLength(3 + 3);
	});

	it('passes the input on with Include Input Fields, and pays once if it has a field named error', async () => {
		const { sandbox, run } = n8n();
		const parameters = { ...CREATE, options: { includeInputFields: true } };
		const items = keywords(2).map((item) => ({ ...item, row: 7, error: 'of an earlier node' }));
		const execution = await run(workflowOf(parameters, items, RETRY_ON_FAIL));
		expect(execution.status).toBe('success');
		expect(outputOf(execution, NODE).map(({ json }) => json)).toEqual(
			sandbox.state.jobs.map(({ job_id, keyword }) => ({ keyword, row: 7, job_id })),
		);
		expect(jobIds()).toHaveLength(2);
	});

	// On the error output n8n adds the fields of the input item.
	it('sends failed items down the error output, paired', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'html' } });
		const execution = await run(workflowOf(CREATE, keywords(3), CONTINUE));
		expect(outputOf(execution, NODE, 0).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
		]);
		expect(outputOf(execution, NODE, 1)).toEqual([
			{
				json: {
					keyword: 'keyword 1.',
					error: 'The response does not match the documentation of the service',
					message: expect.stringContaining('may have been carried out'),
				},
				pairedItem: { item: 1 },
			},
		]);
	});
});

it('stops when told: ends the wait, sends nothing more, and logs what was done', async () => {
	const { client, ended, log, run, sandbox, save } = n8n();
	sandbox.faults.add({ skip: 2, fault: status(429, { retryAfter: '1' }) });
	const id = await client.runWorkflow(await save(workflowOf(CREATE, keywords(5))));
	await until(() => sandbox.requests.length > 2);
	await client.stopExecution(id);
	expect((await ended(id)).status).toBe('canceled');
	// n8n stores nothing of a cancelled node.
	const sum = `was cancelled. Of 5 items: 2 done, 0 failed, 3 not started. Done, by job_id: ${listed(sandbox.state.jobs)}.`;
	await until(async () => (await log()).includes(sum));

	// Another run of the account is served after the pause, when the next job would have been sent.
	const sent = sandbox.requests.length;
	sandbox.faults.clear();
	await run(workflowOf(USAGE));
	expect(sandbox.requests.slice(sent).map(({ method }) => method)).toEqual(['GET']);
});

describe('guards the allowance', () => {
	it.each([
		['={{ "dentist in " + $json.city }}', 'contains "undefined"'],
		['=best {{ $json.city }} in town', 'has only its own words: "best  in town"'],
		['dentist in {{ $json.city }}', 'contains an expression that was not evaluated: '],
		['["dentist in Wien","baker in Graz"]', 'is JSON or code, not a phrase: '],
	])('pays for no gap in a row: %s', async (keyword, gap) => {
		const { sandbox, run } = n8n();
		const execution = await run(workflowOf({ ...CREATE, keyword }, [{}]));
		expect(errorOf(execution)?.message).toContain(`"Keyword" ${gap}`);
		expect(sandbox.requests).toEqual([]);
	});

	const limited = { ...CREATE, options: { minRemaining: 100 } };

	it.each([
		[300, 500, 0],
		[700, 500, 500],
	])('of %i requests, %i jobs and a minimum of 100, creates %i', async (left, rows, created) => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = left;
		const execution = await run(workflowOf(limited, keywords(rows)));
		expect(errorOf(execution)?.message).toBe(
			created > 0
				? undefined
				: 'Not created: 300 requests remain, 500 are needed, and "Minimum Remaining Requests" is 100',
		);
		expect(jobIds()).toHaveLength(created);
		expect(sandbox.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
	});

	it('creates no job at all for more items than "Maximum Jobs per Run"', async () => {
		const { sandbox, run } = n8n();
		const parameters = { ...CREATE, options: { maxJobs: 2 } };
		const execution = await run(workflowOf(parameters, keywords(5)));
		expect(errorOf(execution)?.message).toBe(
			'Not created: the run has 5 items, and "Maximum Jobs per Run" is 2',
		);
		expect(sandbox.requests).toEqual([]);
	});
});
