/** One test for each promise of the node, in the real n8n. The details are shown on n8n's engine. */
import { createServer, type Socket } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { status } from '../support/faults';
import { listed } from '../support/jobs';
import { listen } from '../support/listen';
import { ADD, ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE, USAGE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { inLoop, workflowOf } from '../support/workflowOf';
import { follow } from './follow';
import { credentialOf, errorOf, IS_N8N_1, n8n, NODE, outputOf } from './n8n';
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

it('a dry run shows the bodies that are sent without it, and sends nothing', async () => {
	const { sandbox, run } = n8n();
	sandbox.state.remaining = 1_000;
	const parameters = { ...CREATE, filters: { minRating: '={{ "4" }}' } };
	const dry = { ...parameters, options: { dryRun: true } };
	const shown = outputOf(await run(workflowOf(dry, keywords(100))), NODE);
	expect(sandbox.requests).toEqual([]);
	expect(errorOf(await run(workflowOf(parameters, keywords(100))))).toBeUndefined();
	const byKeyword = (one: IDataObject, other: IDataObject) =>
		String(one.keyword).localeCompare(String(other.keyword));
	const sent = sandbox.requests.map(({ body }) => ({ dryRun: true, ...(body as IDataObject) }));
	expect(shown.map(({ json }) => json).sort(byKeyword)).toEqual(sent.sort(byKeyword));
	expect(shown).toHaveLength(100);
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

it('patient: jobs that are told to wait hold up no adds of another execution', async () => {
	const { client, ended, sandbox, run, save } = n8n();
	sandbox.faults.add({ path: '/api/v1/jobs', fault: status(429) });
	const waiting = await client.runWorkflow(await save(workflowOf(CREATE)));
	await until(() => sandbox.requests.length > 0);
	const added = await run(workflowOf(ADD, domains(400)));
	expect(outputOf(added, NODE)).toHaveLength(400);
	// It gives up after two minutes.
	expect((await client.getExecution(waiting)).status).toBe('running');
	await client.stopExecution(waiting);
	await ended(waiting);
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

describe('never pays twice: a job that was created, and that the service reported as failed (500),', () => {
	const CREATED = status(500, { carryOut: true });
	const NOT_SENT_AGAIN = 'Not sent again: the request may have been carried out in an earlier try';
	const created = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
	const keywordsOf = (...items: number[]) => items.map((item) => `keyword ${item}.`);

	it('is not sent again by Retry On Fail, also in a retry, which a person ordered', async () => {
		const { retry, run, sandbox } = n8n();
		sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: CREATED });
		const failed = await run(workflowOf(ONE_BY_ONE, keywords(3), RETRY_ON_FAIL));
		expect(errorOf(failed)).toMatchObject({ message: NOT_SENT_AGAIN, httpCode: '500' });
		expect(errorOf(failed)?.description).toContain(
			'Select "Retry with original workflow". A retry sends again what the service reported as failed.',
		);
		expect(created()).toEqual(keywordsOf(0, 1, 2));

		const retried = await retry(failed.id);
		expect(errorOf(retried)?.message).toBe(NOT_SENT_AGAIN);
		expect(created()).toEqual(keywordsOf(0, 1, 2, 1));
		expect((await retry(retried.id)).status).toBe('success');
		expect(created()).toEqual(keywordsOf(0, 1, 2, 1, 1));
	});

	it('is not sent again by it beside a second retry that begins between its tries', async () => {
		const { retry, run, sandbox } = n8n();
		// In both tries, so that it fails; then once in each retry.
		sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: status(400) });
		sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: CREATED });
		// The most that n8n waits.
		const settings = { ...RETRY_ON_FAIL, waitBetweenTries: 5_000 };
		const failed = await run(workflowOf(ONE_BY_ONE, keywords(3), settings));
		expect(created()).toEqual(keywordsOf(0));
		const first = retry(failed.id);
		await until(() => sandbox.requests.filter(({ endedAt }) => endedAt !== undefined).length === 4);
		const ends = await Promise.all([first, retry(failed.id)]);
		for (const end of ends) expect(errorOf(end)?.message).toBe(NOT_SENT_AGAIN);
		expect(created().sort()).toEqual(keywordsOf(0, 1, 1, 2));
	});
});

describe('never loses a job', () => {
	it('stops at the first failure, lists what was done, and says how to go on', async () => {
		const { sandbox, retry, run } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
		const execution = await run(workflowOf(CREATE, keywords(5)));
		expect(sandbox.requests).toHaveLength(3);
		expect(jobIds()).toHaveLength(2);
		expect(errorOf(execution)).toMatchObject({
			message: 'The request allowance of the account is used up',
			description: expect.stringContaining(`job_id: ${listed(sandbox.state.jobs)}`),
			httpCode: '402',
		});
		const { description } = errorOf(execution)!;
		expect(description).toContain(
			`To send the rest: 1. Under "Executions", select execution ${execution.id}. 2. Select the arrow at the top right. 3. Select "Retry with original workflow". Running the workflow with all items, `,
		);
		expect(description?.endsWith(` Done, by job_id: ${listed(sandbox.state.jobs)}.`)).toBe(true);
		expect((await retry(execution.id)).status).toBe('success');
		expect(jobIds()).toHaveLength(5);
		expect(sandbox.requests).toHaveLength(3 + 3);
	});

	describe('says what Retry does not help with, and how the rest is reached:', () => {
		const wayOn = ({ id }: { id: string }) =>
			`1. Set "On Error" of this node to "Continue". 2. Leave everything else in this node as it was in execution ${id}. 3. Save the workflow. 4. Under "Executions", select execution ${id}. 5. Select the arrow at the top right. 6. Select "Retry with currently saved workflow". 7. Set "On Error" back, and save the workflow. `;

		it('the third of six rows is always rejected', async () => {
			const { retry, runSaved, sandbox, save } = n8n();
			sandbox.faults.add({ match: 'keyword 2.', fault: status(422) });
			const id = await save(workflowOf(CREATE, keywords(6)));
			let execution = await runSaved(id);
			for (let time = 0; time < 2; time++) {
				const { description } = errorOf(execution)!;
				expect(description).toContain(
					`A retry alone stops there again. To send the rest: ${wayOn(execution)}If this item is done after that, stop here. Correct the values of this item. Run the workflow with only this item. `,
				);
				expect(jobIds()).toHaveLength(2);
				if (time === 0) execution = await retry(execution.id);
			}
			const item = { keyword: 'corrected' };
			const { retried } = await follow({ failed: execution, id, item });
			expect(retried.status).toBe('success');
			const created = sandbox.state.jobs.map(({ keyword }) => keyword);
			expect(created).toEqual([...[0, 1, 3, 4, 5].map((job) => `keyword ${job}.`), 'corrected']);
		});

		it('each pass of a loop has one item, and one breaks', async () => {
			const { runSaved, sandbox, save } = n8n();
			sandbox.faults.add({
				match: 'keyword 1.',
				times: 1,
				fault: { kind: 'drop', carryOut: true },
			});
			const id = await save(inLoop(workflowOf(CREATE, keywords(3)), 1));
			const execution = await runSaved(id);
			const { description } = errorOf(execution)!;
			expect(description).toContain(
				`A retry alone stops there again. To go on: ${wayOn(execution)}If this item is done after that, stop here. Run the workflow with only this item. `,
			);
			expect(description).toMatch(/ creates and pays for every job again\.$/);
			const { retried } = await follow({ failed: execution, id, item: keywords(2)[1] });
			expect(retried.status).toBe('success');
			expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(
				keywords(3).map(({ keyword }) => keyword),
			);
		});

		it('another retry has sent it', async () => {
			const { retry, run, sandbox } = n8n();
			sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(500) });
			const failed = await run(workflowOf(CREATE, keywords(4)));
			sandbox.faults.add({ fault: { kind: 'delay', ms: 500 } });
			const both = await Promise.all([retry(failed.id), retry(failed.id)]);
			const [refused] = both.flatMap((end) => errorOf(end) ?? []);
			expect(refused?.message).toMatch(/^Not sent: another retry/);
			expect(refused?.description).not.toMatch(/To send the rest|To go on|"Retry with/);
			expect(refused?.description).toContain('creates and pays for every job again.');
			expect(jobIds()).toHaveLength(4);
		});

		it('the service redirects to another address', async () => {
			const { run, sandbox } = n8n();
			sandbox.faults.add({ skip: 2, fault: status(308) });
			const { description } = errorOf(await run(workflowOf(CREATE, keywords(4))))!;
			expect(description).toContain(
				'Do not retry after you have entered a new "Base URL". Then run the workflow with only the items that were not done.',
			);
			expect(description).not.toMatch(/To send the rest|"Retry with/);
		});
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

	it('sends down the rows of the client whose key is refused, for an alert, once', async () => {
		const { runSaved, sandbox, save } = n8n();
		const rows = Array.from({ length: 60 }, (_, row) => ({
			client: ['a', 'b', 'c'][row % 3]!,
			row,
			site: `site-${row}.example.com`,
		}));
		const parameters = { ...ADD_MANY, values: '={{ $json.site }}' };
		const workflow = workflowOf(parameters, rows, { ...CONTINUE, ...RETRY_ON_FAIL });
		workflow.nodes.push({
			...{ id: 'alert', name: 'Alert', type: 'n8n-nodes-base.noOp', typeVersion: 1 },
			...{ position: [440, 100], parameters: {} },
		});
		workflow.connections[NODE] = { main: [[], [{ node: 'Alert', type: 'main', index: 0 }]] };
		const keys = `{ a: '${sandbox.key}', b: 'a refused key', c: '${sandbox.key}' }`;
		const execution = await runSaved(await save(workflow, `={{ (${keys})[$json.client] }}`));
		expect(outputOf(execution, NODE)).toMatchObject([
			...[{ json: { added: 40, failed: 0 } }, { json: { added: 0, failed: 20 } }],
		]);
		const ofB = rows.filter(({ client }) => client === 'b');
		const alerts = outputOf(execution, 'Alert').map(({ json }) => json);
		expect(alerts).toMatchObject(ofB);
		for (const { error } of alerts) expect(error).toMatch(/the service refused the API key$/i);
		const added = sandbox.requests.filter(({ status: code }) => code === 200);
		expect(added).toHaveLength(40);
	});

	it('sends nothing when n8n cannot build a later item', async () => {
		const { sandbox, run } = n8n();
		const parameters = { ...CREATE, keyword: '={{ $json.keyword.trim() }}' };
		const execution = await run(workflowOf(parameters, [...keywords(3), { keyword: null }]));
		expect(execution.status).toBe('error');
		expect(sandbox.requests).toEqual([]);
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
	const sum = `was cancelled. Of 5 items, 2 were done, 0 failed, 3 were not started. Done, by job_id: ${listed(sandbox.state.jobs)}.`;
	await until(async () => (await log()).includes(sum));

	// Another run of the account is served after the pause, when the next job would have been sent.
	const sent = sandbox.requests.length;
	sandbox.faults.clear();
	await run(workflowOf(USAGE));
	expect(sandbox.requests.slice(sent).map(({ method }) => method)).toEqual(['GET']);
});

describe('what could not connect over https was not sent, and is tried again', () => {
	const NOT_SENT = /^Tried 5 times\..* Nothing was sent\. /;
	/** In n8n 1 nothing shows how far the connection had come. */
	const IN_TIME: [message: string, description: RegExp] = IS_N8N_1
		? ['The service did not respond in time', /^To wait longer.* may have been carried out/]
		: ['Could not connect to the service in time', NOT_SENT];

	it.each<[what: string, message: string, description: RegExp, answer: (to: Socket) => void]>([
		['the handshake breaks off', 'Could not connect to the service', NOT_SENT, (to) => to.end()],
		['the Timeout ends within the handshake', ...IN_TIME, () => {}],
	])('%s', async (_what, message, description, answer) => {
		const { client, runSaved, sandbox } = n8n();
		const server = createServer((socket) => answer(socket.on('error', () => {})));
		const address = `https://127.0.0.1:${await listen(server)}`;
		const id = await client.createCredential(credentialOf({ ...sandbox, address }, 'Over https'));
		const workflow = workflowOf({ ...CREATE, requestOptions: { timeout: 500 } });
		workflow.nodes.at(-1)!.credentials!.businessListingSearchApi = { id, name: 'Over https' };
		const execution = await runSaved((await client.createWorkflow(workflow)).id);
		server.close();
		expect(errorOf(execution)?.message).toBe(message);
		expect(errorOf(execution)?.description).toMatch(description);
	});
});

describe('guards the allowance', () => {
	it.each([
		['={{ "dentist in " + $json.city }}', 'contains "undefined"'],
		['=since {{ new Date($json.city) }}', 'contains "Invalid Date"'],
		['={{ new Date($json.city) }}', 'is an invalid date'],
		['=dentist in {{ $json.keyword.trim }}', 'contains the code of a function'],
		['=dentist in {{ $input.first }}', 'contains the code of a function'],
		['={{ $json.trade }} in {{ $json.city }}', 'has only its own words: " in "'],
		['=since {{ $now.toISO }}', 'contains the code of a function'],
		['=dentist in {{ new Map() }}', 'contains "[object Map]"'],
	])('pays for no gap in a row: %s', async (keyword, gap) => {
		const { sandbox, run } = n8n();
		const execution = await run(workflowOf({ ...CREATE, keyword }, keywords(1)));
		expect(errorOf(execution)?.message).toBe(`"Keyword" ${gap}`);
		expect(sandbox.requests).toEqual([]);
	});

	it('creates no job that would begin with fewer requests remaining than the minimum', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.remaining = 11;
		const parameters = { ...CREATE, options: { minRemaining: 10 } };
		const execution = await run(workflowOf(parameters, keywords(5)));
		expect(errorOf(execution)?.message).toContain('"Minimum Remaining Requests" is 10');
		expect(jobIds()).toHaveLength(2);
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

it.each([
	['Job: Create', ONE_BY_ONE, keywords(3)],
	['Blacklist: Add Many Items', ADD_MANY, domains(3)],
])(
	'the error output led into the node itself sends nothing again, and the execution ends: %s',
	async (_name, parameters, items) => {
		const { log, run, sandbox } = n8n();
		sandbox.faults.add({ match: '1.', fault: status(403) });
		const workflow = workflowOf(parameters, items, CONTINUE);
		workflow.connections[NODE] = { main: [[], [{ node: NODE, type: 'main', index: 0 }]] };
		const execution = await run(workflow);
		expect(execution.status).toBe('success');
		expect(sandbox.requests).toHaveLength(3);
		expect(execution.data.resultData.runData[NODE]).toHaveLength(2);
		expect(await log()).toContain('an output of this node leads back into it');
	},
);
