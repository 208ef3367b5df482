/** What n8n itself has to do for the promises of the node, once each. The promises are tested on n8n's engine. */
import { status } from '../../support/faults';
import { listed } from '../../support/jobs';
import { CREATE, keywords, ONE_BY_ONE, USAGE } from '../../support/parameters';
import { RETRY_ON_FAIL } from '../../support/settings';
import { workflowOf } from '../../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from '../n8n';
import { until } from '../until';

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

it('never pays twice: items that ask for the same share one request, and each gets its id', async () => {
	const { sandbox, run, retry } = n8n();
	const idsOf = async (keyword: string, rows: number) => {
		const items = Array.from({ length: rows }, (_, row) => keywords(3)[row % 3]!);
		const ended = await run(workflowOf({ ...CREATE, keyword }, items));
		expect(ended.status).toBe('success');
		return outputOf(ended, NODE).map(({ json }) => json.job_id);
	};
	for (const [keyword, rows, jobs] of [
		['dentist', 60, 1],
		['={{ $input.first().json.keyword }}', 19, 1],
		['={{ $json.keyword }}', 10, 3],
	] as const) {
		const before = jobIds().length;
		const ids = await idsOf(keyword, rows);
		const created = jobIds().slice(before);
		expect(created).toHaveLength(jobs);
		expect(ids).toEqual(ids.map((_, row) => created[row % jobs]));
	}
	const sent = sandbox.requests.length;
	expect(outputOf(await run(workflowOf(USAGE, keywords(5))), NODE)).toHaveLength(5);
	expect(sandbox.requests).toHaveLength(sent + 1);

	sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
	const equal = Array.from({ length: 9 }, (_, row) => keywords(3)[row % 3]!);
	const failed = await run(workflowOf(ONE_BY_ONE, equal));
	expect(errorOf(failed)?.message).toContain('(paid: 2 of 3 jobs)');
	const ids = outputOf(await retry(failed.id), NODE).map(({ json }) => json.job_id);
	const created = jobIds().slice(-3);
	expect(ids).toEqual(ids.map((_, row) => created[row % 3]));
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
