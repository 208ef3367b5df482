/** What n8n makes of the node and its credential. */
import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { CONTRACT } from '../../support/contract';
import { CREATE, USAGE } from '../../support/parameters';
import { schemaOf, triggerSchema } from '../../support/schemas';
import { workflowOf } from '../../support/workflowOf';
import { credentialOf, n8n, NODE_TYPE } from '../n8n';

it('offers the node, its variant for AI agents, and the trigger', async () => {
	const types = await n8n().client.nodeTypes();
	const own = types.filter(({ name }) => name.startsWith(NODE_TYPE));
	expect(own.map(({ name, polling }) => [name, polling])).toEqual(
		expect.arrayContaining([
			[NODE_TYPE, undefined],
			[`${NODE_TYPE}Tool`, undefined],
			[`${NODE_TYPE}Trigger`, true],
		]),
	);
	expect(own).toHaveLength(3);
});

it.each([
	...CONTRACT.map(({ resource, operation }) => ({
		type: NODE_TYPE,
		path: `/${resource}/${operation}`,
		output: schemaOf(resource, operation),
	})),
	{ type: `${NODE_TYPE}Trigger`, path: '', output: triggerSchema() },
])('serves the output schema of $type$path', async ({ type, path, output }) => {
	const answer = await fetch(`${n8n().client.address}/schemas/${type}/1.0.0${path}.json`);
	expect(answer.status).toBe(200);
	expect(await answer.json()).toEqual(output);
});

it.each<[string, Fault]>([
	['an error', { kind: 'echo', status: 400, form: 'unicode' }],
	['a redirect', { kind: 'echo', status: 302, in: 'location' }],
])('shows and logs no key that the service repeats in %s', async (_where, fault) => {
	const { sandbox, run, log } = n8n();
	sandbox.faults.add({ fault });
	for (const parameters of [CREATE, USAGE]) {
		const execution = await run(workflowOf(parameters));
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution)).not.toContain(sandbox.key);
	}
	expect(await log()).not.toContain(sandbox.key);
});

describe('the credential test', () => {
	const test = async (data: IDataObject) => {
		const { client, sandbox, credentialId: id } = n8n();
		const credential = credentialOf(sandbox);
		return await client.testCredential({
			...{ ...credential, id },
			data: { ...credential.data, ...data },
		});
	};

	it('passes with what people paste', async () => {
		const { sandbox } = n8n();
		for (const path of ['/api/v1/', '/api/v1/jobs', '/api/v1/usage']) {
			const pasted = {
				baseUrl: sandbox.address + path,
				apiKey: `"x-api-key: Bearer ${sandbox.key}"`,
			};
			expect(await test(pasted)).toMatchObject({ status: 'OK' });
			expect(sandbox.requests.at(-1)).toMatchObject({ path: '/api/v1/usage' });
		}
	});

	it.each([
		['an invalid key', { apiKey: 'wrong' }, /refused the API key.*"API Key"/],
		['an address with a query', { baseUrl: 'http://127.0.0.1:1/?a=b' }, /"Base URL"/],
		['no address', { baseUrl: '' }, /"Base URL"/],
		// n8n 2 shows only the code of a failed connection.
		['an address without a service', { baseUrl: 'http://127.0.0.1:9' }, /^ECONNREFUSED$/],
		['an unknown host name', { baseUrl: 'http://no-such-host.invalid' }, /^ENOTFOUND$/],
	])('fails with %s', async (_what, data, message) => {
		expect(await test(data)).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it.each<[string, Fault, RegExp]>([
		['a web page', { kind: 'html' }, /contains no plan.*"Base URL"/],
		['a redirect', { kind: 'redirect', to: '/api/v1/usage' }, /redirect.*"Base URL"/],
	])('fails for %s', async (_what, fault, message) => {
		n8n().sandbox.faults.add({ times: 1, fault });
		expect(await test({})).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
		// A redirect is not followed.
		expect(n8n().sandbox.requests).toHaveLength(1);
	});
});
