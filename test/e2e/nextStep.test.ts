/** The words of an error, followed to the letter: every job is created, and none is paid for twice. */
import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { status } from '../support/faults';
import { doneIn } from '../support/nextStep';
import { keywords, ONE_BY_ONE } from '../support/parameters';
import { inLoop, onWebhook, workflowOf, type TestWorkflow } from '../support/workflowOf';
import { changeNode, follow, runOnly } from './follow';
import { credentialOf, errorOf, IS_N8N_1, n8n, NODE, outputOf } from './n8n';
import { executionThat } from './polls';

const PAYS_AGAIN =
	'Running the workflow with all items, or changing other fields of this node, creates and pays for every job again.';

const keywordsOf = (...items: number[]) => items.map((item) => `keyword ${item}.`);
/** What was paid for, in order. */
const paid = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
/** What was sent, in order. */
const sent = () => n8n().sandbox.requests.map(({ body }) => (body as IDataObject).keyword);

describe('the allowance is used up in the middle, and renewed', () => {
	it.each<[where: string, workflow: TestWorkflow]>([
		['in a run', workflowOf(ONE_BY_ONE, keywords(6))],
		['in a pass of a loop', inLoop(workflowOf(ONE_BY_ONE, keywords(6)), 2)],
	])('%s', async (_where, workflow) => {
		const { runSaved, sandbox, save } = n8n();
		sandbox.state.remaining = 3;
		const id = await save(workflow);
		const failed = await runSaved(id);
		expect(errorOf(failed)).toMatchObject({
			httpCode: '402',
			description: expect.stringContaining(PAYS_AGAIN),
		});
		expect(paid()).toEqual(keywordsOf(0, 1, 2));

		sandbox.state.remaining = 1_000;
		const { choice, retried } = await follow({ failed, id });
		expect([choice, retried.status]).toEqual(['original', 'success']);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4, 5));
		expect(sent()).toEqual(keywordsOf(0, 1, 2, 3, 3, 4, 5));
	});
});

describe('a new "Base URL" is entered, and the workflow runs with only what was not done, after', () => {
	it.each<[what: string, fault: Fault, words: string]>([
		['404', status(404), 'Run the workflow with only the items that were not done then.'],
		[
			'a web page',
			{ kind: 'html' },
			'Run the workflow with only the items that were not done then.',
		],
		[
			'a web page with 403',
			status(403, { body: '<html>No</html>' }),
			'Run the workflow with only the items that were not done then.',
		],
		['a redirect', status(308), 'Then run the workflow with only the items that were not done.'],
	])('%s', async (_what, fault, words) => {
		const { client, credentialId, runSaved, sandbox, save } = n8n();
		sandbox.faults.add({ skip: 3, fault });
		const id = await save(workflowOf(ONE_BY_ONE, keywords(6)));
		const { description } = errorOf(await runSaved(id))!;
		expect(description).toMatch(
			/"Base URL".* Failed at Item 3 \("keyword 3\."\)\. Of 6 items, 3 were done, /,
		);
		expect(description).toContain(`Do not retry after you have entered a new "Base URL". ${words}`);
		expect(description).toContain(PAYS_AGAIN);

		// The same account under another address.
		sandbox.faults.clear();
		const address = sandbox.address.replace('127.0.0.1', 'localhost');
		await client.updateCredential(credentialId, credentialOf({ ...sandbox, address }));
		const done = doneIn(description!);
		// Where it may have been carried out, the account says that it was not.
		expect(paid()).toEqual(done);
		const rest = keywords(6).filter(({ keyword }) => !done.includes(String(keyword)));
		const execution = await runOnly(id, rest);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, NODE)).toHaveLength(3);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4, 5));
		expect(sent()).toEqual(keywordsOf(0, 1, 2, 3, 3, 4, 5));
		expect(sandbox.requests.slice(4).map(({ headers }) => headers.host)).toEqual(
			Array(3).fill(new URL(address).host),
		);
	});
});

describe('"Maximum Jobs per Run" is exceeded after something was done, and raised', () => {
	const limitedTo = (maxJobs: number) => ({
		parameters: { ...ONE_BY_ONE, options: { concurrency: 1, maxJobs } },
	});

	it('in a later pass of a loop, which has more rows', async () => {
		const { runSaved, sandbox, save } = n8n();
		const { nodes, connections, ...rest } = inLoop(
			workflowOf(limitedTo(2).parameters, [
				{ rows: keywords(1) },
				{ rows: keywords(4).slice(1) },
				{ rows: keywords(6).slice(4) },
			]),
			1,
		);
		const split = {
			...{ id: 'split', name: 'Rows', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
			position: [0, 0] as [number, number],
			parameters: { fieldToSplitOut: 'rows', options: {} },
		};
		const id = await save({
			...rest,
			nodes: [...nodes, split],
			connections: {
				...connections,
				Loop: { main: [[], [{ node: 'Rows', type: 'main', index: 0 }]] },
				Rows: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
			},
		});
		const failed = await runSaved(id);
		const { message, description } = errorOf(failed)!;
		expect(message).toBe('Not created: the run has 3 items, and "Maximum Jobs per Run" is 2');
		expect(description).toMatch(/^Raise "Maximum Jobs per Run" under "Options"\./);
		expect(description).toContain(PAYS_AGAIN);
		expect(sent()).toEqual(keywordsOf(0));

		await changeNode(id, limitedTo(3));
		const { choice, retried } = await follow({ failed, id });
		expect([choice, retried.status]).toEqual(['currently saved', 'success']);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4, 5));
		expect(sandbox.requests).toHaveLength(6);
	});

	it('in a retry of a run whose maximum was lowered', async () => {
		const { retry, runSaved, sandbox, save } = n8n();
		sandbox.faults.add({ match: 'keyword 3.', times: 1, fault: status(402) });
		const id = await save(workflowOf(limitedTo(6).parameters, keywords(6)));
		const first = await runSaved(id);
		await changeNode(id, limitedTo(5));
		const failed = await retry(first.id, true);
		expect(errorOf(failed)?.message).toBe(
			'Not created: the run has 6 items, and "Maximum Jobs per Run" is 5',
		);
		expect(errorOf(failed)?.description).toContain(PAYS_AGAIN);
		expect(sent()).toEqual(keywordsOf(0, 1, 2, 3));

		await changeNode(id, limitedTo(6));
		const { choice, retried } = await follow({ failed, id });
		expect([choice, retried.status]).toEqual(['currently saved', 'success']);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4, 5));
		expect(sent()).toEqual(keywordsOf(0, 1, 2, 3, 3, 4, 5));
	});
});

describe('a wrong value: "Continue" for one retry, then only the corrected item', () => {
	const item = { keyword: 'corrected' };

	it.each<[what: string, wrong: string, loop: boolean, correct: string, sendsIt: boolean]>([
		['that the service rejects', 'keyword 2.', false, 'Correct the values of this item.', true],
		['that it rejects in a loop', 'keyword 2.', true, 'Correct the values of this item.', true],
		[
			...(['that this node refuses in a later pass of a loop', ' ', true] as const),
			'This row gives no text. Check the expression in "Keyword", or leave such rows out with a Filter node before this one.',
			false,
		],
	])('%s', async (_what, wrong, loop, correct, sendsIt) => {
		const { client, runSaved, sandbox, save } = n8n();
		sandbox.faults.add({ match: 'keyword 2.', fault: status(422) });
		const rows = keywords(6).map((row, index) => (index === 2 ? { keyword: wrong } : row));
		const workflow = workflowOf(ONE_BY_ONE, rows);
		const id = await save(loop ? inLoop(workflow, 2) : workflow);
		const failed = await runSaved(id);
		expect(errorOf(failed)?.description).toContain('A retry alone stops there again.');
		expect(errorOf(failed)?.description).toContain(PAYS_AGAIN);
		expect(paid()).toEqual(keywordsOf(0, 1));

		const own = { [correct]: () => {} };
		const { choice, retried, ranAgain } = await follow({ failed, id, item, own });
		expect([choice, retried.status]).toEqual(['currently saved', 'success']);
		expect(ranAgain?.status).toBe('success');
		expect(paid()).toEqual([...keywordsOf(0, 1, 3, 4, 5), 'corrected']);
		// The rejected one costs another request, not another job.
		expect(sent()).toEqual([
			...keywordsOf(...(sendsIt ? [0, 1, 2, 2, 3, 4, 5] : [0, 1, 3, 4, 5])),
			'corrected',
		]);
		const { nodes } = await client.getWorkflow(id);
		expect(nodes.find(({ name }) => name === NODE)?.onError).toBe('stopWorkflow');
	});
});

it('the notification of an error workflow has the next step before the list of hundreds of jobs', async () => {
	const { client, sandbox, save } = n8n();
	sandbox.state.remaining = 212;
	const place = { typeVersion: 1, position: [0, 0] as [number, number] };
	const TEXT = '$json.execution.error.message + ". " + $json.execution.error.description';
	const notified = await save({
		name: 'Notification',
		nodes: [
			{ ...place, id: 'on', name: 'On Error', type: 'n8n-nodes-base.errorTrigger', parameters: {} },
			{
				...{
					...place,
					id: 'message',
					name: 'Message',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
				},
				parameters: { mode: 'raw', jsonOutput: `={{ JSON.stringify({ text: ${TEXT} }) }}` },
			},
		],
		connections: { 'On Error': { main: [[{ node: 'Message', type: 'main', index: 0 }]] } },
	});
	// In n8n 1, an error workflow cannot be active.
	if (!IS_N8N_1) await client.activate(notified);
	const id = await save({
		...onWebhook('notified', { ...ONE_BY_ONE, keyword: '={{ $json.item }}' }),
		settings: { errorWorkflow: notified },
	});
	await client.activate(id);
	const items = keywords(500).map(({ keyword }) => keyword);
	await client.webhooks.call('notified', { items });
	const [{ json }] = outputOf(await executionThat(n8n(), notified, 'success'), 'Message') as [
		{ json: IDataObject },
	];
	expect(paid()).toHaveLength(212);
	// A messenger cuts off a long text.
	const beginning = String(json.text).slice(0, 600);
	expect(beginning).toMatch(
		/^The request allowance of the account is used up\. .*Of 500 items, 212 were done/,
	);
	expect(beginning).toMatch(/To send the rest: 1\. .*Select "Retry with original workflow"/);
	await client.deactivate(id);
	if (!IS_N8N_1) await client.deactivate(notified);
});
