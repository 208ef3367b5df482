/**
 * The words of an error, followed to the letter in n8n: every job is created, and none is paid for twice. All
 * situations are followed on n8n's engine.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import { status } from '../support/faults';
import { CREATE, keywords, ONE_BY_ONE } from '../support/parameters';
import { inLoop, onWebhook, workflowOf } from '../support/workflowOf';
import { saveCaller } from './caller';
import { changeNode, follow, runOnly } from './follow';
import { errorOf, n8n, NODE } from './n8n';
import { executionThat } from './polls';
import { until } from './until';

/** The item in place of one that the service rejects. */
const CORRECTED = { keyword: 'corrected' };

const keywordsOf = (...items: number[]) => items.map((item) => `keyword ${item}.`);
/** What was paid for, in order. */
const paid = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
/** What was sent, in order. */
const sent = () => n8n().sandbox.requests.map(({ body }) => (body as IDataObject).keyword);

it('the allowance is used up in a pass of a loop, and renewed', async () => {
	const { runSaved, sandbox, save } = n8n();
	sandbox.state.remaining = 3;
	const id = await save(inLoop(workflowOf(ONE_BY_ONE, keywords(6)), 2));
	const failed = await runSaved(id);
	expect(errorOf(failed)).toMatchObject({
		httpCode: '402',
		description: expect.stringContaining('creates and pays for every job again.'),
	});
	expect(paid()).toEqual(keywordsOf(0, 1, 2));

	sandbox.state.remaining = 1_000;
	const { choice, retried } = await follow({ failed, id });
	expect([choice, retried.status]).toEqual(['original', 'success']);
	expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4, 5));
	expect(sent()).toEqual(keywordsOf(0, 1, 2, 3, 3, 4, 5));
});

it('an item is rejected in a loop: "Continue" for one retry, then only the corrected item', async () => {
	const { client, runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: 'keyword 2.', fault: status(422) });
	const id = await save(inLoop(workflowOf(ONE_BY_ONE, keywords(6)), 2));
	const failed = await runSaved(id);
	expect(paid()).toEqual(keywordsOf(0, 1));

	const { choice, retried, ranAgain } = await follow({ failed, id, item: CORRECTED });
	expect([choice, retried.status]).toEqual(['currently saved', 'success']);
	expect(ranAgain?.status).toBe('success');
	expect(paid()).toEqual([...keywordsOf(0, 1, 3, 4, 5), CORRECTED.keyword]);
	// The rejected one costs another request, not another job.
	expect(sent()).toEqual([...keywordsOf(0, 1, 2, 2, 3, 4, 5), CORRECTED.keyword]);
	const { nodes } = await client.getWorkflow(id);
	expect(nodes.find(({ name }) => name === NODE)?.onError).toBe('stopWorkflow');
});

it('the first item is rejected behind another node of this kind, which has created its jobs', async () => {
	const { client, runSaved, sandbox, save } = n8n();
	const [node, item] = ['Second', CORRECTED];
	const options = { concurrency: 1, includeInputFields: true };
	const workflow = workflowOf({ ...CREATE, options }, keywords(3));
	const keyword = '={{ "second " + $json.keyword }}';
	const parameters = { ...ONE_BY_ONE, keyword };
	workflow.nodes.push({ ...workflow.nodes[1]!, id: 'second', name: node, parameters });
	workflow.connections[NODE] = { main: [[{ node, type: 'main', index: 0 }]] };
	sandbox.faults.add({ match: '"second keyword 0."', fault: status(400) });
	const id = await save(workflow);
	const failed = await runSaved(id);
	expect(errorOf(failed)?.description).toContain(
		`Running the workflow with all items creates and pays for the jobs of "${NODE}" again.`,
	);
	const { choice, retried, ranAgain } = await follow({ failed, id, node, item });
	expect([choice, retried.status]).toEqual(['currently saved', 'success']);
	expect(ranAgain?.status).toBe('success');
	const ofSecond = [...keywordsOf(1, 2), item.keyword].map((each) => `second ${each}`);
	expect(paid()).toEqual([...keywordsOf(0, 1, 2), ...ofSecond]);
	const { nodes } = await client.getWorkflow(id);
	expect(nodes.map(({ disabled = false }) => disabled)).toEqual([false, false, false]);
});

it('the allowance is used up in a workflow that is called once for each item', async () => {
	const { client, runSaved, sandbox } = n8n();
	const { id: caller, subId } = await saveCaller(ONE_BY_ONE, keywords(3), { mode: 'each' });
	sandbox.state.remaining = 1;
	expect((await runSaved(caller)).status).toBe('error');
	const [{ id: sub }] = (await client.listExecutions(subId)) as [Execution];
	const failed = await client.getExecution(sub);
	expect(errorOf(failed)?.httpCode).toBe('402');
	sandbox.state.remaining = 1_000;
	const own = {
		'If that workflow stopped here, run it with only the items for which it has not called this one yet.':
			async () => await runOnly(caller, keywords(3).slice(2)),
	};
	const { choice, retried } = await follow({ failed, id: subId, own });
	expect([choice, retried.status]).toEqual(['original', 'success']);
	expect(paid()).toEqual(keywordsOf(0, 1, 2));
});

it('a field is wrong, by which the only item of an event is rejected: it is published again', async () => {
	const { client, sandbox, save } = n8n();
	const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.item }}' };
	sandbox.faults.add({ match: '"keyword 0."', fault: status(400) });
	const id = await save(onWebhook('event', parameters));
	await client.activate(id);
	await client.webhooks.call('event', { items: keywordsOf(0) });
	const failed = await executionThat(n8n(), id, 'error');
	const corrected = { parameters: { ...parameters, keyword: '={{ $json.item + "!" }}' } };
	const own = { 'Correct it.': async () => await changeNode(id, corrected) };
	const { choice, retried } = await follow({ failed, id, way: 'field', own });
	expect([choice, retried.status]).toEqual(['currently saved', 'success']);
	expect(paid()).toEqual(['keyword 0.!']);
	// n8n takes the new version a moment after its answer.
	await until(async () => {
		await client.webhooks.call('event', { items: keywordsOf(1) });
		return paid().includes('keyword 1.!');
	});
	await client.deactivate(id);
});
