import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, execute } = useEngine();

const batching = (batchSize: unknown, batchInterval: unknown = 400): INodeParameters =>
	({ requestOptions: { batching: { batch: { batchSize, batchInterval } } } }) as INodeParameters;

/** When each request arrived, in milliseconds since the first. */
function arrivals(): number[] {
	const { requests } = sandbox;
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
			const { error } = await execute({ ...parameters, ...batching(3) }, items, settings);
			expect(error).toBeUndefined();
			// The interval is measured between the starts of batches.
			expect(arrivals()).toEqual([0, 0, 0, 400, 400, 400, 800]);
		});
	});

	it.each([
		['sends one by one if the size is 0, like n8n', batching(0), [0, 400, 800, 1200]],
		['sends one by one without a size', batching('={{ undefined }}'), [0, 400, 800, 1200]],
		['has no effect without an interval', batching(2, 0), [0, 0, 0, 0]],
		['accepts texts from expressions', batching('={{ "2" }}', '={{ "90" }}'), [0, 0, 90, 90]],
	])('%s', async (_what, set, expected) => {
		await execute({ ...ADD, ...set }, domains(4));
		expect(arrivals()).toEqual(expected);
	});

	it('counts the Usage call of "Minimum Remaining Requests"', async () => {
		const parameters = { ...CREATE, options: { minRemaining: 1 }, ...batching(2) };
		await execute(parameters, keywords(4));
		expect(arrivals()).toEqual([0, 0, 400, 400, 800]);
	});

	it('is kept after a pause', async () => {
		sandbox.faults.add({ skip: 2, times: 1, fault: status(429, { retryAfter: '2' }) });
		await execute({ ...CREATE, ...batching(1) }, keywords(8));
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
	it('counts only what is sent', async () => {
		const parameters = { ...CREATE, ...batching(3), keyword: '={{ $json.keyword.trim() }}' };
		const items: IDataObject[] = keywords(8).map((item, index) => (index === 5 ? {} : item));
		const { outputs } = await execute(parameters, items, CONTINUE);
		expect(sandbox.state.jobs).toHaveLength(7);
		expect(arrivals()).toEqual([0, 0, 0, 400, 400, 400, 800]);
		expect(outputs.map(({ length }) => length)).toEqual([7, 1]);
	});
});

describe('every item ends in one output with Continue', () => {
	it.each<[string, INodeParameters]>([
		['a Timeout is invalid for the first', { timeout: '={{ $itemIndex === 0 ? "soon" : 5000 }}' }],
		['the size is invalid', { batching: { batch: { batchSize: 1.5 } } }],
	])('when %s', async (_what, requestOptions) => {
		const { outputs } = await execute({ ...CREATE, requestOptions }, keywords(5), CONTINUE);
		const items = outputs.map((output) => output.map(({ pairedItem }) => pairedItem));
		expect(items).toEqual([[], [0, 1, 2, 3, 4].map((item) => ({ item }))]);
		expect(sandbox.requests).toEqual([]);
	});
});
