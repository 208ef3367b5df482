import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';

import type { INode, INodeExecutionData } from 'n8n-workflow';

import { blacklistOf, type Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import { ADD, CREATE, LIST, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();

const says = (code: number, body: unknown = { message: 'So says the service.' }): Fault =>
	status(code, { body });
const json = (body: unknown): Fault => ({ kind: 'json', body });

const MAYBE = /may have been carried out: check your account/;
const NOT_DOCUMENTED =
	/The service does not document whether it carried out the request: check your account\. Retry On Fail sends it again\.$/;
const SAID = /The service says: "So says the service"\./;

interface Expected {
	message: string | RegExp;
	description: RegExp[];
	httpCode?: string;
}

const FAILURES: Array<[what: string, parameters: INode['parameters'], fault: Fault, Expected]> = [
	...[400, 409, 422].map((code): [string, INode['parameters'], Fault, Expected] => [
		`rejected input (${code})`,
		CREATE,
		says(code),
		{ message: 'The service rejected the input', description: [SAID], httpCode: String(code) },
	]),
	...[401, 403].map((code): [string, INode['parameters'], Fault, Expected] => [
		`a refused key (${code})`,
		ADD,
		says(code),
		{
			message: 'The service refused the API key',
			description: [SAID, /"API Key"/, /"API Key Format"/],
			httpCode: String(code),
		},
	]),
	[
		'a used-up allowance',
		CREATE,
		says(402),
		{
			message: 'The request allowance of the account is used up',
			description: [SAID, /Usage/],
			httpCode: '402',
		},
	],
	[
		'something not found',
		ADD,
		says(404),
		{
			message: 'The service could not find what was requested',
			description: [SAID, /"Blacklist"/, /"Base URL"/],
			httpCode: '404',
		},
	],
	[
		'another client error',
		CREATE,
		says(418, 'I am a teapot.'),
		{
			message: 'The service did not accept the request (status 418)',
			description: [/The service says: "I am a teapot"\./],
			httpCode: '418',
		},
	],
	[
		'a failing service',
		CREATE,
		says(500, { error: { message: 'So says the service.' } }),
		{
			message: 'The service could not process the request (status 500)',
			description: [SAID, NOT_DOCUMENTED],
			httpCode: '500',
		},
	],
	[
		'a failure of a proxy',
		CREATE,
		says(502),
		{
			message: 'The service could not process the request (status 502)',
			description: [SAID, MAYBE],
			httpCode: '502',
		},
	],
	[
		'a redirect',
		CREATE,
		{ kind: 'redirect', to: 'http://127.0.0.1:9/elsewhere' },
		{
			message:
				'The service responded with a redirect to http://127.0.0.1:9/elsewhere, which is not followed',
			description: [/"Base URL"/],
			httpCode: '302',
		},
	],
	[
		'a web page',
		LIST,
		{ kind: 'html' },
		{
			message: 'The response does not match the documentation of the service',
			description: [/Expected JSON, received text\/html/, /"Base URL"/],
			httpCode: '200',
		},
	],
	[
		'half a response',
		CREATE,
		{ kind: 'truncated', carryOut: true },
		{
			message: 'The response does not match the documentation of the service',
			description: [/Expected JSON, received application\/json/, MAYBE],
			httpCode: '200',
		},
	],
	[
		'a job without job_id',
		CREATE,
		json({ message: 'So says the service.' }),
		{
			message: 'The response does not match the documentation of the service',
			description: [/Expected a "job_id"/, SAID, MAYBE],
		},
	],
	[
		'a job of null',
		CREATE,
		json(null),
		{ message: /documentation of the service/, description: [/Expected a "job_id"/] },
	],
	[
		'a job with an empty job_id',
		CREATE,
		json({ job_id: ' ' }),
		{ message: /documentation of the service/, description: [/Expected a "job_id"/] },
	],
	[
		'success: false',
		ADD,
		{ kind: 'successFalse' },
		{
			message: 'The service reported that the request was not successful',
			description: [/It gave no reason/],
			httpCode: '200',
		},
	],
	[
		'success: false with a reason',
		ADD,
		json({ success: false, message: 'So says the service.' }),
		{ message: /was not successful/, description: [SAID] },
	],
	[
		'an item without success',
		ADD,
		json({ ok: true }),
		{
			message: /documentation of the service/,
			description: [/Expected "success"/, /\{"ok":true\}/, MAYBE],
		},
	],
	[
		'an item with success as a text',
		ADD,
		json({ success: 'false' }),
		{ message: /documentation of the service/, description: [/Expected "success"/, MAYBE] },
	],
	[
		'an item of null',
		ADD,
		json(null),
		{ message: /documentation of the service/, description: [/"success"/] },
	],
	[
		'a usage of null',
		USAGE,
		json(null),
		{ message: /documentation of the service/, description: [/"plan"/] },
	],
	[
		'blacklists that are not a list',
		LIST,
		json({ lists: [] }),
		{ message: /documentation of the service/, description: [/Expected a list of blacklists/] },
	],
	[
		'a blacklist without a name',
		LIST,
		json([{ name: 'a', count: 1 }, null]),
		{ message: /documentation of the service/, description: [/"name" and a "count"/] },
	],
	[
		'a usage without a plan',
		USAGE,
		json({ remaining: '1' }),
		{ message: /documentation of the service/, description: [/Expected a "plan"/, /"Base URL"/] },
	],
	[
		'a usage without remaining requests',
		USAGE,
		json({ plan: 'P', remaining: null }),
		{ message: /documentation of the service/, description: [/"remaining"/] },
	],
	[
		'a body that is too large',
		LIST,
		{ kind: 'large', bytes: 11 * 1024 * 1024 },
		{ message: /documentation of the service/, description: [/more than 10 MB/] },
	],
	[
		'a connection that breaks',
		CREATE,
		{ kind: 'drop', carryOut: true },
		{ message: /^The connection to the service broke/, description: [MAYBE] },
	],
	[
		'a connection that breaks within the response',
		CREATE,
		{ kind: 'cut', carryOut: true },
		{
			message: /^The connection to the service broke/,
			// The beginning of what may be the id of a paid job.
			description: [MAYBE, /The service says: "{"job_id":"[0-9a-f-]+"/],
		},
	],
	[
		'no response in time',
		{ ...CREATE, requestOptions: { timeout: 1_000 } },
		{ kind: 'hang' },
		{
			message: 'The service did not respond in time',
			description: [MAYBE, /"Timeout" under "Request Options"/],
		},
	],
	[
		'a response that does not end in time',
		{ ...CREATE, requestOptions: { timeout: 1_000 } },
		{ kind: 'trickle', ms: 100 },
		{ message: 'The service did not respond in time', description: [MAYBE] },
	],
];

describe.each(FAILURES)('%s', (_what, parameters, fault, expected) => {
	it('ends the node with what happened and what to do', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault });
		const { error } = await runWorkflow(workflowOf(parameters), owner);

		if (typeof expected.message === 'string') expect(error?.message).toBe(expected.message);
		else expect(error?.message).toMatch(expected.message);
		for (const part of expected.description) expect(error?.description).toMatch(part);
		if (expected.httpCode) expect(error?.httpCode).toBe(expected.httpCode);
		expect(error?.message).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
		expect(error?.description).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('becomes its own paired item with Continue, and the others are processed', async () => {
		const { sandbox, account: owner } = account();
		for (const name of ['a', 'b', 'c']) sandbox.state.blacklists.set(name, blacklistOf());
		sandbox.faults.add({ skip: 1, times: 1, fault });
		const { outputs, error } = await runWorkflow(
			workflowOf(parameters, [{}, {}, {}], CONTINUE),
			owner,
		);

		expect(error).toBeUndefined();
		const [succeeded, failed] = outputs;
		expect(failed).toEqual([
			{
				json: { error: expect.any(String), message: expect.any(String) },
				pairedItem: { item: expect.any(Number) },
			},
		]);
		const itemsOf = (output: INodeExecutionData[]) =>
			output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		const [failedItem] = itemsOf(failed!);
		const others = [0, 1, 2].filter((item) => item !== failedItem);
		expect(others).toHaveLength(2);
		// Each of the others returns an item per blacklist, or one.
		const each = parameters === LIST ? 3 : 1;
		expect(itemsOf(succeeded!)).toEqual(others.flatMap((item) => Array<number>(each).fill(item)));
		expect(sandbox.requests).toHaveLength(3);
	});
});

it('returns the error item in the first output with plain Continue', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'second', fault: says(400) });
	const { outputs } = await runWorkflow(
		workflowOf(CREATE, [{ keyword: 'first' }, { keyword: 'second' }, { keyword: 'third' }], {
			onError: 'continueRegularOutput',
		}),
		owner,
	);
	const job = (item: number) => ({ json: { job_id: expect.any(String) }, pairedItem: { item } });
	expect(outputs[0]).toEqual([
		job(0),
		{
			json: { error: 'The service rejected the input', message: expect.stringMatching(SAID) },
			pairedItem: { item: 1 },
		},
		job(2),
	]);
});

it('keeps a message in which n8n would find a system code', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ fault: { kind: 'redirect', to: 'http://127.0.0.1:9/preexisting' } });
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	expect(error?.message).toContain('preexisting');
});

it('shortens a long address in a message', async () => {
	const { sandbox, account: owner } = account();
	const to = `http://127.0.0.1:9/${'x'.repeat(1_000)}`;
	sandbox.faults.add({ fault: { kind: 'redirect', to } });
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	expect(error?.message).toContain(` to ${to.slice(0, 300)}, which is not followed`);
});

describe('an address without a service', () => {
	it.each([
		[
			'the port is closed',
			'http://127.0.0.1:1',
			/^Could not connect to the service$/,
			/ECONNREFUSED/,
		],
		[
			'the host does not exist',
			'http://no-such-host.invalid',
			/host name .* was not found$/,
			/\bE[A-Z_]+\b/,
		],
	])('%s', async (_what, baseUrl, message, code) => {
		const { error } = await runWorkflow(workflowOf(CREATE), { ...account().account, baseUrl });
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(code);
		expect(error?.description).toMatch(/Nothing was sent\. Check "Base URL"/);
	});

	it('does not speak TLS', async () => {
		const { sandbox, account: owner } = account();
		const baseUrl = owner.baseUrl.replace('http:', 'https:');
		const { error } = await runWorkflow(workflowOf(CREATE), { ...owner, baseUrl });
		expect(error?.message).toMatch(/secure connection/);
		expect(error?.description).toMatch(/Nothing was sent.*http:\/\//);
		expect(sandbox.requests).toEqual([]);
	});

	it('speaks no HTTP', async () => {
		const server = createTcpServer((socket) => socket.end('hello\r\n\r\n'));
		const port = await listen(server);
		const { error } = await runWorkflow(workflowOf(CREATE), {
			...account().account,
			baseUrl: `http://127.0.0.1:${port}`,
		});
		server.close();
		expect(error?.message).toMatch(/^The connection to the service broke/);
		expect(error?.description).toMatch(MAYBE);
	});
});

it('does not follow a redirect, which would send the key elsewhere', async () => {
	const keysElsewhere: string[] = [];
	const elsewhere = createServer((request, response) => {
		keysElsewhere.push(String(request.headers['x-api-key']));
		response.end('{}');
	});
	const port = await listen(elsewhere);
	const { sandbox, account: owner } = account();
	for (const code of [301, 302, 303, 307, 308]) {
		sandbox.faults.add({
			times: 2,
			fault: { kind: 'redirect', to: `http://127.0.0.1:${port}/`, status: code },
		});
		expect((await runWorkflow(workflowOf(USAGE), owner)).error?.httpCode).toBe(String(code));
		expect((await runWorkflow(workflowOf(CREATE), owner)).error?.httpCode).toBe(String(code));
	}
	elsewhere.close();
	expect(keysElsewhere).toEqual([]);
});

describe('a service that repeats the key', () => {
	it('does not expose it in an error', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'echo', status: 400 } });
		const { run, error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.description).toContain('[API key]');
		expect(JSON.stringify(run)).not.toContain(sandbox.key);
		expect(JSON.stringify(run)).not.toContain(sandbox.key.slice(0, 12));
	});

	it('does not expose it in an output', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({
			fault: json({ plan: 'P', remaining: '1', note: `Token ${sandbox.key}` }),
		});
		const { run, json: output } = await runWorkflow(workflowOf({ ...USAGE, simple: false }), owner);
		expect(output).toEqual([{ plan: 'P', remaining: '1', note: 'Token [API key]' }]);
		expect(JSON.stringify(run)).not.toContain(sandbox.key);
	});
});
