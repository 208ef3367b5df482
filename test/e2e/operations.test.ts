import { blacklistOf } from '../../sandbox';
import addItem from '../workflows/blacklist-add-item.json';
import deleteBlacklist from '../workflows/blacklist-delete.json';
import getManyBlacklists from '../workflows/blacklist-get-many.json';
import createJob from '../workflows/job-create.json';
import getUsage from '../workflows/usage-get.json';
import { errorOf, NODE, NODE_TYPE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

const ODD_NAME = 'Kunden / 100 % größe 顧客';
const ODD_SEGMENT = 'Kunden%20%2F%20100%20%25%20gr%C3%B6%C3%9Fe%20%E9%A1%A7%E5%AE%A2';

/** What reached the service, in order, without what every HTTP client adds. */
function sent() {
	return n8n().sandbox.requests.map(({ method, path, headers, rawBody }) => ({
		method,
		path,
		key: headers['x-api-key'],
		contentType: headers['content-type'],
		rawBody,
	}));
}

describe('the five operations', () => {
	it('Job: Create', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(createJob);

		expect(errorOf(execution)).toBeUndefined();
		const request = {
			method: 'POST',
			path: '/api/v1/jobs',
			key: `Token ${sandbox.key}`,
			contentType: 'application/json',
		};
		const rest = {
			min_reviews: 10,
			max_reviews: 200,
			has_phone: true,
			has_website: false,
			sort_by: 'reviews',
			sort_order: 'desc',
		};
		const body = (keyword: string, min_rating: number) =>
			JSON.stringify({ keyword, group_name: 'Vienna', min_rating, ...rest });
		expect(sent()).toEqual([
			{ ...request, rawBody: body('dentist in Vienna', 4) },
			{ ...request, rawBody: body('Zahnarzt „Mitte“ & Söhne', 3) },
		]);
		expect(outputOf(execution, NODE)).toEqual(
			sandbox.state.jobs.map(({ job_id }, item) => ({ json: { job_id }, pairedItem: { item } })),
		);
	});

	it('Blacklist: Add Item', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(addItem);

		expect(errorOf(execution)).toBeUndefined();
		expect(sent()).toHaveLength(4);
		expect(sent()).toContainEqual({
			method: 'POST',
			path: `/api/v1/blacklist/${ODD_SEGMENT}`,
			key: `Token ${sandbox.key}`,
			contentType: 'application/json',
			rawBody: '{"type":"domain","value":"example.com"}',
		});
		expect([...sandbox.state.blacklists.get('customers')!.values()]).toEqual(
			expect.arrayContaining([
				{ type: 'email', value: 'name@example.com' },
				{ type: 'cid', value: '12345678901234567890' },
				{ type: 'place_id', value: 'ChIJN1t_tDeuEmsRUsoyG83frY4' },
			]),
		);
		expect([...sandbox.state.blacklists.get(ODD_NAME)!.values()]).toHaveLength(1);
		expect(outputOf(execution, NODE)).toEqual(
			[0, 1, 2, 3].map((item) => ({ json: { success: true }, pairedItem: { item } })),
		);
	});

	it('Blacklist: Get Many', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.blacklists.set(ODD_NAME, blacklistOf({ type: 'cid', value: '1' }));
		sandbox.state.blacklists.set('second', blacklistOf());
		sandbox.state.blacklists.set('third', blacklistOf());
		const execution = await run(getManyBlacklists);

		expect(sent()).toEqual([
			{
				method: 'GET',
				path: '/api/v1/blacklist',
				key: `Token ${sandbox.key}`,
				contentType: undefined,
				rawBody: '',
			},
		]);
		expect(outputOf(execution, NODE)).toEqual([
			{ json: { name: ODD_NAME, count: 1 }, pairedItem: { item: 0 } },
			{ json: { name: 'second', count: 0 }, pairedItem: { item: 0 } },
		]);
	});

	it('Blacklist: Delete', async () => {
		const { sandbox, run } = n8n();
		sandbox.state.blacklists.set(ODD_NAME, blacklistOf());
		const execution = await run(deleteBlacklist);

		expect(sent()).toEqual([
			{
				method: 'DELETE',
				path: `/api/v1/blacklist/${ODD_SEGMENT}`,
				key: `Token ${sandbox.key}`,
				contentType: undefined,
				rawBody: '',
			},
		]);
		expect(sandbox.state.blacklists.size).toBe(0);
		expect(outputOf(execution, NODE)).toEqual([
			{ json: { deleted: true }, pairedItem: { item: 0 } },
		]);
	});

	it('Usage: Get', async () => {
		const { sandbox, run } = n8n();
		const execution = await run(getUsage);

		expect(sent()).toEqual([
			{
				method: 'GET',
				path: '/api/v1/usage',
				key: sandbox.key,
				contentType: undefined,
				rawBody: '',
			},
		]);
		expect(outputOf(execution, NODE)).toEqual([
			{ json: { plan: 'Sandbox', remaining: 1000 }, pairedItem: { item: 0 } },
		]);
	});

	it('says what happened and what to do when the service refuses', async () => {
		const { sandbox, run } = n8n();
		sandbox.faults.add({ fault: { kind: 'echo', status: 400 } });
		const execution = await run(getUsage);
		expect(execution.status).toBe('error');
		expect(errorOf(execution)).toMatchObject({
			message: 'The service rejected the input',
			description: expect.stringContaining('The service says:'),
			httpCode: '400',
		});
		expect(JSON.stringify(execution)).not.toContain(sandbox.key);
	});
});

describe('the credential test', () => {
	const test = async (data: object) => {
		const { client, sandbox, credentialId: id } = n8n();
		const good = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
		return await client.testCredential({
			id,
			name: 'Account',
			type: 'businessListingSearchApi',
			data: { ...good, ...data },
		});
	};

	it('passes with the right key', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
		expect(sent()).toMatchObject([{ method: 'GET', path: '/api/v1/usage' }]);
	});

	it.each([
		['a wrong key', { apiKey: 'wrong' }, /refused the key.*"API Key"/],
		['a key with a line break inside', { apiKey: 'a\r\nb: c' }, /"API Key"/],
		['an address with a user name', { baseUrl: 'http://user@127.0.0.1:1' }, /"Base URL"/],
		['an address with a query', { baseUrl: 'http://127.0.0.1:1/?a=b' }, /"Base URL"/],
		['an address with a fragment', { baseUrl: 'http://127.0.0.1:1/#a' }, /"Base URL"/],
		['no address', { baseUrl: '' }, /"Base URL"/],
	])('fails with %s', async (_what, data, message) => {
		expect(await test(data)).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it('fails when a web page answers', async () => {
		n8n().sandbox.faults.add({ fault: { kind: 'html' } });
		expect(await test({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/names no plan.*"Base URL"/),
		});
	});

	it('fails at a redirect, and does not follow it', async () => {
		const { sandbox } = n8n();
		sandbox.faults.add({ times: 1, fault: { kind: 'redirect', to: '/api/v1/usage' } });
		expect(await test({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/redirect.*"Base URL"/),
		});
		expect(sandbox.requests).toHaveLength(1);
	});
});

it('the dropdown offers the blacklists of the account and finds what is typed', async () => {
	const { client, sandbox, credentialId } = n8n();
	sandbox.state.blacklists.set(ODD_NAME, blacklistOf({ type: 'cid', value: '1' }));
	sandbox.state.blacklists.set('customers', blacklistOf());
	const request = {
		path: 'parameters.blacklist',
		methodName: 'searchBlacklists',
		nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
		currentNodeParameters: { resource: 'blacklist', operation: 'delete' },
		credentials: { businessListingSearchApi: { id: credentialId, name: 'Account' } },
	};
	expect(await client.resourceLocatorResults(request)).toEqual({
		results: [
			{ name: `${ODD_NAME} (1)`, value: ODD_NAME },
			{ name: 'customers (0)', value: 'customers' },
		],
	});
	expect(await client.resourceLocatorResults({ ...request, filter: 'größe' })).toEqual({
		results: [{ name: `${ODD_NAME} (1)`, value: ODD_NAME }],
	});
});

it('offers the node, and its variant for AI agents', async () => {
	const types = await n8n().client.nodeTypes();
	expect(types.map(({ name }) => name)).toEqual(
		expect.arrayContaining([NODE_TYPE, `${NODE_TYPE}Tool`]),
	);
});
