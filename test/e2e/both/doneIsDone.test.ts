/** What n8n stores of a failed execution: for its retries, and for an error workflow. */
import type { INode } from 'n8n-workflow';

import type { Execution } from '../../../n8n/execution';
import { status } from '../../support/faults';
import { keywords, ONE_BY_ONE } from '../../support/parameters';
import { onWebhook, workflowOf } from '../../support/workflowOf';
import { errorOf, n8n, NODE, outputOf } from '../n8n';
import { executionThat } from '../polls';

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

it('two retries at once, one of them with other fields, create each job once', async () => {
	const { retry, sandbox } = n8n();
	const { id, execution } = await failed();
	await changeNode(id, { parameters: { ...ONE_BY_ONE, groupName: 'new' } });
	// Long enough for the other one to begin on a busy machine.
	sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 10_000 } });
	const both = await Promise.all([retry(execution.id, true), retry(execution.id, false)]);
	expect(both.map((end) => end.status).sort()).toEqual(['error', 'success']);
	expect(paid()).toEqual(keywordsOf(0, 1, 2, 3, 4));
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
