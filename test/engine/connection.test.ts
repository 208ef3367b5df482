import { createServer, request as sendOn, type Server } from 'node:http';

import { Secret } from '../../nodes/shared/http/secret';
import { startSandbox } from '../../sandbox';
import { useSandbox } from '../support/account';
import { runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import { ADD_MANY, CREATE, LIST, USAGE } from '../support/parameters';

const account = useSandbox();

describe('"Proxy" under "Request Options"', () => {
	let proxy: Server;
	let port: number;
	let seen: Array<string | undefined>;

	beforeAll(async () => {
		proxy = createServer((request, response) => {
			seen.push(request.headers['proxy-authorization']);
			const { 'proxy-authorization': _own, ...headers } = request.headers;
			const onward = sendOn(request.url!, { method: request.method, headers }, (answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			});
			request.pipe(onward);
		});
		port = await listen(proxy);
	});
	beforeEach(() => (seen = []));
	afterAll(() => {
		proxy.closeAllConnections();
		proxy.close();
	});

	it.each([
		['Job: Create', CREATE],
		['Blacklist: Add Many Items', ADD_MANY],
	])('is used by %s', async (_name, parameters) => {
		const { sandbox, account: owner } = account();
		for (const user of ['', 'name:p%40ss@']) {
			const requestOptions = { proxy: `http://${user}127.0.0.1:${port}` };
			const { error } = await runWorkflow(workflowOf({ ...parameters, requestOptions }), owner);
			expect(error).toBeUndefined();
		}
		expect(seen).toHaveLength(2);
		expect(seen[0]).toBeUndefined();
		expect(seen[1]).toMatch(/^Basic /);
		expect(sandbox.requests).toHaveLength(2);
	});
});

it('does not redact words that equal a short key', async () => {
	const sandbox = await startSandbox({ key: 'plan' });
	const { json } = await runWorkflow(workflowOf(USAGE), {
		baseUrl: sandbox.address,
		apiKey: 'plan',
		keyFormat: 'documented',
	});
	await sandbox.stop();
	expect(json).toEqual([{ plan: 'Sandbox', remaining: 1000 }]);
});

it('does not redact a Retry-After that equals a short key', async () => {
	const sandbox = await startSandbox({ key: '300' });
	sandbox.faults.add({ fault: status(429, { retryAfter: '300' }) });
	const { error } = await runWorkflow(workflowOf(USAGE), {
		baseUrl: sandbox.address,
		apiKey: '300',
		keyFormat: 'documented',
	});
	await sandbox.stop();
	expect(error?.description).toContain('It asked to wait 300 seconds;');
});

it('does not redact blacklists and counts that equal a short key', async () => {
	const sandbox = await startSandbox({ key: '7' });
	const body = [
		{ name: '7', count: 7 },
		{ name: 'others', nb: 7 },
	];
	sandbox.faults.add({ fault: { kind: 'json', body } });
	const { json } = await runWorkflow(workflowOf(LIST), {
		baseUrl: sandbox.address,
		apiKey: '7',
		keyFormat: 'documented',
	});
	await sandbox.stop();
	expect(json).toEqual([
		{ name: '7', count: 7 },
		{ name: 'others', count: 7 },
	]);
});

it.each([3_000, 5_000])('works with a key of %i characters', async (length) => {
	const key = Array.from({ length }, (_, index) => ((index * 7919) % 36).toString(36)).join('');
	const sandbox = await startSandbox({ key });
	const longKey = { baseUrl: sandbox.address, apiKey: key, keyFormat: 'documented' };
	const { json } = await runWorkflow(workflowOf(CREATE), longKey);
	await sandbox.stop();
	expect(json).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
	expect(sandbox.requests).toHaveLength(1);
});

it('never reports as not sent what the service received', async () => {
	const { sandbox, account: owner } = account();
	const broken = jest.spyOn(Secret.prototype, 'removeFromValue').mockImplementation(() => {
		throw new SyntaxError('The engine failed');
	});
	const remove = jest.spyOn(Secret.prototype, 'removeFrom').mockImplementation(() => {
		throw new SyntaxError('The engine failed');
	});
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	broken.mockRestore();
	remove.mockRestore();
	expect(sandbox.state.jobs).toHaveLength(1);
	expect(error?.description).toContain('The request may have been carried out');
	expect(`${error?.message} ${error?.description}`).not.toMatch(/The engine failed|System code/);
});

it("always allows the domain of the credential's own address", async () => {
	const { account: owner } = account();
	const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
	const { error } = await runWorkflow(workflowOf(USAGE), { ...owner, ...restricted });
	expect(error).toBeUndefined();
});

it('accepts the mocked responses of n8n’s workflow evaluation', async () => {
	const { sandbox, account: owner } = account();
	const answers = [{ job_id: 'made-up' }, 'no JSON', undefined];
	for (const body of answers) {
		const { json, error } = await runWorkflow(workflowOf(CREATE), owner, {
			evalLlmMockHandler: async () => ({ body, headers: {}, statusCode: 200 }),
		});
		if (body === answers[0]) expect(json).toEqual([{ job_id: 'made-up' }]);
		else
			expect(error?.message).toBe('The response does not match the documentation of the service');
	}
	expect(sandbox.requests).toEqual([]);
});
