import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox';
import { useSandbox } from '../support/account';
import { until } from '../support/clock';
import { runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import { CREATE, keywords } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';

const account = useSandbox();
const log = useLog();

const guarded = (minRemaining: unknown): INodeParameters =>
	({ ...CREATE, options: { minRemaining } }) as INodeParameters;
const items: IDataObject[] = [{ keyword: 'a' }, { keyword: 'b' }, { keyword: 'c' }];

const calls = () => account().sandbox.requests.map(({ method, path }) => `${method} ${path}`);

it('creates jobs when enough requests remain, after one Usage call per run', async () => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = 102;
	const { json } = await runWorkflow(workflowOf(guarded(100), items), owner);
	expect(json).toHaveLength(3);
	expect(calls()).toEqual(['GET /api/v1/usage', ...Array(3).fill('POST /api/v1/jobs')]);
	expect(log.lines('warn')).toEqual([]);
});

it.each([
	[99, '99 requests remain'],
	[1, '1 request remains'],
])('creates none when fewer remain: %i', async (remaining, counted) => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = remaining;
	const { error } = await runWorkflow(workflowOf(guarded('={{ "100" }}'), items), owner);
	expect(error?.message).toBe(`Not created: ${counted}, but "Minimum Remaining Requests" is 100`);
	expect(error?.description).toContain('choose a larger plan');
	expect(error?.description).not.toContain('Nothing was sent');
	expect(error).toMatchObject({ failure: { cause: 'quota-exhausted' } });
	expect(calls()).toEqual(['GET /api/v1/usage']);
});

it('does not deny a job that failed in an earlier attempt', async () => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = 50;
	sandbox.faults.add({ method: 'POST', fault: status(500, { carryOut: true }) });
	const { error } = await runWorkflow(workflowOf(guarded(50), items, RETRY_ON_FAIL), owner);
	expect(error?.message).toBe(
		'Not created: 49 requests remain, but "Minimum Remaining Requests" is 50',
	);
	expect(error?.description).toMatch(/Look in your account for Item 0 .* with only the other 2\./);
	expect(sandbox.state.jobs).toHaveLength(1);
});

it('names a retry if the usage was rejected: that says nothing about the values of an item', async () => {
	account().sandbox.faults.add({ method: 'GET', fault: status(400) });
	const workflow = workflowOf(guarded(50), items);
	const { error } = await runWorkflow(workflow, account().account, { mode: 'trigger' });
	expect(error?.description).toContain('Then: "Executions" >');
	expect(error?.description).not.toContain('"On Error"');
});

it('names the proxy of the node if it refused the Usage call', async () => {
	account().sandbox.faults.add({ method: 'GET', fault: status(407) });
	const { error } = await runWorkflow(workflowOf(guarded(50), items), account().account);
	expect(error?.description).toContain('"Proxy" under "Request Options"');
});

it('also reads the usage once with Continue, and gives each item its reason', async () => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = 5;
	const minRemaining = '={{ $json.keyword === "b" ? 1 : 100 }}';
	const { outputs } = await runWorkflow(
		workflowOf({ ...CREATE, options: { minRemaining, concurrency: 1 } }, items, CONTINUE),
		owner,
	);
	expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(outputs[1]!.map(({ json }) => json.error)).toEqual(
		['Not created: 5', 'Not created: 4'].map(
			(begin) => `${begin} requests remain, but "Minimum Remaining Requests" is 100`,
		),
	);
	expect(calls()).toEqual(['GET /api/v1/usage', 'POST /api/v1/jobs']);
});

it.each([
	['finds nothing', '={{ $json.nothing }}'],
	['throws', '={{ $json.nothing.at.all }}'],
])('sends nothing if its expression %s', async (_what, expression) => {
	const { error } = await runWorkflow(workflowOf(guarded(expression), items), account().account);
	expect(error?.message).toBe('"Minimum Remaining Requests" has no value');
	expect(calls()).toEqual([]);
});

it.each([
	['answers with a web page', { kind: 'html' } as const, '200', /The response does not match/],
	['refuses the key', status(401), '401', /refused the API key/],
])('creates none when the service %s', async (_what, fault, httpCode, message) => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ method: 'GET', fault });
	const { error } = await runWorkflow(workflowOf(guarded(1), items), owner);
	expect(error?.message).toMatch(/^Not created: "Minimum Remaining Requests" needs the usage/);
	expect(error?.message).toMatch(message);
	expect(error).toMatchObject({ httpCode });
	const cause = httpCode === '401' ? 'credential-invalid' : 'configuration-invalid';
	expect(error).toMatchObject({ failure: { cause } });
	expect(error?.description).not.toContain('may have been carried out');
	expect(sandbox.state.jobs).toEqual([]);
});

it('reads no usage if a later item is invalid', async () => {
	const keyword = '={{ $itemIndex === 2 ? "" : "dentist" }}';
	const { error } = await runWorkflow(
		workflowOf({ ...guarded(1), keyword }, items),
		account().account,
	);
	expect(error?.message).toBe('"Keyword" is empty');
	expect(calls()).toEqual([]);
});

it('creates none if it is cancelled while the usage is read', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ method: 'GET', fault: { kind: 'delay', ms: 5_000 } });
	const { finished, cancel } = startWorkflow(workflowOf(guarded(1), items), owner);
	await until(() => sandbox.requests.length === 1);
	cancel();
	await until(finished);
	expect(log.lines('warn').join()).toContain(
		'Of 3 items, 0 were done, 0 failed, 3 were not started.',
	);
	expect(sandbox.state.jobs).toEqual([]);
});

it('reads the usage with the Request Options of the node', async () => {
	const { sandbox, account: owner } = account();
	const requestOptions = { proxy: 'http://127.0.0.1:1' };
	const { error } = await runWorkflow(workflowOf({ ...guarded(1), requestOptions }, items), owner);
	expect(error?.message).toMatch(/^Not created: .* Could not connect to the service/);
	expect(sandbox.requests).toEqual([]);

	sandbox.faults.add({ method: 'GET', fault: { kind: 'delay', ms: 60_000 } });
	const impatient = { ...guarded(1), requestOptions: { timeout: 50 } };
	const { error: late } = await runWorkflow(workflowOf(impatient, items), owner);
	expect(late?.message).toMatch(/^Not created: .* did not respond in time/);
	expect(late?.description).toContain('Set a longer "Timeout".');
});

it('counts the jobs of the run: none starts below the minimum', async () => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = 52;
	const { error } = await runWorkflow(workflowOf(guarded(50), keywords(5)), owner);
	expect(error?.message).toBe(
		'Not created: 49 requests remain, but "Minimum Remaining Requests" is 50 (paid: 3 of 5 jobs)',
	);
	expect(sandbox.state.jobs).toHaveLength(3);
	expect(calls().filter((call) => call.startsWith('GET'))).toHaveLength(1);
});

it('creates none of a run if the usage of one of its accounts cannot be read', async () => {
	const { sandbox, account: owner } = account();
	const other = await startSandbox({ key: sandbox.key });
	other.faults.add({ method: 'GET', fault: status(401) });
	const rows = [sandbox, other].map(({ address }) => ({ address }));
	const perItem = { ...owner, baseUrl: '={{ $json.address }}' };
	const { error } = await runWorkflow(workflowOf(guarded(1), rows), perItem);
	await other.stop();
	expect(error?.message).toMatch(/^Not created: .*refused the API key/);
	expect([...sandbox.state.jobs, ...other.state.jobs]).toEqual([]);
});

describe('a refused job', () => {
	const slow = (match: string, fault: object = {}) =>
		account().sandbox.faults.add({ match, fault: { kind: 'delay', ms: 5_000, ...fault } });
	/** More than remain for the second of three items. */
	const of = (settings = {}) => {
		const minRemaining = '={{ $json.keyword === "keyword 1." ? 1_000_000 : 0 }}';
		const parameters = { ...CREATE, options: { minRemaining, concurrency: 5 } };
		return startWorkflow(workflowOf(parameters, keywords(3), settings), account().account);
	};

	it('holds up no later one with Continue', async () => {
		slow('keyword 0.');
		const { finished } = of(CONTINUE);
		const isSent = (keyword: string) =>
			account().sandbox.requests.find(({ rawBody }) => rawBody.includes(keyword));
		await until(() => isSent('keyword 2.'));
		expect(isSent('keyword 0.')!.endedAt).toBeUndefined();
		await until(finished);
	});

	it('ends the run after those before it, which can fail themselves', async () => {
		account().sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
		const { error } = await until(of().finished);
		expect(error?.message).toBe('The service rejected the input');
	});

	it('ends the run with what those before it have created', async () => {
		slow('keyword 0.');
		const { error } = await until(of().finished);
		expect(error?.message).toMatch(/^Not created.* \(paid: 1 of 3 jobs\)$/);
	});
});

it('a later batch waits for the usage that the first one reads', async () => {
	const { sandbox, account: owner } = account();
	sandbox.state.remaining = 52;
	sandbox.faults.add({ method: 'GET', fault: { kind: 'delay', ms: 5_000 } });
	const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 1_000 } } };
	const parameters = { ...guarded(50), requestOptions };
	const { outputs } = await until(
		startWorkflow(workflowOf(parameters, keywords(6), CONTINUE), owner).finished,
	);
	expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(
		[0, 1, 2].map((item) => `keyword ${item}.`),
	);
	for (const { json } of outputs[1]!) expect(json.error).toMatch(/^Not created/);
});
