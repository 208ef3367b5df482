import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { postJob } from '../support/contract';
import { workflowOf } from '../support/workflowOf';
import { sentRequests } from './fixtures';
import { errorOf, IS_N8N_1, NODE, NODE_TYPE, outputOf, useN8n } from './n8n';

const n8n = useN8n({
	env: { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost' },
});

const CREATE = { resource: 'job', operation: 'create', keyword: 'dentist in Vienna' };
const SENT = [postJob({ keyword: 'dentist in Vienna', group_name: 'API' })];

const MESSAGE = "This address is blocked by n8n's SSRF protection (see N8N_SSRF_ALLOWED_HOSTNAMES)";

/** Enters the sandbox in the credential under this host name. */
async function enter(host: 'localhost' | '127.0.0.1') {
	const { client, credentialId, sandbox } = n8n();
	const baseUrl = sandbox.address.replace('127.0.0.1', host);
	const data = { baseUrl, apiKey: sandbox.key, keyFormat: 'documented' };
	const credential = { name: 'Account', type: CREDENTIAL_TYPE, data };
	await client.updateCredential(credentialId, credential);
	return { id: credentialId, ...credential };
}

/** Requests the entries of the dropdown "Blacklist" as the editor does. */
const dropdown = async () =>
	await n8n().client.resourceLocatorResults({
		path: 'parameters.blacklist',
		methodName: 'searchBlacklists',
		nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
		currentNodeParameters: { resource: 'blacklist', operation: 'delete' },
		credentials: { [CREDENTIAL_TYPE]: { id: n8n().credentialId, name: 'Account' } },
	});

function blocksWhatIsNotAllowed() {
	it('sends nothing, does not retry, and names the setting of n8n that allows the address', async () => {
		const { sandbox, run } = n8n();
		await enter('127.0.0.1');
		const error = errorOf(await run(workflowOf(CREATE)));
		expect(error).toMatchObject({ message: MESSAGE, httpCode: null, node: NODE });
		expect(error?.description).toMatch(/^Nothing was sent\. .* N8N_SSRF_ALLOWED_HOSTNAMES, /);
		expect(sandbox.requests).toEqual([]);
	});

	it('gives each item this reason with Continue', async () => {
		const { sandbox, run } = n8n();
		await enter('127.0.0.1');
		const onError = 'continueRegularOutput';
		const execution = await run(workflowOf(CREATE, [{}, {}], { onError }));
		const blocked = { error: MESSAGE, message: expect.stringMatching(/^Nothing was sent\. /) };
		expect(outputOf(execution, NODE).map(({ json }) => json)).toEqual([blocked, blocked]);
		expect(sandbox.requests).toEqual([]);
	});

	it('gives this reason in the dropdown', async () => {
		await enter('127.0.0.1');
		await expect(dropdown()).rejects.toMatchObject({ reason: MESSAGE });
	});

	it("fails the credential test with n8n's own message, which a credential cannot change", async () => {
		const { client } = n8n();
		expect(await client.testCredential(await enter('127.0.0.1'))).toEqual({
			status: 'Error',
			message: 'The request was blocked because it resolves to a restricted IP address',
		});
	});
}

it('sends to a host name that is allowed', async () => {
	const { client, sandbox, run } = n8n();
	const credential = await enter('localhost');
	expect(errorOf(await run(workflowOf(CREATE)))).toBeUndefined();
	expect(sentRequests(sandbox)).toEqual(SENT);
	expect(await client.testCredential(credential)).toMatchObject({ status: 'OK' });
	expect(await dropdown()).toEqual({ results: [] });
});

// n8n 1.123 has no such protection, and does not know its settings.
if (!IS_N8N_1) describe('an address that is not allowed', blocksWhatIsNotAllowed);
