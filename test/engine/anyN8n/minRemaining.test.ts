import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../../sandbox';
import { until } from '../../support/clock';
import { workflowOf } from '../../support/engine';
import { status } from '../../support/faults';
import { CREATE, keywords } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute, retry, start, log } = useEngine();

/** A workflow that creates a job for each row, and keeps this many requests. */
const keeping = (minRemaining: unknown, rows: IDataObject[], settings: Partial<INode> = {}) =>
	workflowOf({ ...CREATE, options: { minRemaining } } as INodeParameters, rows, settings);

const calls = () => sandbox.requests.map(({ method, path }) => `${method} ${path}`);
const UNREADABLE = 'Not created: the remaining requests could not be read';

it.each<[remaining: number, rows: number, minimum: unknown, refused?: string]>([
	[30, 50, 10, 'the run needs 50, the account has 30, and "Minimum Remaining Requests" is 10'],
	[70, 50, 10],
	[103, 3, '={{ "100" }}'],
	[102, 3, 100, 'the run needs 3, the account has 102, and "Minimum Remaining Requests" is 100'],
	[1, 1, 1_000, 'the run needs 1, the account has 1, and "Minimum Remaining Requests" is 1000'],
])(
	'of %i left, creates %i jobs and keeps %s, or none',
	async (remaining, rows, minimum, ...[refused]) => {
		sandbox.state.remaining = remaining;
		const { error, json } = await execute(keeping(minimum, keywords(rows)));
		expect(error?.message).toBe(refused && `Not created: ${refused}`);
		expect(json).toHaveLength(refused ? 0 : rows);
		const jobs = Array<string>(json.length).fill('POST /api/v1/jobs');
		expect(calls()).toEqual(['GET /api/v1/usage', ...jobs]);
		if (!refused) return;
		expect(error?.description).toMatch(/^Wait until .*<br><br>Then save, and within 14 days open /);
	},
);

describe('of two accounts, one of which', () => {
	let other: Sandbox;
	beforeEach(async () => void (other = await startSandbox({ key: sandbox.key })));
	afterEach(async () => await other.stop());

	const SHORT = 'the run needs 2, the account has 101, and "Minimum Remaining Requests" is 100';
	const run = async (settings: Partial<INode>) => {
		sandbox.state.remaining = 102;
		const rows = [sandbox, other, sandbox, other].map(({ address }, index) => ({
			address,
			...keywords(4)[index],
		}));
		owner.baseUrl = '={{ $json.address }}';
		const { error, outputs } = await execute(keeping(100, rows, settings));
		const created = [sandbox, other].map(({ state }) => state.jobs.length);
		return { error, outputs, created };
	};

	it.each<[what: string, remaining: number, fault: Fault | undefined, why: string, also: string]>([
		['is short', 101, undefined, `Not created: ${SHORT}`, 'Wait until the allowance is renewed'],
		['cannot be read', 900, status(401), UNREADABLE, 'The service refused the API key'],
	])(
		'%s, refuses the run, or with Continue only its own jobs',
		async (...[, remaining, fault, why, also]) => {
			other.state.remaining = remaining;
			if (fault) other.faults.add({ method: 'GET', fault });
			const stopped = await run({});
			expect([stopped.error?.message, stopped.created]).toEqual([why, [0, 0]]);
			expect(stopped.error?.description).toContain(also);
			// n8n's editor shows the item beside the message: it tells which account it is.
			expect(stopped.error?.context.itemIndex).toBe(1);
			const { outputs, created } = await run(CONTINUE);
			expect(created).toEqual([2, 0]);
			expect(outputs[1]!.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
				[1, 3].map((item) => [why, { item }]),
			);
			expect(other.requests).toHaveLength(2);
		},
	);
});

it.each([
	[54, 4],
	[53, 0],
])(
	'with Continue, counts only what can be sent: of %i left, creates %i',
	async (remaining, created) => {
		sandbox.state.remaining = remaining;
		const rows = [{ keyword: '' }, { keyword: '' }, ...keywords(4)];
		const workflow = keeping(50, rows, CONTINUE);
		workflow.nodes[1]!.parameters.keyword = '={{ $json.keyword }}';
		const { outputs } = await execute(workflow);
		expect(sandbox.state.jobs).toHaveLength(created);
		expect(outputs.map(({ length }) => length)).toEqual([created, 6 - created]);
		expect(calls().filter((call) => call.startsWith('GET'))).toHaveLength(1);
	},
);

it('a Retry, after a renewal, counts only the jobs that are left', async () => {
	sandbox.state.remaining = 60;
	sandbox.faults.add({ match: 'keyword 4.', times: 1, fault: status(402) });
	const workflow = keeping(50, keywords(10));
	const failed = await execute(workflow);
	expect(sandbox.state.jobs).toHaveLength(4);
	sandbox.state.remaining = 55;
	const { error } = await retry(failed);
	const short = 'the run needs 6, the account has 55, and "Minimum Remaining Requests" is 50';
	expect(error?.message).toBe(`Not created: ${short} (paid: 4 of 10 jobs)`);
	expect(error?.description).toContain('<br><br>Then save, and within 14 days open "Executions" >');
	expect(error?.context.data).toHaveLength(4);
	expect(sandbox.state.jobs).toHaveLength(4);
	sandbox.state.remaining = 56;
	expect((await retry(failed)).json).toHaveLength(10);
	expect(sandbox.state.jobs).toHaveLength(10);
});

describe('Retry On Fail, after a job that was created, but that the service reports as failed', () => {
	/** The first of three. */
	const run = async () => {
		sandbox.state.remaining = 53;
		sandbox.faults.add({ method: 'POST', times: 1, fault: status(500, { carryOut: true }) });
		return await execute(keeping(50, keywords(3), RETRY_ON_FAIL));
	};

	it('counts only the jobs that are left', async () => {
		const { error } = await run();
		expect(error?.message).toMatch(/^Not sent again: .* \(paid: 2 of 3 jobs\)$/);
		expect(sandbox.state.jobs).toHaveLength(3);
	});

	it('does not deny that it may have been created', async () => {
		const fault: Fault = { kind: 'json', body: { plan: 'P', remaining: '51' } };
		sandbox.faults.add({ method: 'GET', skip: 1, fault });
		const { error } = await run();
		expect(error?.message).toMatch(/^Not created: the run needs 2, the account has 51, /);
		expect(error?.description).toMatch(
			/<br>Look in your account for Item 0 \("keyword 0\."\)\. .* Otherwise: save, and within 14 days /,
		);
		expect(sandbox.state.jobs).toHaveLength(1);
	});
});

it.each<[what: string, fault: Fault, cause: RegExp, httpCode?: string]>([
	['is rejected', status(400), /^The service rejected the input/, '400'],
	['is refused', status(403), /^The service refused the API key/, '403'],
	['is a web page', { kind: 'html' }, /^The response does not match/, '200'],
	['breaks off', { kind: 'drop' }, /^The connection .* System code: E/],
])(
	'creates none if the usage %s: a retry sends them',
	async (_what, fault, cause, ...[httpCode]) => {
		sandbox.faults.add({ method: 'GET', fault });
		const { error } = await execute(keeping(1, keywords(3)), { mode: 'trigger' });
		expect([error?.message, error?.httpCode ?? undefined]).toEqual([UNREADABLE, httpCode]);
		expect(error?.description).toMatch(cause);
		expect(error?.description).toMatch(
			/\.<br><br>Then save, and within 14 days open "Executions" >/,
		);
		expect(error?.description).not.toMatch(/"On Error"|may have been carried out/);
		expect(sandbox.state.jobs).toEqual([]);
	},
);

it.each([
	['its expression throws', { options: { minRemaining: '={{ $json.nothing.at.all }}' } }],
	['a later item is invalid', { keyword: '={{ $itemIndex === 2 ? "" : "dentist" }}' }],
])('sends nothing if %s', async (_what, parameters) => {
	const all = { ...CREATE, options: { minRemaining: 1 }, ...parameters } as INodeParameters;
	const { error } = await execute(all, keywords(3));
	expect(error?.message).toMatch(/^"(Minimum Remaining Requests" has no value|Keyword" is empty)$/);
	expect(calls()).toEqual([]);
});

it('creates none if it is cancelled while the usage is read', async () => {
	sandbox.faults.add({ method: 'GET', fault: { kind: 'delay', ms: 5_000 } });
	const { stop } = start(keeping(1, keywords(3)));
	await until(() => sandbox.requests.length === 1);
	await stop();
	expect(log.lines('warn').join()).toContain('0 done, 0 failed, 3 not started.');
	expect(sandbox.state.jobs).toEqual([]);
});

it('reads the usage with the Request Options of the node', async () => {
	const requestOptions = { proxy: 'http://127.0.0.1:1' };
	const parameters = { ...CREATE, options: { minRemaining: 1 }, requestOptions };
	const { error } = await execute(parameters, keywords(3));
	expect(error?.message).toBe(UNREADABLE);
	expect(calls()).toEqual([]);
});
