/** Settings of n8n that are off by default: its address protection, and its durable scheduler. */
import { CREDENTIAL_TYPE } from '../../../n8n/examples';
import { postJob, sentRequests } from '../../support/contract';
import { status } from '../../support/faults';
import { triggerOf, workflowOf } from '../../support/workflowOf';
import { credentialOf, errorOf, n8n, NODE, NODE_TYPE, outputOf, useN8n } from '../n8n';
import { executionThat, pollTimes } from '../polls';
import { until } from '../until';

const SETTINGS = {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

useN8n(SETTINGS);

/** Enters the sandbox in the credential under this host name. */
async function enter(host: 'localhost' | '127.0.0.1') {
	const { client, credentialId: id, sandbox } = n8n();
	const credential = credentialOf(sandbox);
	credential.data.baseUrl = sandbox.address.replace('127.0.0.1', host);
	await client.updateCredential(id, credential);
	return { id, ...credential };
}

describe('address protection', () => {
	const CREATE = { resource: 'job', operation: 'create', keyword: 'dentist in Vienna' };
	const SENT = [postJob({ keyword: 'dentist in Vienna', group_name: 'API' })];
	const MESSAGE =
		"This address is blocked by n8n's SSRF protection (see N8N_SSRF_ALLOWED_HOSTNAMES)";

	/** Requests the entries of the dropdown "Blacklist" as the editor does. */
	const dropdown = async () =>
		await n8n().client.resourceLocatorResults({
			path: 'parameters.blacklist',
			methodName: 'searchBlacklists',
			nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
			currentNodeParameters: { resource: 'blacklist', operation: 'delete' },
			credentials: { [CREDENTIAL_TYPE]: { id: n8n().credentialId, name: 'Account' } },
		});

	it('lets requests to a host name that is allowed pass', async () => {
		const { client, sandbox, run } = n8n();
		const credential = await enter('localhost');
		expect(errorOf(await run(workflowOf(CREATE)))).toBeUndefined();
		expect(sentRequests(sandbox)).toEqual(SENT);
		expect(await client.testCredential(credential)).toMatchObject({ status: 'OK' });
		expect(await dropdown()).toEqual({ results: [] });
	});

	it('lets nothing else pass, and the node names the setting that allows the address', async () => {
		const { client, sandbox, run } = n8n();
		const credential = await enter('127.0.0.1');
		const error = errorOf(await run(workflowOf(CREATE)));
		expect(error).toMatchObject({ message: MESSAGE, httpCode: null, node: NODE });
		expect(error?.description).toMatch(/set N8N_SSRF_ALLOWED_HOSTNAMES \(a host name\)/);
		await expect(dropdown()).rejects.toMatchObject({ message: expect.stringContaining(MESSAGE) });

		const onError = 'continueRegularOutput';
		const execution = await run(workflowOf(CREATE, [{}, {}], { onError }));
		const blocked = { error: MESSAGE, message: expect.stringMatching(/^To allow an address /) };
		expect(outputOf(execution, NODE).map(({ json }) => json)).toEqual([blocked, blocked]);

		// n8n's own message, which a credential cannot change.
		expect(await client.testCredential(credential)).toEqual({
			status: 'Error',
			message: 'The request was blocked because it resolves to a restricted IP address',
		});
		expect(sandbox.requests).toEqual([]);
	});
});

it('the durable scheduler loses no event, and lists a failed poll', async () => {
	const { client, sandbox, save } = n8n();
	sandbox.state.remaining = 500;
	await enter('localhost');
	const id = await save(triggerOf({ pollTimes, events: ['allowanceLow'], threshold: 100 }));
	await client.activate(id);
	await until(() => sandbox.requests[0]?.status === 200);

	// n8n saves nothing of the first poll: the node has to remember it.
	sandbox.state.remaining = 50;
	const started = await executionThat(n8n(), id, 'success');
	const { plan } = sandbox.state;
	expect(outputOf(started, NODE).map(({ json }) => json)).toEqual([
		{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
	]);

	sandbox.faults.add({ fault: status(401) });
	const refused = await executionThat(n8n(), id, 'error');
	expect(errorOf(refused)?.message).toMatch(/^The service refused the API key\. .*Check "API Key"/);
	await client.deactivate(id);
});
