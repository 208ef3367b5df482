import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import searchesForMcpClients from '../../../examples/searches-for-mcp-clients.json';
import { n8n } from '../n8n';
import { until } from '../until';

const TRIGGER = searchesForMcpClients.nodes.find(({ type }) => type.endsWith('.mcpTrigger'))!;
const TOKEN = randomUUID();

const addressOf = (path: string) => new URL(`${n8n().client.address}/mcp/${path}`);

/** The address of the example. */
const address = () => addressOf(TRIGGER.parameters.path!);

/** Waits until n8n serves the address, a moment after the workflow is activated. */
async function registered(url: URL): Promise<void> {
	const isKnown = async () => {
		const { status, body } = await fetch(url, { method: 'POST' });
		await body?.cancel();
		return status !== 404;
	};
	await until(isKnown);
}

/** How long a client waits for a result, in milliseconds: a minute by default. */
const GIVES_UP = 3_000;

let opened: Client[] = [];

/** Connects as Claude, ChatGPT or an editor does. */
async function connect(headers: Record<string, string>, url = address()): Promise<Client> {
	const client = new Client({ name: 'test', version: '1.0.0' });
	opened.push(client);
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
	return client;
}

const connectWithToken = async () => await connect({ authorization: `Bearer ${TOKEN}` });

/** The result of a tool call, as the client's model receives it: items or error messages. */
async function call(
	client: Client,
	name: string,
	args: Record<string, unknown> = {},
	timeout?: number,
) {
	const tool = { name, arguments: args };
	const { content } = (await client.callTool(tool, undefined, { timeout })) as {
		content: Array<{ text: string }>;
	};
	return JSON.parse(content.map(({ text }) => text).join()) as Array<Record<string, unknown>>;
}

/** Activates the example with a credential for this token, as a user does. */
beforeAll(async () => {
	const { client, save } = n8n();
	const name = 'Token of my MCP client';
	const data = { token: TOKEN };
	const id = await client.createCredential({ name, type: 'httpBearerAuth', data });
	const workflow = structuredClone(searchesForMcpClients);
	const trigger = workflow.nodes.find(({ type }) => type === TRIGGER.type)!;
	Object.assign(trigger, { credentials: { httpBearerAuth: { id, name } } });
	await client.activate(await save(workflow));
	await registered(address());
});

afterEach(async () => {
	await Promise.all(opened.map((client) => client.close()));
	opened = [];
});

it('lists the operations of the example, with the arguments that a model must give', async () => {
	const client = await connectWithToken();
	const { tools } = await client.listTools();
	const listed = tools.map(({ name, description, inputSchema }) => [
		...[name, description, inputSchema.required ?? []],
	]);
	expect(listed.sort()).toEqual([
		['Add_to_Blacklist', 'Add item to blacklist in Business Listing Search', ['Domain']],
		['Create_Job', 'Create job in Business Listing Search', ['Keyword']],
		['Get_Blacklists', 'Get many blacklists in Business Listing Search', []],
		['Get_Usage', 'Get usage in Business Listing Search', []],
	]);
	expect(client.getInstructions()).toBe(TRIGGER.parameters.instructions);
});

it('carries out each operation and returns its output', async () => {
	const { sandbox } = n8n();
	const client = await connectWithToken();
	expect(await call(client, 'Get_Usage')).toEqual([{ plan: 'Sandbox', remaining: 1000 }]);
	const added = await call(client, 'Add_to_Blacklist', { Domain: 'example.com' });
	expect(added).toEqual([{ success: true }]);
	expect(await call(client, 'Get_Blacklists')).toEqual([{ name: 'customers', count: 1 }]);
	const created = await call(client, 'Create_Job', { Keyword: 'dentist in Vienna' });
	expect(sandbox.state.jobs).toMatchObject([
		{ ...created[0], keyword: 'dentist in Vienna', group_name: 'MCP' },
	]);
});

it('answers an invalid value with an actionable message, and accepts the next one', async () => {
	const { sandbox } = n8n();
	const client = await connectWithToken();
	expect(await call(client, 'Add_to_Blacklist', { Domain: 'https://example.com/a' })).toEqual([
		{
			error: '"Value" is invalid for the type Domain: https://example.com/a',
			message: expect.stringMatching(/^Enter only the domain .* example\.com,/),
		},
	]);
	expect(sandbox.requests).toEqual([]);
	const added = await call(client, 'Add_to_Blacklist', { Domain: 'example.com' });
	expect(added).toEqual([{ success: true }]);
});

describe('a client that gives up', () => {
	it('loses no job that had begun: it is created, and its job_id is in the log', async () => {
		const { sandbox, log } = n8n();
		const job = { Keyword: 'dentist in Vienna' };
		sandbox.faults.add({ path: '/api/v1/jobs', fault: { kind: 'delay', ms: GIVES_UP + 5_000 } });
		const client = await connectWithToken();
		await expect(call(client, 'Create_Job', job, GIVES_UP)).rejects.toThrow('timed out');
		expect(sandbox.state.jobs).toEqual([]);
		await until(() => sandbox.state.jobs.length === 1);
		await until(async () => (await log()).includes(sandbox.state.jobs[0]!.job_id));
	});
});

describe('refuses a client', () => {
	it.each([
		['without a token', {}],
		['with another token', { authorization: `Bearer ${randomUUID()}` }],
	])('%s', async (_, headers: Record<string, string>) => {
		await expect(connect(headers)).rejects.toMatchObject({ code: 403 });
		expect(n8n().sandbox.requests).toEqual([]);
	});
});

describe('without a credential for the token', () => {
	/** Activates the example, with a path of its own. */
	const activate = async (path: string, parameters: object = {}) => {
		const { client, save } = n8n();
		const workflow = structuredClone(searchesForMcpClients);
		const trigger = workflow.nodes.find(({ type }) => type === TRIGGER.type)!;
		Object.assign(trigger.parameters, { path, ...parameters });
		await client.activate(await save(workflow));
	};

	it('the example as imported accepts no client', async () => {
		await expect(activate('imported')).rejects.toThrow(
			'Missing required credential: httpBearerAuth',
		);
		await expect(connect({}, addressOf('imported'))).rejects.toMatchObject({ code: 404 });
	});
});
