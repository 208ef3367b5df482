import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import { advance, until } from '../support/clock';
import { runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';

const account = useSandbox();

const batching = (batchSize: unknown, batchInterval: unknown = 400): INodeParameters =>
	({ requestOptions: { batching: { batch: { batchSize, batchInterval } } } }) as INodeParameters;

/** When each request arrived, in milliseconds since the first. */
function arrivals(): number[] {
	const { requests } = account().sandbox;
	return requests.map(({ at }) => at - requests[0]!.at);
}

describe('Batching', () => {
	const SETTINGS: Array<[string, Partial<INode>]> = [
		['without Continue', {}],
		['with Continue', CONTINUE],
	];

	describe.each([
		['Job: Create', CREATE, keywords(7)],
		['Blacklist: Add Item', ADD, domains(7)],
		['Blacklist: Add Many Items', ADD_MANY, domains(7)],
	])('spaces out %s', (_name, parameters, items) => {
		it.each(SETTINGS)('%s', async (_how, settings) => {
			const { error } = await runWorkflow(
				workflowOf({ ...parameters, ...batching(3) }, items, settings),
				account().account,
			);
			expect(error).toBeUndefined();
			// The interval is measured between the starts of batches.
			expect(arrivals()).toEqual([0, 0, 0, 400, 400, 400, 800]);
		});
	});

	it.each([
		['sends one by one if the size is 0, like n8n', batching(0), [0, 400, 800, 1200]],
		['has no effect without an interval', batching(2, 0), [0, 0, 0, 0]],
		['accepts texts from expressions', batching('={{ "2" }}', '={{ "90" }}'), [0, 0, 90, 90]],
	])('%s', async (_what, set, expected) => {
		await runWorkflow(workflowOf({ ...ADD, ...set }, domains(4)), account().account);
		expect(arrivals()).toEqual(expected);
	});

	it('counts the Usage call of "Minimum Remaining Requests"', async () => {
		const parameters = { ...CREATE, options: { minRemaining: 1 }, ...batching(2) };
		await runWorkflow(workflowOf(parameters, keywords(4)), account().account);
		expect(arrivals()).toEqual([0, 0, 400, 400, 800]);
	});

	it('is kept after a slow first request', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 1_500 } });
		await runWorkflow(workflowOf({ ...ONE_BY_ONE, ...batching(1) }, keywords(5)), owner);
		// One by one, so the second waits for the first.
		expect(arrivals()).toEqual([0, 1_500, 1_900, 2_300, 2_700]);
	});

	it('is kept after a pause', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ skip: 2, times: 1, fault: status(429, { retryAfter: '2' }) });
		await runWorkflow(workflowOf({ ...CREATE, ...batching(1) }, keywords(8)), owner);
		expect(sandbox.state.jobs).toHaveLength(8);
		const [refused, retry] = sandbox.requests.filter(({ rawBody }) =>
			rawBody.includes('keyword 2.'),
		);
		expect(retry!.at - refused!.at).toBeGreaterThanOrEqual(2_000);
		// A retry needs no batch of its own.
		const starts = sandbox.requests.filter((request) => request !== retry).map(({ at }) => at);
		const gaps = starts.slice(1).map((at, index) => at - starts[index]!);
		expect(Math.min(...gaps)).toBe(400);
	});
});

describe('Batching, with Continue', () => {
	const inBatches = { ...CREATE, ...batching(1) };

	it('sends nothing more once the allowance is used up in an earlier batch', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: status(402) });
		const { outputs } = await runWorkflow(workflowOf(inBatches, keywords(3), CONTINUE), owner);
		expect(outputs[1]).toHaveLength(3);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('sends nothing more when it is cancelled in a later batch', async () => {
		const { sandbox, account: owner } = account();
		const { finished, cancel } = startWorkflow(workflowOf(inBatches, keywords(4), CONTINUE), owner);
		await until(() => sandbox.requests.length === 2);
		cancel();
		await until(finished);
		await advance(10_000);
		expect(sandbox.requests).toHaveLength(2);
	});
});

describe('Batching, when n8n cannot build a later item', () => {
	/** The expression of the sixth keyword throws (`toDateTime`), which fails the node. */
	const items: IDataObject[] = Array.from({ length: 8 }, (_, index) => ({
		day: index === 5 ? 'no day' : `2030-01-0${index + 1}`,
	}));
	const keyword = '={{ "events of " + $json.day.toDateTime().toFormat("d LLLL") }}';

	it('sends nothing, also with Retry On Fail', async () => {
		const { sandbox, account: owner } = account();
		const parameters = { ...CREATE, ...batching(5), keyword };
		const { error } = await runWorkflow(workflowOf(parameters, items, RETRY_ON_FAIL), owner);
		expect(error?.message).toMatch(/cannot convert to Luxon DateTime/);
		expect(error?.context.itemIndex).toBe(5);
		await advance(60_000);
		expect(sandbox.requests).toEqual([]);
	});

	it('sends the other items with Continue, in batches', async () => {
		const { sandbox, account: owner } = account();
		const parameters = { ...CREATE, ...batching(3), keyword };
		const { outputs } = await runWorkflow(workflowOf(parameters, items, CONTINUE), owner);
		expect(sandbox.state.jobs.map(({ keyword: sent }) => sent)).toEqual(
			[1, 2, 3, 4, 5, 7, 8].map((day) => `events of ${day} January`),
		);
		expect(arrivals()).toEqual([0, 0, 0, 400, 400, 800, 800]);
		expect(outputs.map(({ length }) => length)).toEqual([7, 1]);
	});
});

describe('every item ends in one output with Continue', () => {
	it.each<[string, INodeParameters, sent: number[]]>([
		[
			'a Timeout is invalid for the first',
			{ batching: { batch: { batchSize: 1 } }, timeout: '={{ $itemIndex === 0 ? "soon" : 5000 }}' },
			[1, 2, 3, 4],
		],
		['the size is invalid', { batching: { batch: { batchSize: 1.5 } } }, []],
	])('when %s', async (_what, requestOptions, sent) => {
		const { sandbox, account: owner } = account();
		const { outputs } = await runWorkflow(
			workflowOf({ ...CREATE, requestOptions }, keywords(5), CONTINUE),
			owner,
		);
		const items = outputs.map((output) => output.map(({ pairedItem }) => pairedItem));
		const refused = [0, 1, 2, 3, 4].filter((item) => !sent.includes(item));
		expect(items).toEqual([sent, refused].map((some) => some.map((item) => ({ item }))));
		expect(sandbox.requests).toHaveLength(sent.length);
	});
});
