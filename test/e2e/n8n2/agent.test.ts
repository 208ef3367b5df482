import type { INode, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { status } from '../../support/faults';
import { listNamed, USAGE } from '../../support/parameters';
import { RETRY_ON_FAIL } from '../../support/settings';
import { workflowOf } from '../../support/workflowOf';
import { FAILS, useChatModel } from './chatModel';
import { n8n, NODE_TYPE } from '../n8n';
import { until } from '../until';

const chat = useChatModel();

const list = listNamed('customers');
const fromAi = (name: string, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', '', '${type}') }}`;

/**
 * A workflow with a trigger, an AI Agent, a scripted model and an operation of this node as its tool.
 *
 * @param version of the AI Agent
 * @param settings of the AI Agent
 */
function agentWith(
	name: string,
	parameters: INodeParameters,
	version = 2.2,
	settings: Partial<INode> = {},
) {
	const node = (
		of: string,
		type: string,
		typeVersion: number,
		set: Partial<INode> = {},
	): INode => ({
		id: of,
		name: of,
		type,
		typeVersion,
		position: [0, 0],
		parameters: {},
		...set,
	});
	return {
		name: 'Agent',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1),
			node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
				parameters: { promptType: 'define', text: 'Do it.', options: {} },
				...settings,
			}),
			node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
				credentials: { openAiApi: chat().credential },
			}),
			node(name, `${NODE_TYPE}Tool`, 1, { parameters }),
		],
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			[name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
	};
}

it('sends nothing for Add Many Items, which is not offered to an agent', async () => {
	const { client, sandbox, run } = n8n();
	chat().model.play([{ tool: 'Add_items', arguments: { Values: 'a.example, b.example' } }]);
	await run(
		agentWith('Add items', {
			resource: 'blacklist',
			operation: 'addItems',
			blacklist: list,
			type: 'auto',
			values: fromAi('Values'),
		}),
	);
	expect(chat().model.toolResults().join()).toContain('addItems (not as a tool');
	expect(sandbox.requests).toEqual([]);
	const type = (await client.nodeTypes()).find(({ name }) => name === `${NODE_TYPE}Tool`)!;
	const operations = type.properties.filter(({ name }) => name === 'operation');
	const offered = operations.flatMap(({ options }) => options as INodePropertyOptions[]);
	expect(offered.find(({ value }) => value === 'addItems')?.displayOptions).toEqual({
		hide: { '@tool': [true] },
	});
});

const CREATE = { resource: 'job', operation: 'create', keyword: fromAi('Keyword') };

// Version 3 lets the engine run the tools; up to version 2, they all share the agent's execution data.
describe.each([2.2, 3])('several calls at once, of agent %d', (version) => {
	const KEYWORDS = ['plumber in Graz', 'baker in Linz', 'dentist in Vienna'];
	const calls = KEYWORDS.map((keyword) => ({
		tool: 'Create_job',
		arguments: { Keyword: keyword },
	}));

	it('are all carried out', async () => {
		const { sandbox, run } = n8n();
		chat().model.play([calls]);
		await run(agentWith('Create job', CREATE, version));
		const created = sandbox.state.jobs.map(({ keyword }) => keyword);
		expect(created.sort()).toEqual([...KEYWORDS].sort());
		const results = chat().model.toolResults();
		expect(results).toHaveLength(KEYWORDS.length);
		for (const { job_id } of sandbox.state.jobs) expect(results.join()).toContain(job_id);
	});

	it('are not sent once the execution is stopped', async () => {
		const { client, ended, run, sandbox, save } = n8n();
		chat().model.play([calls]);
		sandbox.faults.add({ fault: status(429, { retryAfter: '1' }) });
		const id = await client.runWorkflow(await save(agentWith('Create job', CREATE, version)));
		await until(() => sandbox.requests.length > 0);
		await client.stopExecution(id);
		expect((await ended(id)).status).toBe('canceled');
		const sent = sandbox.requests.length;
		sandbox.faults.clear();
		// Another run of the account is served after the pause, when they would have been sent.
		await run(workflowOf(USAGE));
		expect(sandbox.requests.slice(sent).map(({ method }) => method)).toEqual(['GET']);
	});
});

// A limit of n8n, described in docs/ai-agents.md: only from version 3 on is the model told, when the agent
// runs again, what its tools have done.
describe.each([
	[2.2, { known: 0, jobs: 2 }],
	[3, { known: 1, jobs: 1 }],
])('an agent %d that runs again because the model failed', (version, { known, jobs }) => {
	const create = { tool: 'Create_job', arguments: { Keyword: 'dentist in Vienna' } };
	/** A model calls the tool again unless it has a result. */
	const again = known === 0 ? [create] : [];

	/** The number of different results that the model had at this request, counted from 0. */
	const resultsAt = (request: number) =>
		new Set(
			chat()
				.model.asked[request]!.messages.filter(({ role }) => role === 'tool')
				.map(({ content }) => JSON.stringify(content)),
		).size;

	it('through Retry On Fail', async () => {
		const { sandbox, run } = n8n();
		chat().model.play([create, FAILS, ...again]);
		const execution = await run(agentWith('Create job', CREATE, version, RETRY_ON_FAIL));
		expect(execution.status).toBe('success');
		expect(resultsAt(2)).toBe(known);
		expect(sandbox.state.jobs).toHaveLength(jobs);
	});

	it("through n8n's Retry button", async () => {
		const { retry, sandbox, run } = n8n();
		chat().model.play([create, FAILS]);
		const failed = await run(agentWith('Create job', CREATE, version));
		expect(failed.status).toBe('error');
		chat().model.play(again);
		const retried = await retry(failed.id);
		expect(retried.status).toBe('success');
		expect(resultsAt(0)).toBe(known);
		expect(sandbox.state.jobs).toHaveLength(jobs);
	});
});
