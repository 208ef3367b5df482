/** The words of an error, followed to the letter: every job is created, and none is paid for twice. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import type { Fault } from '../../sandbox';
import { status } from '../support/faults';
import { doneIn } from '../support/nextStep';
import { CREATE, keywords, ONE_BY_ONE } from '../support/parameters';
import { inLoop, onWebhook, workflowOf, type TestWorkflow } from '../support/workflowOf';
import { saveCaller } from './caller';
import { changeNode, follow, runOnly } from './follow';
import { credentialOf, errorOf, IS_N8N_1, n8n, NODE, outputOf } from './n8n';
import { executionThat } from './polls';
import { until } from './until';

const PAYS_AGAIN =
	'Running the workflow with all items, or changing other fields of this node, creates and pays for every job again.';

const CORRECT = 'Correct the values of this item.';
/** The item in place of one that the service rejects. */
const CORRECTED = { keyword: 'corrected' };

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
		['404', status(404), 'In that case, run the workflow with only the items that were not done.'],
		[
			'a web page',
			{ kind: 'html' },
			'In that case, run the workflow with only the items that were not done.',
		],
		[
			'a web page with 403',
			status(403, { body: '<html>No</html>' }),
			'In that case, run the workflow with only the items that were not done.',
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
	const item = CORRECTED;
	const OF_AN_EMPTY_ROW = [
		'This row gives no text.',
		'Check the expression in "Keyword", or leave such rows out with a Filter node before this one.',
	];

	it.each<[what: string, wrong: string, loop: boolean, correct: string[], sendsIt: boolean]>([
		['that the service rejects', 'keyword 2.', false, [CORRECT], true],
		['that it rejects in a loop', 'keyword 2.', true, [CORRECT], true],
		['that this node refuses in a later pass of a loop', ' ', true, OF_AN_EMPTY_ROW, false],
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

		const own = Object.fromEntries(correct.map((sentence) => [sentence, () => {}]));
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

it('a rejected item beside a used-up allowance: the allowance is shown, and both are followed', async () => {
	const { runSaved, sandbox, save } = n8n();
	// Long enough for three requests to be in flight.
	sandbox.faults.add({ times: 3, fault: { kind: 'delay', ms: 3_000 } });
	sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
	sandbox.faults.add({ match: 'keyword 1.', times: 1, fault: status(402) });
	const id = await save(workflowOf({ ...CREATE, options: { concurrency: 3 } }, keywords(6)));
	const failed = await runSaved(id);
	expect(errorOf(failed)?.httpCode).toBe('402');
	expect(sandbox.requests).toHaveLength(3);
	const { choice, retried } = await follow({ failed, id });
	expect([choice, errorOf(retried)?.httpCode]).toEqual(['original', '400']);
	const { choice: second, retried: end } = await follow({ failed: retried, id, item: CORRECTED });
	expect([second, end.status]).toEqual(['currently saved', 'success']);
	expect(paid().sort()).toEqual([CORRECTED.keyword, ...keywordsOf(1, 2, 3, 4, 5)]);
});

describe('nothing was done in this node, and a retry begins there with the stored input:', () => {
	const ALL = keywordsOf(0, 1, 2);
	const SECOND = 'Second';
	const ofSecond = (...all: string[]) => all.map((keyword) => `second ${keyword}`);

	/** A second node of this kind behind the first one. */
	function twoInARow(): TestWorkflow {
		const options = { concurrency: 1, includeInputFields: true };
		const first = workflowOf({ ...CREATE, options }, keywords(3));
		const { nodes, connections, ...workflow } = first;
		const keyword = '={{ "second " + $json.keyword }}';
		const second = { ...nodes[1]!, id: 'second', name: SECOND };
		return {
			...workflow,
			nodes: [...nodes, { ...second, parameters: { ...ONE_BY_ONE, keyword } }],
			connections: {
				...connections,
				[NODE]: { main: [[{ node: SECOND, type: 'main', index: 0 }]] },
			},
		};
	}

	describe('behind another node of this kind, which has created its jobs', () => {
		const PAYS = `Running the workflow with all items creates and pays for the jobs of "${NODE}" again.`;

		it('and has used up the allowance', async () => {
			const { runSaved, sandbox, save } = n8n();
			sandbox.state.remaining = 3;
			const id = await save(twoInARow());
			const failed = await runSaved(id);
			expect(errorOf(failed)).toMatchObject({ httpCode: '402', node: SECOND });
			expect(errorOf(failed)?.description).toContain(PAYS);
			sandbox.state.remaining = 1_000;
			const { choice, retried } = await follow({ failed, id, node: SECOND });
			expect([choice, retried.status]).toEqual(['original', 'success']);
			expect(paid()).toEqual([...ALL, ...ofSecond(...ALL)]);
		});

		it.each([
			['of a field', 'field'],
			['of its own', undefined],
		] as const)('and the first item is rejected because %s', async (_why, way) => {
			const { client, runSaved, sandbox, save } = n8n();
			sandbox.faults.add({ match: '"second keyword 0."', fault: status(400) });
			const id = await save(twoInARow());
			const failed = await runSaved(id);
			expect(errorOf(failed)?.description).toContain(PAYS);
			const correct = async () => {
				const keyword = '={{ "Second " + $json.keyword }}';
				await changeNode(id, { parameters: { ...ONE_BY_ONE, keyword } }, SECOND);
			};
			const own = way && { 'Correct it.': correct };
			const person = { failed, id, node: SECOND, way, item: CORRECTED, own };
			const { choice, retried, ranAgain } = await follow(person);
			expect([choice, retried.status]).toEqual(['currently saved', 'success']);
			expect(paid()).toEqual([
				...ALL,
				...(way
					? ALL.map((keyword) => `Second ${keyword}`)
					: ofSecond(...keywordsOf(1, 2), CORRECTED.keyword)),
			]);
			expect(ranAgain?.status).toBe(way ? undefined : 'success');
			const { nodes } = await client.getWorkflow(id);
			expect(nodes.map(({ disabled = false }) => disabled)).toEqual([false, false, false]);
		});
	});

	describe.each([
		['once for each item', 'each', 1],
		['once with all items', 'once', 0],
	])('in a workflow that is called %s', (_how, mode, at) => {
		const CALLER =
			'If that workflow stopped here, run it with only the items for which it has not called this one yet.';

		it('and the allowance is used up', async () => {
			const { client, runSaved, sandbox } = n8n();
			const { id: caller, subId } = await saveCaller(ONE_BY_ONE, keywords(3), { mode });
			sandbox.state.remaining = at;
			expect((await runSaved(caller)).status).toBe('error');
			const [{ id: sub }] = (await client.listExecutions(subId)) as [Execution];
			const failed = await client.getExecution(sub);
			expect(errorOf(failed)?.httpCode).toBe('402');
			sandbox.state.remaining = 1_000;
			const rest = keywords(3).slice(mode === 'each' ? at + 1 : 3);
			const own = {
				[CALLER]: async () => {
					if (rest.length > 0) expect((await runOnly(caller, rest)).status).toBe('success');
				},
			};
			const { choice, retried } = await follow({ failed, id: subId, own });
			expect([choice, retried.status]).toEqual(['original', 'success']);
			expect(paid()).toEqual(ALL);
		});
	});

	describe('for an event that does not come again', () => {
		const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.item }}' };

		/** Runs a published workflow for an event with these items. */
		async function failAt(workflow: TestWorkflow, items = ALL) {
			const { client, save } = n8n();
			const id = await save(workflow);
			await client.activate(id);
			await client.webhooks.call(workflow.name, { items });
			return { id, failed: await executionThat(n8n(), id, 'error') };
		}

		it('and the allowance is used up', async () => {
			const { client, sandbox } = n8n();
			sandbox.state.remaining = 0;
			const { id, failed } = await failAt(onWebhook('event-402', parameters));
			sandbox.state.remaining = 1_000;
			const { choice, retried } = await follow({ failed, id });
			expect([choice, retried.status]).toEqual(['original', 'success']);
			expect(paid()).toEqual(ALL);
			await client.deactivate(id);
		});

		it('and the first item is rejected, and comes in a new event', async () => {
			const { client, sandbox } = n8n();
			sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
			const { id, failed } = await failAt(onWebhook('event-400', parameters));
			const { keyword } = CORRECTED;
			const { choice, retried } = await follow({
				...{ failed, id, item: CORRECTED },
				sendEvent: async () => {
					await client.webhooks.call('event-400', { items: [keyword] });
					await until(() => paid().includes(keyword));
				},
			});
			expect([choice, retried.status]).toEqual(['currently saved', 'success']);
			expect(paid()).toEqual([...keywordsOf(1, 2), keyword]);
			await client.deactivate(id);
		});

		it('and a field is wrong, by which its only item is rejected', async () => {
			const { client, sandbox } = n8n();
			sandbox.faults.add({ match: '"keyword 0."', fault: status(400) });
			const { id, failed } = await failAt(onWebhook('event-field', parameters), keywordsOf(0));
			const corrected = { parameters: { ...parameters, keyword: '={{ $json.item + "!" }}' } };
			const own = { 'Correct it.': async () => await changeNode(id, corrected) };
			const { choice, retried } = await follow({ failed, id, way: 'field', own });
			expect([choice, retried.status]).toEqual(['currently saved', 'success']);
			// It is published.
			await client.webhooks.call('event-field', { items: keywordsOf(1) });
			await until(() => paid().length === 2);
			expect(paid()).toEqual(['keyword 0.!', 'keyword 1.!']);
			await client.deactivate(id);
		});

		it('because "Remove Duplicates" has let its items through once', async () => {
			const { client, sandbox } = n8n();
			const { nodes, connections, ...workflow } = onWebhook('event-new', parameters);
			const onlyNew = {
				...{ id: 'new', name: 'Only New', type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
				position: [0, 0] as [number, number],
				parameters: {
					operation: 'removeItemsSeenInPreviousExecutions',
					...{ logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue: '={{ $json.item }}' },
				},
			};
			sandbox.state.remaining = 0;
			const { id, failed } = await failAt({
				...workflow,
				nodes: [...nodes, onlyNew],
				connections: {
					...connections,
					'Split Out': { main: [[{ node: onlyNew.name, type: 'main', index: 0 }]] },
					[onlyNew.name]: { main: [[{ node: NODE, type: 'main', index: 0 }]] },
				},
			});
			sandbox.state.remaining = 1_000;
			await client.webhooks.call(workflow.name, { items: ALL });
			await executionThat(n8n(), id, 'success');
			expect(paid()).toEqual([]);
			const { choice, retried } = await follow({ failed, id });
			expect([choice, retried.status]).toEqual(['original', 'success']);
			expect(paid()).toEqual(ALL);
			await client.deactivate(id);
		});
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
