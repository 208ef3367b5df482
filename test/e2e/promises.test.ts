/** What n8n itself has to do for the promises of the node, once each. The promises are tested on n8n's engine. */
import { status } from '../support/faults';
import { listed } from '../support/jobs';
import { CREATE, keywords, ONE_BY_ONE, USAGE } from '../support/parameters';
import { RETRY_ON_FAIL } from '../support/settings';
import { workflowOf } from '../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from './n8n';
import { until } from './until';

const jobIds = () => n8n().sandbox.state.jobs.map(({ job_id }) => job_id);

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
	it('pays for no gap in a row', async () => {
		const { sandbox, run } = n8n();
		const keyword = '={{ "dentist in " + $json.city }}';
		const execution = await run(workflowOf({ ...CREATE, keyword }, [{}]));
		expect(errorOf(execution)?.message).toContain('"Keyword" contains "undefined"');
		expect(sandbox.requests).toEqual([]);
	});

	it('creates no job if fewer requests would remain than "Minimum Remaining Requests"', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 300;
		const limited = { ...CREATE, options: { minRemaining: 100 } };
		const execution = await run(workflowOf(limited, keywords(500)));
		expect(errorOf(execution)?.message).toBe(
			'Not created: the run needs 500, the account has 300, and "Minimum Remaining Requests" is 100',
		);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
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
