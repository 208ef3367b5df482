import agentThatOrdersSearches from '../../../examples/agent-that-orders-searches.json';
import { useChatModel } from './chatModel';
import { errorOf, n8n, outputOf } from '../n8n';

const chat = useChatModel();

/** The example with a chat message and a model, as set up by a user. */
function asked(chatInput: string) {
	const workflow = structuredClone(agentThatOrdersSearches);
	const chatModel = workflow.nodes.find(({ name }) => name === 'Chat Model')!;
	Object.assign(chatModel, { credentials: { openAiApi: chat().credential } });
	const message = { json: { sessionId: 'test', action: 'sendMessage', chatInput } };
	return { ...workflow, pinData: { 'When Chat Message Received': [message] } };
}

it('the agent of the example reads the usage, blacklists known customers, and creates jobs', async () => {
	const { sandbox, run } = n8n();
	chat().model.play([
		{ tool: 'Get_Usage', arguments: {} },
		{ tool: 'Add_to_Blacklist', arguments: { Domain: 'example.com' } },
		{ tool: 'Create_Job', arguments: { Keyword: 'dentist in Vienna' } },
		{ tool: 'Create_Job', arguments: { Keyword: 'dentist in Graz' } },
	]);
	const execution = await run(asked('Find dentists in Vienna and Graz, we have example.com.'));

	expect(errorOf(execution)).toBeUndefined();
	expect(JSON.stringify(chat().model.asked[0]!.messages)).toContain('we have example.com');
	expect(sandbox.state.blacklists.get('customers')?.size).toBe(1);
	expect(sandbox.state.jobs).toMatchObject([
		{ keyword: 'dentist in Vienna', group_name: 'AI Agent' },
		{ keyword: 'dentist in Graz' },
	]);
	const results = chat().model.toolResults().join();
	for (const { job_id } of sandbox.state.jobs) expect(results).toContain(job_id);
	expect(outputOf(execution, 'Agent')).toHaveLength(1);
});
