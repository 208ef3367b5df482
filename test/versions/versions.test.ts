/**
 * The built nodes on the engine of other versions of n8n: `npm run test:versions`. It would see what a younger n8n
 * has added. Up to n8n 1.108, n8n itself does not tell the node of a Stop; here it does, as later n8n.
 */
import { createServer } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { advance, until } from '../support/clock';
import {
	activeTrigger,
	retryWorkflow,
	runWithoutExecution,
	runWorkflow,
	searchBlacklists,
	startWorkflow,
	workflowOf,
	type EngineRun,
} from '../support/engine';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import { useLog } from '../support/log';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	keywords,
	ONE_BY_ONE,
	OPERATIONS,
	USAGE,
} from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';

const given = useSandbox();
const log = useLog();

const MAYBE = 'may have been carried out';

const run = async (...workflow: Parameters<typeof workflowOf>) =>
	await runWorkflow(workflowOf(...workflow), given().account);
const created = () => given().sandbox.state.jobs.map(({ keyword }) => keyword);
const words = (count: number) => keywords(count).map(({ keyword }) => keyword);
const fail = (fault: Fault, match?: string, times?: number) =>
	given().sandbox.faults.add({ match, times, fault });

/** Of five jobs, one at a time, the third meets a fault. */
async function runToThird(fault: Fault, settings = {}): Promise<EngineRun> {
	fail(fault, 'keyword 2.', 1);
	return await run(ONE_BY_ONE, keywords(5), settings);
}

describe('each operation', () => {
	const OUTPUTS = [
		{ job_id: expect.any(String) },
		{ success: true },
		{ added: 1 },
		{ deleted: true },
		{ name: 'customers', count: 1 },
		{ remaining: expect.any(Number) },
	];

	it.each(OPERATIONS)('%s', async (name, _method, parameters) => {
		const { state } = given().sandbox;
		state.blacklists.set('customers', blacklistOf({ type: 'domain', value: 'other.example' }));
		const { json, error } = await run(parameters);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([OUTPUTS[OPERATIONS.findIndex(([each]) => each === name)]]);
	});
});

describe('a failure in the middle', () => {
	it('says what the service says, and each job_id: 402', async () => {
		const { error } = await runToThird(status(402, { body: { message: 'No credits left' } }));
		expect(error).toMatchObject({
			message: 'The request allowance of the account is used up (paid: 2 of 5 jobs)',
			httpCode: '402',
		});
		expect(error?.description).toContain('The service says: "No credits left".');
		expect(error?.description).toContain('<br><br>Then, within 14 days, save, and "Executions" >');
		const { jobs } = given().sandbox.state;
		expect(jobs).toHaveLength(2);
		expect(error?.context.data).toEqual(jobs.map(({ job_id, keyword }) => ({ job_id, keyword })));
	});

	it('is gone with Retry On Fail, and nothing is sent twice', async () => {
		const { json, error } = await runToThird(status(400), RETRY_ON_FAIL);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(5);
		expect(created()).toEqual(words(5));
	});

	it.each([
		['once', 1],
		['twice', 2],
	])('is gone with Retry %s, and nothing is sent twice', async (_name, times) => {
		const workflow = workflowOf(ONE_BY_ONE, keywords(5));
		fail(status(400), 'keyword 2.', times);
		let last = await runWorkflow(workflow, given().account);
		for (let retry = 0; retry < times; retry++) {
			expect(last.error?.message).toContain(' (paid: 2 of 5 jobs)');
			last = await retryWorkflow(workflow, last, given().account);
		}
		expect(last.error).toBeUndefined();
		expect(last.json).toHaveLength(5);
		expect(created()).toEqual(words(5));
	});

	it('that may be a success is not sent again by two retries of one execution: 502', async () => {
		const workflow = workflowOf(ONE_BY_ONE, keywords(5));
		fail(status(502, { carryOut: true }), 'keyword 2.', 1);
		const failed = await runWorkflow(workflow, given().account);
		expect(failed.error?.description).toContain(MAYBE);
		for (let times = 0; times < 2; times++) {
			const { error } = await retryWorkflow(workflow, failed, given().account);
			expect(error?.description).toContain(MAYBE);
			expect(error?.message).toContain(' (paid: 4 of 5 jobs)');
		}
		expect(created().sort()).toEqual(words(5));
	});

	it('with Continue is an item of its own, and the others go on', async () => {
		const { json } = await runToThird(status(400), { onError: 'continueRegularOutput' });
		expect(json).toHaveLength(5);
		expect(json[2]).toEqual({ error: expect.any(String), message: expect.any(String) });
	});

	it('with Continue (using error output) goes there with its pairing', async () => {
		const { outputs } = await runToThird(status(400), CONTINUE);
		expect(outputs.map((items) => items.length)).toEqual([4, 1]);
		expect(outputs[1]![0]!.pairedItem).toMatchObject({ item: 2 });
	});
});

it('a lost execution is not sent again', async () => {
	const workflow = workflowOf(CREATE, []);
	const entry = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
	const rebuilt = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };
	const start = { main: [keywords(3).map((json) => ({ json }))] };
	const data = {
		version: 1,
		resultData: {
			runData: { Start: [{ ...entry, data: rebuilt }], 'Business Listing Search': [entry] },
			lastNodeExecuted: 'Start',
		},
		executionData: {
			contextData: {},
			nodeExecutionStack: [{ node: workflow.nodes[0], data: start, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	};
	const lost = { run: { data } } as unknown as EngineRun;
	const { error } = await retryWorkflow(workflow, lost, given().account);
	expect(error?.message).toMatch(/^Not sent: n8n crashed/);
	expect(error?.description).not.toBe('');
	expect(given().sandbox.requests).toEqual([]);
});

describe('Stop', () => {
	it('ends a wait, and nothing more is sent', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ skip: 2, fault: status(429, { retryAfter: '60' }) });
		const { finished, cancel } = startWorkflow(workflowOf(ONE_BY_ONE, keywords(5)), account);
		await until(() => sandbox.requests.length === 3);
		cancel();
		await until(finished);
		await advance(120_000);
		expect(sandbox.requests).toHaveLength(3);
		expect(log.lines('warn')).toEqual([expect.stringContaining('Of 5 items, 2 were done')]);
	});
});

describe('a run', () => {
	it('sends one item with Execute Once', async () => {
		const { json } = await run(CREATE, keywords(3), { executeOnce: true });
		expect(json).toHaveLength(1);
		expect(created()).toEqual(words(1));
	});

	it('returns the fields of the input with Include Input Fields, and the pairing', async () => {
		const options = { includeInputFields: true };
		const { outputs } = await run({ ...CREATE, options }, keywords(2));
		expect(outputs[0]).toMatchObject([
			{ json: { job_id: expect.any(String), keyword: words(2)[0] }, pairedItem: { item: 0 } },
			{ json: { job_id: expect.any(String), keyword: words(2)[1] }, pairedItem: { item: 1 } },
		]);
	});

	it('has the key of each item, by an expression', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ fault: { kind: 'json', body: { job_id: 'made' } } });
		const items = ['first-key', 'second-key'].map((key) => ({ key }));
		const apiKey = '={{ $json.key }}';
		await runWorkflow(workflowOf(CREATE, items), { ...account, apiKey });
		const keys = sandbox.requests.map(({ headers }) => headers['x-api-key']);
		expect(keys).toEqual(['Token first-key', 'Token second-key']);
	});
});

describe('what the network or the service does', () => {
	/** A job, and what its error says. */
	async function failureOf(fault?: Fault, account: object = {}, parameters = {}): Promise<string> {
		if (fault) fail(fault);
		const { error } = await runWorkflow(workflowOf({ ...CREATE, ...parameters }), {
			...given().account,
			...account,
		});
		return `${error?.message}. ${error?.description}`;
	}

	it('connections that are refused', async () => {
		const closed = createServer();
		const port = await listen(closed);
		closed.close();
		const said = await failureOf(undefined, { baseUrl: `http://127.0.0.1:${port}` });
		expect(said).toMatch(/^Could not connect to the service\. .*Check "Base URL"/);
	});

	it('a host name that is not found', async () => {
		const said = await failureOf(undefined, { baseUrl: 'http://no-such-host.invalid' });
		expect(said).toMatch(/^The host name of the service was not found\. .*Check "Base URL"/);
	});

	it('a connection that breaks', async () => {
		const said = await failureOf({ kind: 'drop', carryOut: true });
		expect(said).toMatch(/^The connection to the service broke/);
		expect(said).toContain(MAYBE);
		expect(given().sandbox.requests).toHaveLength(1);
	});

	it('a redirect, which is not followed', async () => {
		const said = await failureOf({ kind: 'redirect', to: `${given().sandbox.address}/other` });
		expect(said).toContain('/other');
		expect(given().sandbox.requests).toHaveLength(1);
	});

	it('no answer in time', async () => {
		const requestOptions = { timeout: 5_000 };
		const said = await failureOf({ kind: 'hang' }, {}, { requestOptions });
		expect(said).toMatch(/^The service did not respond in time/);
		expect(said).toContain(MAYBE);
		// So that the connection ends.
		given().sandbox.reset();
	});
});

describe('what is refused before anything is sent', () => {
	it.each<[named: string, parameters: INodeParameters]>([
		['Keyword', { ...CREATE, keyword: '={{ "dentist in " + $json.town }}' }],
		['Blacklist', { ...DELETE, blacklist: { __rl: true, mode: 'name', value: '..' } }],
		['Value', { ...ADD, type: 'email', value: 'no address' }],
		['Resource', { ...USAGE, resource: 'none' }],
	])('%s', async (named, parameters) => {
		const { error } = await run(parameters);
		expect(error?.message).toContain(`"${named}"`);
		expect(error?.description).toMatch(/\.$/);
		expect(given().sandbox.requests).toEqual([]);
	});

	it.each([
		['Job: Create', CREATE, { dryRun: true, keyword: 'dentist' }],
		['Blacklist: Add Many Items', ADD_MANY, { added: 0, valid: 1 }],
	])('all, with Dry Run: %s', async (_name, parameters, output) => {
		const { json } = await run({ ...parameters, options: { dryRun: true } });
		expect(json).toMatchObject([output]);
		expect(given().sandbox.requests).toEqual([]);
	});
});

it('the dropdown lists the blacklists', async () => {
	const { sandbox, account } = given();
	sandbox.state.blacklists.set('customers', blacklistOf());
	const { results } = await searchBlacklists(account);
	expect(results).toEqual([{ name: 'customers (0)', value: 'customers' }]);
});

it('a tool without an execution returns a job, and says what to correct', async () => {
	const { account } = given();
	expect(await runWithoutExecution(CREATE, account)).toEqual([{ job_id: expect.any(String) }]);
	expect(await runWithoutExecution(CREATE, account, { keyword: ' ' })).toEqual([
		{ error: '"Keyword" is empty', message: expect.any(String) },
	]);
});

it('the trigger tells each event once, over three polls', async () => {
	const { sandbox, account } = given();
	const poll = activeTrigger(account, { events: ['allowanceLow'], threshold: 100 });
	sandbox.state.remaining = 500;
	expect(await poll()).toBeNull();
	sandbox.state.remaining = 50;
	expect(await poll()).toMatchObject([{ event: 'allowanceLow', remaining: 50 }]);
	expect(await poll()).toBeNull();
});
