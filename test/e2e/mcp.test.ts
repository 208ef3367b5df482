import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import leadsForMcpClients from '../../examples/leads-for-mcp-clients.json';
import { status } from '../support/faults';
import { until } from '../support/until';
import { IS_N8N_1, useN8n } from './n8n';

const n8n = useN8n();

const TRIGGER = leadsForMcpClients.nodes.find(({ type }) => type.endsWith('.mcpTrigger'))!;
const TOKEN = randomUUID();
const REGISTERED_WITHIN_MS = 20_000;

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
	await until(isKnown, REGISTERED_WITHIN_MS);
}

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
async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
	const { content } = (await client.callTool({ name, arguments: args })) as {
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
	const workflow = structuredClone(leadsForMcpClients);
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
	// n8n 1.123 has no field for instructions.
	const instructions = IS_N8N_1 ? undefined : TRIGGER.parameters.instructions;
	expect(client.getInstructions()).toBe(instructions);
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
		{ ...created[0], keyword: 'dentist in Vienna', group_name: 'MCP', has_website: true },
	]);
});

it('creates each of ten concurrent jobs exactly once', async () => {
	const { sandbox } = n8n();
	const client = await connectWithToken();
	const keywords = Array.from({ length: 10 }, (_, index) => `keyword ${index}`);
	const created = await Promise.all(
		keywords.map(async (Keyword) => {
			const [item] = await call(client, 'Create_Job', { Keyword });
			return { keyword: Keyword, job_id: item?.job_id };
		}),
	);
	const jobs = sandbox.state.jobs.map(({ keyword, job_id }) => ({ keyword, job_id }));
	expect(jobs).toHaveLength(10);
	expect(jobs).toEqual(expect.arrayContaining(created));
});

it('answers an invalid value with an actionable message, and accepts the next one', async () => {
	const { sandbox } = n8n();
	const client = await connectWithToken();
	expect(await call(client, 'Add_to_Blacklist', { Domain: 'https://example.com/a' })).toEqual([
		{
			error: '"Value" is invalid for the type Domain: https://example.com/a',
			message: expect.stringMatching(/^Enter a domain without https:/),
		},
	]);
	expect(sandbox.requests).toEqual([]);
	const added = await call(client, 'Add_to_Blacklist', { Domain: 'example.com' });
	expect(added).toEqual([{ success: true }]);
});

it('quotes the service when the allowance is used up, and sends the job once', async () => {
	const { sandbox } = n8n();
	const client = await connectWithToken();
	sandbox.faults.add({
		match: 'dentist',
		fault: status(402, { body: { message: 'Nothing left until Monday.' } }),
	});
	expect(await call(client, 'Create_Job', { Keyword: 'dentist in Vienna' })).toEqual([
		{
			error: 'The request allowance of the account is used up',
			message: expect.stringContaining('The service says: "Nothing left until Monday".'),
		},
	]);
	expect(sandbox.requests.map(({ path }) => path)).toEqual(['/api/v1/usage', '/api/v1/jobs']);
});

it('creates no job when the allowance is low, and says why', async () => {
	const { sandbox } = n8n();
	sandbox.state.remaining = 49;
	const client = await connectWithToken();
	expect(await call(client, 'Create_Job', { Keyword: 'dentist in Vienna' })).toEqual([
		{
			error: expect.stringContaining('No job was created: 49 requests remain'),
			message: expect.any(String),
		},
	]);
	expect(sandbox.state.jobs).toEqual([]);
});

describe('refuses a client', () => {
	it.each([
		['without a token', {}],
		['with another token', { authorization: `Bearer ${randomUUID()}` }],
	])('%s', async (_, headers: Record<string, string>) => {
		await expect(connect(headers)).rejects.toMatchObject({ code: 403 });
		expect(n8n().sandbox.requests).toEqual([]);
	});

	it('without a token, even with the session of another client', async () => {
		const client = await connectWithToken();
		const { sessionId } = client.transport!;
		const params = { name: 'Create_Job', arguments: { Keyword: 'dentist in Vienna' } };
		const answer = await fetch(address(), {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				'mcp-session-id': sessionId!,
			},
			body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
		});
		expect(answer.status).toBe(403);
		expect(n8n().sandbox.requests).toEqual([]);
	});
});

describe('without a credential for the token', () => {
	/** The example as imported, with a path of its own. */
	const imported = (path: string, parameters: object = {}) => {
		const workflow = structuredClone(leadsForMcpClients);
		const trigger = workflow.nodes.find(({ type }) => type === TRIGGER.type)!;
		Object.assign(trigger.parameters, { path, ...parameters });
		return workflow;
	};
	const activate = async (workflow: object) => {
		const { client, save } = n8n();
		await client.activate(await save(workflow));
	};

	it('the example as imported accepts no client', async () => {
		const activation = activate(imported('imported'));
		// n8n 1.123 activates it, but answers every call with an error.
		if (IS_N8N_1) await activation;
		else await expect(activation).rejects.toThrow('Missing required credential: httpBearerAuth');
		const url = addressOf('imported');
		if (IS_N8N_1) await registered(url);
		await expect(connect({}, url)).rejects.toMatchObject({ code: IS_N8N_1 ? 500 : 404 });
	});

	/** For clients that sign in rather than send a token. */
	const activateSignIn = async () => {
		const url = addressOf('sign-in');
		await activate(imported('sign-in', { authentication: 'n8nOAuth2' }));
		await registered(url);
		return url;
	};
	const saysWhere = async () => {
		const url = await activateSignIn();
		const answer = await fetch(url, { method: 'POST' });
		expect(answer.status).toBe(401);
		expect(answer.headers.get('www-authenticate')).toContain('oauth-protected-resource');
	};
	// n8n 1.123 does not know this choice, and checks nothing: see docs/agents.md.
	const isOpen = async () => {
		const client = await connect({}, await activateSignIn());
		await call(client, 'Create_Job', { Keyword: 'dentist in Vienna' });
		expect(n8n().sandbox.state.jobs).toHaveLength(1);
	};
	if (IS_N8N_1) it('with sign-in chosen, is open to everyone', isOpen);
	else it('with sign-in chosen, says where to sign in', saysWhere);
});
