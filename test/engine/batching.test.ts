import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { until } from '../support/until';

const account = useSandbox();

/** In milliseconds, long enough to tell batches apart on a busy machine. */
const INTERVAL = 400;
const batching = (batchSize: unknown, batchInterval: unknown = INTERVAL): INodeParameters =>
	({ requestOptions: { batching: { batch: { batchSize, batchInterval } } } }) as INodeParameters;

/** The sizes of groups of requests; a gap of more than half an interval starts a new group. */
function arrivals(): number[] {
	const groups: number[] = [];
	let last = -Infinity;
	for (const { at } of account().sandbox.requests) {
		if (at - last > INTERVAL / 2) groups.push(0);
		groups[groups.length - 1]! += 1;
		last = at;
	}
	return groups;
}

describe('Batching, when n8n cannot build a later item', () => {
	/** The expression of the sixth keyword throws (`toDateTime`), which fails the node. */
	const items: IDataObject[] = Array.from({ length: 8 }, (_, index) => ({
		day: index === 5 ? 'no day' : `2030-01-0${index + 1}`,
	}));
	const keyword = '={{ "events of " + $json.day.toDateTime().toFormat("d LLLL") }}';

	it.each<[string, Partial<INode>]>([
		['', {}],
		[', also with Retry On Fail', RETRY_ON_FAIL],
	])('sends nothing%s', async (_also, settings) => {
		const { sandbox, account: owner } = account();
		const parameters = { ...CREATE, ...batching(5), keyword };
		const { run, error } = await runWorkflow(workflowOf(parameters, items, settings), owner);
		expect(run.status).toBe('error');
		expect(error?.message).toMatch(/cannot convert to Luxon DateTime/);
		expect(error?.context.itemIndex).toBe(5);
		expect(sandbox.requests).toEqual([]);
		await sleep(500);
		expect(sandbox.requests).toEqual([]);
	});

	it('sends the other items with Continue, in batches', async () => {
		const { sandbox, account: owner } = account();
		const parameters = { ...CREATE, ...batching(3), keyword };
		const { outputs } = await runWorkflow(workflowOf(parameters, items, CONTINUE), owner);
		expect(sandbox.state.jobs.map(({ keyword: sent }) => sent)).toEqual(
			[1, 2, 3, 4, 5, 7, 8].map((day) => `events of ${day} January`),
		);
		expect(outputs.map(({ length }) => length)).toEqual([7, 1]);
		await sleep(500);
		expect(sandbox.requests).toHaveLength(7);
	});
});

describe('Batching', () => {
	const OPERATIONS: Array<[string, INodeParameters, IDataObject[]]> = [
		['Job: Create', CREATE, keywords(7)],
		['Blacklist: Add Item', ADD, domains(7)],
		['Blacklist: Add Many Items', ADD_MANY, domains(7)],
	];

	describe.each(OPERATIONS)('%s', (_name, parameters, items) => {
		it.each<[string, Partial<INode>]>([
			['without Continue', {}],
			['with Continue', CONTINUE],
		])('%s', async (_how, settings) => {
			const { sandbox, account: owner } = account();
			const { error } = await runWorkflow(
				workflowOf({ ...parameters, ...batching(3) }, items, settings),
				owner,
			);
			expect(error).toBeUndefined();
			expect(arrivals()).toEqual([3, 3, 1]);
			const times = sandbox.requests.map(({ at }) => at);
			// The interval is measured between the starts of batches.
			expect(times[3]! - times[0]!).toBeGreaterThanOrEqual(INTERVAL - 100);
			expect(times[6]! - times[3]!).toBeGreaterThanOrEqual(INTERVAL - 100);
		});
	});

	it('sends one by one if the size is 0, like n8n', async () => {
		const { account: owner } = account();
		await runWorkflow(workflowOf({ ...ADD, ...batching(0) }, domains(3)), owner);
		expect(arrivals()).toEqual([1, 1, 1]);
	});

	it('has no effect without an interval', async () => {
		const { account: owner } = account();
		await runWorkflow(workflowOf({ ...ADD, ...batching(2, 0) }, domains(6)), owner);
		expect(arrivals()).toEqual([6]);
	});

	it('accepts texts from expressions', async () => {
		const { account: owner } = account();
		const set = batching('={{ "2" }}', `={{ "${INTERVAL}" }}`);
		await runWorkflow(workflowOf({ ...ADD, ...set }, domains(4)), owner);
		expect(arrivals()).toEqual([2, 2]);
	});

	it.each([
		['a slow first request', { times: 1, fault: { kind: 'delay', ms: 1_500 } } as const],
		['a pause', { skip: 2, times: 1, fault: status(429, { retryAfter: '2' }) }],
	])('is kept after %s, with an automatic limit', async (_what, fault) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add(fault);
		const parameters = { ...CREATE, ...batching(1, INTERVAL) };
		const { error } = await runWorkflow(workflowOf(parameters, keywords(8)), owner);
		expect(error).toBeUndefined();
		expect(sandbox.state.jobs).toHaveLength(8);
		const times = sandbox.requests.map(({ at }) => at);
		const gaps = times.slice(1).map((time, index) => time - times[index]!);
		// Only the retry after the pause starts without a batch of its own.
		const short = gaps.filter((gap) => gap < 0.5 * INTERVAL);
		expect(short.length).toBeLessThanOrEqual(1);
	});

	it('ends at the first failure, and at once when the execution is stopped', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', fault: status(400) });
		const parameters = { ...CREATE, ...batching(2, 1_000) };
		const { error } = await runWorkflow(workflowOf(parameters, keywords(6)), owner);
		expect(error?.description).toContain('1 failed, 4 were not started');
		expect(sandbox.requests).toHaveLength(2);

		sandbox.reset();
		const { finished, cancel } = startWorkflow(
			workflowOf({ ...ADD_MANY, ...batching(2, 60_000) }, [
				{ values: domains(6).map(({ value }) => value) },
			]),
			owner,
		);
		await until(() => sandbox.requests.length === 2);
		const asked = performance.now();
		cancel();
		await finished;
		expect(performance.now() - asked).toBeLessThan(20_000);
		await sleep(100);
		expect(sandbox.requests).toHaveLength(2);
	});
});

describe('every item ends in one output with Continue', () => {
	const set = (size: unknown, others: IDataObject = {}): INodeParameters => {
		const { requestOptions } = batching(size, 20);
		return { requestOptions: { ...(requestOptions as IDataObject), ...others } } as INodeParameters;
	};
	const every = [0, 1, 2, 3, 4];

	it.each<[string, INodeParameters, sent: number[]]>([
		[
			'a Timeout is invalid for the first',
			set(1, { timeout: '={{ $itemIndex === 0 ? "soon" : 5000 }}' }),
			[1, 2, 3, 4],
		],
		['a Timeout is invalid for all', set(1, { timeout: -1 }), []],
		['a proxy is invalid for all', set(1, { proxy: 'ftp://127.0.0.1:99' }), []],
		['the size is invalid', set(1.5), []],
		['nothing is invalid', set(1), every],
	])('when %s', async (_what, parameters, sent) => {
		const { sandbox, account: owner } = account();
		const { outputs } = await runWorkflow(
			workflowOf({ ...CREATE, ...parameters }, keywords(5), CONTINUE),
			owner,
		);
		const items = outputs.map((output) => output.map(({ pairedItem }) => pairedItem));
		const refused = every.filter((item) => !sent.includes(item));
		expect(items).toEqual([sent, refused].map((some) => some.map((item) => ({ item }))));
		expect(sandbox.requests).toHaveLength(sent.length);
	});
});
