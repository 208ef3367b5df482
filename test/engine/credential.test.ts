import { inLoop } from '../support/workflowOf';
import { CONTINUE } from '../support/settings';
import { status } from '../support/faults';
import { startSandbox, type Fault } from '../../sandbox';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ExecuteContext } from 'n8n-core';
import { searchBlacklists, workflowOf } from '../support/engine';
import { CREATE, USAGE, ADD, ADD_MANY, DELETE, LIST, ONE_BY_ONE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, retry } = useEngine();

const keys = ['first-key', 'second-key', 'third-key'];
const items = keys.map((key, index) => ({
	key,
	keyword: `keyword ${index}.`,
	list: `list ${index}`,
}));

const MADE: Fault = { kind: 'json', body: { job_id: 'made' } };
const ADDED: Fault = { kind: 'json', body: { success: true } };

const received = () =>
	sandbox.requests.map(({ headers }) => String(headers['x-api-key']).replace(/^Token /, ''));

describe('a credential with an expression', () => {
	beforeEach(() => void (owner.apiKey = '={{ $json.key }}'));

	it.each<[string, INodeParameters]>([
		['Job: Create', CREATE],
		['Blacklist: Add Item', { ...ADD, options: { concurrency: 1 } }],
		['Blacklist: Delete', DELETE],
		['Blacklist: Get Many', LIST],
		['Usage: Get', USAGE],
	])('is evaluated per item by %s', async (_name, parameters) => {
		sandbox.faults.add({ fault: status(400) });
		await execute(parameters, items, CONTINUE);
		expect(received().sort()).toEqual([...keys].sort());
	});

	it.each([
		'={{ $json["key"] }}',
		'={{ $json.key.toLowerCase() }}',
		'={{ $input.item.json.key }}',
		'={{ $input.first().json.key && $json.key }}',
		'={{ $input.last().json.key && $json.key }}',
		'={{ $input.all()[$itemIndex].json.key }}',
		'={{ $input.all().map((item) => item.json.key)[$itemIndex] }}',
		'={{ $("Start").all()[$itemIndex].json.key }}',
		'={{ $("Start").itemMatching($itemIndex).json.key }}',
		'={{ $items()[$itemIndex].json.key }}',
		'={{ $items("Start")[$itemIndex].json.key }}',
		'={{ $node["Start"].json.key }}',
		'={{ ["first-key", "second-key", "third-key"][$itemIndex] }}',
		'={{ $workflow.name && $json.key }}',
		'=Token {{ $json.key }}',
		'={{ $json.key.split("-")[0] }}-key',
	])('is evaluated per item in whatever way it is written: %s', async (apiKey) => {
		sandbox.faults.add({ fault: MADE });
		owner.apiKey = apiKey;
		const { json } = await execute(CREATE, items);
		expect(json).toHaveLength(3);
		expect(received().sort()).toEqual([...keys].sort());
	});

	it('that gives nothing for one item says how the others are sent', async () => {
		sandbox.faults.add({ fault: MADE });
		owner.apiKey = '={{ ({ a: "first-key", c: "third-key" })[$json.client] }}';
		const rows = ['a', 'b', 'c'].map((client) => ({ client, keyword: `for ${client}` }));
		const workflow = inLoop(workflowOf(CREATE, rows), 1);
		const failed = await execute(workflow);
		expect(failed.error?.message).toMatch(/^"API Key" in the credential is empty \(paid: /);
		expect(failed.error?.description).toContain(
			'Enter it, or check the field or the name that its expression looks up.',
		);
		expect(failed.error?.description).toContain(
			'<br><br>Wrong field (or credential): correct it, save, and within 14 days open "Executions" > ',
		);
		expect(received()).toEqual(['first-key']);
		for (const node of workflow.nodes)
			if (node.id === 'node') node.onError = 'continueRegularOutput';
		const retried = await retry(failed);
		expect(retried.error).toBeUndefined();
		expect(received()).toEqual(['first-key', 'third-key']);
	});

	it('never makes Add Many Items add to the account of another row', async () => {
		sandbox.faults.add({ fault: ADDED });
		const rows = keys.map((key) => ({ key, values: `${key}.example.com` }));
		await execute(ADD_MANY, rows);
		for (const { headers, body } of sandbox.requests) {
			const [key] = String((body as IDataObject).value).split('.');
			expect(headers['x-api-key']).toBe(`Token ${key}`);
		}
	});

	it('adds the same value for each account: to another account it is no duplicate', async () => {
		sandbox.faults.add({ fault: ADDED });
		const rows = [...keys, 'first-key'].map((key) => ({ key, values: 'example.com' }));
		const { json } = await execute(ADD_MANY, rows);
		expect(received().sort()).toEqual([...keys].sort());
		expect(json).toMatchObject([
			{ blacklist: 'customers', added: 1, duplicates: 1 },
			{ blacklist: 'customers', added: 1, duplicates: 0 },
			{ blacklist: 'customers', added: 1, duplicates: 0 },
		]);
	});

	it('gives a summary for each blacklist of an account, linked to its rows, and for each that it cannot read', async () => {
		sandbox.faults.add({ fault: ADDED });
		const rows = ['second', '', 'first', 'second', ''].map((key, row) => ({
			key: key && `${key}-key`,
			values: `site-${row}.example.com`,
		}));
		const { outputs } = await execute(ADD_MANY, rows, CONTINUE);
		expect(outputs[0]!.map(({ json, pairedItem }) => [json, pairedItem])).toMatchObject([
			[{ blacklist: 'customers', added: 2 }, [{ item: 0 }, { item: 3 }]],
			[{ blacklist: 'customers', added: 0, failed: 1 }, [{ item: 1 }]],
			[{ blacklist: 'customers', added: 1 }, [{ item: 2 }]],
			[{ blacklist: 'customers', added: 0, failed: 1 }, [{ item: 4 }]],
		]);
		expect(outputs[1]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 4 }]);
	});

	it('fails for each row whose credential gives nothing: none is a duplicate of another', async () => {
		const rows = Array(2).fill({ values: 'example.com' });
		const parameters = { ...ADD_MANY, options: { output: 'items' } };
		const { outputs } = await execute(parameters, rows, CONTINUE);
		expect(outputs.flat().map(({ json }) => json.status)).toEqual(['failed', 'failed']);
	});

	it('goes on with the other accounts when one asks to wait for too long', async () => {
		sandbox.faults.add({ match: 'keyword 0.', fault: status(429, { retryAfter: '600' }) });
		sandbox.faults.add({ fault: MADE });
		const two = [items[0]!, { ...items[0]!, keyword: 'another.' }, items[1]!];
		const { json } = await execute(ONE_BY_ONE, two, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([
			{ error: 'The service is receiving too many requests' },
			{ error: 'Not sent: the service is receiving too many requests' },
			{ job_id: 'made' },
		]);
	});

	it('gives each item its own Base URL', async () => {
		const other = await startSandbox({ key: sandbox.key });
		const addressed = items.map((item, index) => ({
			...item,
			address: index === 1 ? other.address : sandbox.address,
		}));
		Object.assign(owner, { baseUrl: '={{ $json.address }}', apiKey: sandbox.key });
		const { json, error } = await execute(CREATE, addressed);
		await other.stop();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
		expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual(['keyword 0.', 'keyword 2.']);
		expect(other.state.jobs.map(({ keyword }) => keyword)).toEqual(['keyword 1.']);
	});

	it('removes the key of each item from its own response', async () => {
		sandbox.faults.add({ fault: { kind: 'echo', status: 400 } });
		const { outputs } = await execute(CREATE, items, CONTINUE);
		expect(outputs[1]).toHaveLength(3);
		outputs[1]!.forEach(({ json: { message } }, index) => {
			expect(message).toContain('[API key]');
			expect(message).not.toContain(keys[index]);
		});
	});

	it('that is invalid for one item only fails that item', async () => {
		const given = items.map((item, index) => ({ ...item, key: index === 1 ? '' : sandbox.key }));
		const { outputs } = await execute(CREATE, given, CONTINUE);
		expect(outputs.map(({ length }) => length)).toEqual([2, 1]);
		expect(outputs[1]![0]!.json.error).toContain('"API Key"');
		expect(sandbox.state.jobs).toHaveLength(2);

		sandbox.reset();
		const { error } = await execute(CREATE, given);
		expect(error?.message).toContain('"API Key"');
		expect(error?.context.itemIndex).toBe(1);
		expect(sandbox.requests).toEqual([]);
	});

	it("pays for nothing twice with n8n's Retry button", async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		sandbox.faults.add({ fault: MADE });
		const failed = await execute(CREATE, items);
		expect(failed.error?.httpCode).toBe('500');
		const { json } = await retry(failed);
		expect(json).toEqual(Array(3).fill({ job_id: 'made' }));
		expect(received().sort()).toEqual([...keys, 'third-key'].sort());
	});
});

it('a credential without an expression is read once for all items', async () => {
	const read = jest.spyOn(ExecuteContext.prototype, 'getCredentials');
	await execute(CREATE, items);
	expect(read).toHaveBeenCalledTimes(1);
	read.mockRestore();
});

describe.each(['token', 'bare'] as const)('API Key Format %s', (keyFormat) => {
	const { owner, execute } = useEngine({ keyFormat });

	it('is the same on every call', async () => {
		owner.keyFormat = keyFormat;
		expect((await execute(CREATE)).error).toBeUndefined();
		expect((await execute(USAGE)).error).toBeUndefined();
		expect(await searchBlacklists(owner)).toEqual({ results: [] });
	});
});

describe('Base URL', () => {
	const { sandbox, owner, execute } = useEngine({ basePath: '/listing search/v9' });

	it('may have a path, surrounding spaces and trailing slashes', async () => {
		owner.baseUrl = ` ${owner.baseUrl}// `;
		expect((await execute(CREATE)).error).toBeUndefined();
		expect((await execute(USAGE)).error).toBeUndefined();
		expect(sandbox.requests.map(({ path }) => path)).toEqual([
			'/listing%20search/v9/api/v1/jobs',
			'/listing%20search/v9/api/v1/usage',
		]);
	});
});
