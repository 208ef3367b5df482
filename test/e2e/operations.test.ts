import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { OUTPUTS } from '../../nodes/BusinessListingSearch/resources/outputs';
import { eventOutput } from '../../nodes/BusinessListingSearchTrigger/poll';
import { blacklistOf } from '../../sandbox';
import { CONTRACT, ODD_NAME } from '../support/contract';
import getUsage from '../workflows/usage-get.json';
import { FIXTURES, prepare, sentRequests, readFixture } from './fixtures';
import { errorOf, IS_N8N_1, NODE_TYPE, outputOf, useN8n } from './n8n';

const n8n = useN8n();

describe('every workflow that must keep working', () => {
	it.each(FIXTURES)('$file', async (fixture) => {
		const { sandbox, run } = n8n();
		prepare(sandbox);
		const execution = await run(await readFixture(fixture));

		expect(errorOf(execution)).toBeUndefined();
		expect(sentRequests(sandbox)).toEqual([...fixture.sends].sort());
		for (const [node, items] of Object.entries(fixture.outputs?.(sandbox) ?? {})) {
			expect(outputOf(execution, node)).toEqual(items);
		}
	});

	it('exists, and each parameter is in one of them', async () => {
		const kept = FIXTURES.map(({ file }) => file);
		const files = await readdir(join(__dirname, '..', 'workflows'));
		expect(kept).toEqual(expect.arrayContaining(files.map((file) => `test/workflows/${file}`)));

		const workflows = await Promise.all(FIXTURES.map(readFixture));
		const own = workflows.flatMap(({ nodes }) => nodes).filter(({ type }) => type === NODE_TYPE);
		const used = own.flatMap(({ parameters }) => settingsOf(parameters));
		const type = (await n8n().client.nodeTypes()).find(({ name }) => name === NODE_TYPE)!;
		const offered = settingsOffered(type.properties);
		expect(offered.length).toBeGreaterThanOrEqual(28);
		expect(used).toEqual(expect.arrayContaining(offered));
	});
});

/** The parameters of a node as `resource.operation.parameter`, followed by the option or the mode. */
function settingsOf({ resource, operation, ...parameters }: INodeParameters): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => {
		const path = `${String(resource)}.${String(operation)}.${name}`;
		if (typeof value !== 'object' || value === null) return [path];
		if ('__rl' in value) return [`${path}.${String(value.mode)}`];
		return Object.keys(value).map((option) => `${path}.${option}`);
	});
}

/** The parameters of the description in the same format, without n8n's own settings. */
function settingsOffered(properties: INodeProperties[]): string[] {
	return properties.flatMap(({ name, type, displayOptions, options = [], modes = [] }) => {
		const { resource = [], operation = [] } = displayOptions?.show ?? {};
		const choices = type === 'collection' ? options : modes;
		return resource.flatMap((of) =>
			operation.flatMap((doing) => {
				const path = `${String(of)}.${String(doing)}.${name}`;
				return choices.length > 0 ? choices.map((choice) => `${path}.${choice.name}`) : [path];
			}),
		);
	});
}

it('shows what happened and what to do when the service refuses', async () => {
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

describe('the credential test', () => {
	const test = async (data: object) => {
		const { client, sandbox, credentialId: id } = n8n();
		const good = { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' };
		return await client.testCredential({
			id,
			name: 'Account',
			type: CREDENTIAL_TYPE,
			data: { ...good, ...data },
		});
	};

	/** n8n 1.123 loses the status of the response, and with it the credential's message for it. */
	const says = (own: RegExp, inN8n1: RegExp) => (IS_N8N_1 ? inN8n1 : own);

	it('passes with a valid key', async () => {
		expect(await test({})).toMatchObject({ status: 'OK' });
		expect(n8n().sandbox.requests).toMatchObject([{ method: 'GET', path: '/api/v1/usage' }]);
	});

	it.each([
		[
			'an invalid key',
			{ apiKey: 'wrong' },
			says(/refused the key.*"API Key"/, /check your credentials/),
		],
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

	// n8n 2 shows only the code of a failed connection.
	it.each([
		[
			'nothing responds',
			() => 'http://127.0.0.1:9',
			says(/^ECONNREFUSED$/, /refused the connection/),
		],
		[
			'the host name is unknown',
			() => 'http://no-such-host.invalid',
			says(/^ENOTFOUND$/, /incorrect host/),
		],
		[
			'the service expects http',
			() => n8n().sandbox.address.replace('http:', 'https:'),
			says(/^EPROTO$/, /EPROTO/),
		],
	])('fails if %s', async (_what, baseUrl, message) => {
		expect(await test({ baseUrl: baseUrl() })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it('fails for a web page', async () => {
		n8n().sandbox.faults.add({ fault: { kind: 'html' } });
		expect(await test({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/contains no plan.*"Base URL"/),
		});
	});

	it('fails for a redirect, and does not follow it', async () => {
		const { sandbox } = n8n();
		sandbox.faults.add({ times: 1, fault: { kind: 'redirect', to: '/api/v1/usage' } });
		expect(await test({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(says(/redirect.*"Base URL"/, /status code 302/)),
		});
		expect(sandbox.requests).toHaveLength(1);
	});
});

it('the dropdown offers the blacklists of the account and searches them', async () => {
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

describe('serves the output schemas before anything is run', () => {
	it.each([
		...CONTRACT.map(({ resource, operation }) => ({
			type: NODE_TYPE,
			path: `/${resource}/${operation}`,
			output: OUTPUTS[resource]![operation],
		})),
		{ type: `${NODE_TYPE}Trigger`, path: '', output: eventOutput },
	])('$type$path', async ({ type, path, output }) => {
		const answer = await fetch(`${n8n().client.address}/schemas/${type}/1.0.0${path}.json`);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual(output);
	});
});

it('offers the node, and its variant for AI agents', async () => {
	const types = await n8n().client.nodeTypes();
	expect(types.map(({ name }) => name)).toEqual(
		expect.arrayContaining([NODE_TYPE, `${NODE_TYPE}Tool`]),
	);
});
