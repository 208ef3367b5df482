/** What is done is done, in n8n: whatever a person changes before a retry, each job is created once. */
import type { INode } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { startSandbox } from '../../sandbox';
import { status } from '../support/faults';
import { CREATE, keywords, ONE_BY_ONE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { inLoop, onWebhook, workflowOf } from '../support/workflowOf';
import { credentialOf, errorOf, n8n, NODE, outputOf } from './n8n';
import { executionThat } from './polls';
import { until } from './until';

const paid = () => n8n().sandbox.state.jobs.map(({ keyword }) => keyword);
const keywordsOf = (...items: number[]) => items.map((item) => `keyword ${item}.`);

/** Changes settings or parameters of the node in a saved workflow. */
async function changeNode(id: string, changes: Partial<INode>): Promise<void> {
	const { client } = n8n();
	const { nodes } = await client.getWorkflow(id);
	await client.updateWorkflow(id, {
		nodes: nodes.map((node) => (node.name === NODE ? { ...node, ...changes } : node)),
	});
}

/** The allowance is used up at the third of five jobs. */
async function failed(): Promise<{ id: string; execution: Execution }> {
	const { runSaved, sandbox, save } = n8n();
	sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(402) });
	const id = await save(workflowOf(ONE_BY_ONE, keywords(5)));
	const execution = await runSaved(id);
	expect(errorOf(execution)?.message).toBe(
		'The request allowance of the account is used up (paid: 2 of 5 jobs)',
	);
	expect(paid()).toEqual(keywordsOf(0, 1));
	return { id, execution };
}

describe('after a used-up allowance, a retry creates each job once, with', () => {
	const keyword = '={{ $json.keyword + "!" }}';

	it('a field changed', async () => {
		const { id, execution } = await failed();
		await changeNode(id, { parameters: { ...ONE_BY_ONE, keyword, groupName: 'new' } });
		const retried = await n8n().retry(execution.id, true);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, NODE)).toHaveLength(5);
		expect(paid()).toEqual([...keywordsOf(0, 1), ...keywordsOf(2, 3, 4).map((each) => `${each}!`)]);
	});

	it('another credential', async () => {
		const { client, retry, sandbox } = n8n();
		const { id, execution } = await failed();
		const other = await client.createCredential(credentialOf(sandbox, 'Another'));
		await changeNode(id, { credentials: { [CREDENTIAL_TYPE]: { id: other, name: 'Another' } } });
		expect((await retry(execution.id, true)).status).toBe('success');
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4));
	});

	it('another one at once, and other fields', async () => {
		const { retry, sandbox } = n8n();
		const { id, execution } = await failed();
		await changeNode(id, { parameters: { ...ONE_BY_ONE, groupName: 'new' } });
		// Long enough for the other one to begin on a busy machine.
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 10_000 } });
		const both = await Promise.all([retry(execution.id, true), retry(execution.id, false)]);
		expect(both.map((end) => end.status).sort()).toEqual(['error', 'success']);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4));
	});
});

describe('what may have been created in one pass of a loop is not ordered by a later one', () => {
	it('of five rows, led back through a Wait, one of which ends with 504', async () => {
		const { client, ended, sandbox, save } = n8n();
		const workflow = workflowOf(ONE_BY_ONE, keywords(5), CONTINUE);
		workflow.nodes.push({
			...{ id: 'wait', name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1 },
			...{ position: [400, 200], parameters: { amount: 1, unit: 'seconds' } },
		});
		const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
		workflow.connections[NODE] = { main: [[], to('Wait')] };
		workflow.connections.Wait = { main: [to(NODE)] };
		sandbox.faults.add({ match: 'keyword 2.', fault: status(504, { carryOut: true }) });
		const execution = await client.runWorkflow(await save(workflow));
		await until(() => sandbox.requests.length === 5);
		// Two more passes, a second each.
		await new Promise((resolve) => setTimeout(resolve, 3_500));
		await client.stopExecution(execution).catch(() => {});
		await ended(execution);
		expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4));
		expect(sandbox.requests).toHaveLength(5);
	});

	it('but two accounts with the same keyword are both sent', async () => {
		const { client, sandbox, save } = n8n();
		const other = await startSandbox({ key: sandbox.key });
		const id = await save(
			inLoop(
				workflowOf(
					{ ...CREATE, keyword: 'dentist' },
					[{ url: sandbox.address }, { url: other.address }],
					{ onError: 'continueRegularOutput' },
				),
				1,
			),
		);
		const credential = credentialOf(sandbox, 'By item');
		credential.data.baseUrl = '={{ $json.url }}';
		const byItem = await client.createCredential(credential);
		await changeNode(id, { credentials: { [CREDENTIAL_TYPE]: { id: byItem, name: 'By item' } } });
		sandbox.faults.add({ fault: status(504, { carryOut: true }) });
		await n8n().runSaved(id);
		await other.stop();
		expect([sandbox, other].map(({ state }) => state.jobs.length)).toEqual([1, 1]);
	});
});

it('an error workflow gets the ids as data, and the words', async () => {
	const { client, sandbox, save } = n8n();
	const alert = await save({
		name: 'Alert',
		nodes: [
			{
				...{ id: 'error', name: 'On Error', type: 'n8n-nodes-base.errorTrigger', typeVersion: 1 },
				...{ position: [0, 0], parameters: {} },
			},
		],
		connections: {},
	});
	// In n8n 1, an error workflow cannot be active, and need not be.
	await client.activate(alert).catch(() => {});
	sandbox.faults.add({ match: 'keyword 2.', fault: status(402) });
	const parameters = { ...ONE_BY_ONE, keyword: '={{ $json.item }}' };
	const workflow = { ...onWebhook('fails', parameters), settings: { errorWorkflow: alert } };
	const id = await save(workflow);
	await client.activate(id);
	await client.webhooks.call('fails', { items: keywordsOf(0, 1, 2, 3) });
	const { id: execution } = await executionThat(n8n(), id, 'error');
	const { json } = outputOf(await executionThat(n8n(), alert, 'success'), 'On Error')[0]!;
	expect(json.execution).toMatchObject({
		error: {
			message: 'The request allowance of the account is used up (paid: 2 of 4 jobs)',
			description: expect.stringContaining(`"Executions" > execution ${execution} of "fails" > `),
			context: { data: sandbox.state.jobs.map(({ job_id, keyword }) => ({ job_id, keyword })) },
		},
	});
	await client.deactivate(id);
});
