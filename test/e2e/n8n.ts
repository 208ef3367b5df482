import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { errorOf, N8nClient, outputOf, type Execution, type Workflow } from '../../n8n/client';
import { startN8n, type N8nHost } from '../../n8n/host';
import { ensureN8n } from '../../n8n/install';
import { installTarball, packNode } from '../../n8n/package';
import { startSandbox, type Sandbox } from '../../sandbox';
import { NODE_TYPE, TESTED_NODE as NODE } from '../engine/workflowOf';

const CREDENTIAL_TYPE = 'businessListingSearchApi';

/** Installing n8n on first use takes minutes. */
const SET_UP_MS = 15 * 60_000;

/** The real n8n with the packed node installed, a sandbox, and a credential for it. */
export interface TestN8n {
	client: N8nClient;
	sandbox: Sandbox;
	credentialId: string;
	/** Saves a workflow, with the credential on every node of this package, and runs it by hand. */
	run(workflow: object): Promise<Execution>;
	/** Saves a workflow, with the credential on every node of this package. */
	save(workflow: object): Promise<string>;
	/** What n8n has written to its log so far. */
	log(): Promise<string>;
}

/**
 * Starts an n8n with an empty data folder for the tests of one file; the sandbox is as it was at
 * the start before each test.
 */
export function useN8n(): () => TestN8n {
	let n8n: TestN8n;
	let host: N8nHost | undefined;
	let sandbox: Sandbox | undefined;
	let userFolder: string | undefined;

	beforeAll(async () => {
		const report = (line: string) => process.stdout.write(`${line}\n`);
		await ensureN8n(report);
		userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		await installTarball(await packNode(report), userFolder);
		sandbox = await startSandbox();
		host = await startN8n({ userFolder, env: { N8N_LOG_LEVEL: 'debug' } });
		const client = new N8nClient(host.address);
		await client.setUpOwner({
			email: 'owner@example.com',
			password: 'Password123',
			firstName: 'Test',
			lastName: 'Owner',
		});
		n8n = await connect(client, sandbox, host);
	}, SET_UP_MS);

	beforeEach(() => n8n.sandbox.reset());

	afterAll(async () => {
		await host?.stop();
		await sandbox?.stop();
		if (userFolder) await rm(userFolder, { recursive: true, force: true });
	});

	return () => n8n;
}

async function connect(client: N8nClient, sandbox: Sandbox, host: N8nHost): Promise<TestN8n> {
	const name = 'Account';
	const credentialId = await client.createCredential({
		name,
		type: CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.address, apiKey: sandbox.key, keyFormat: 'documented' },
	});
	const save = async (workflow: object) => {
		const { nodes, ...rest } = structuredClone(workflow) as Workflow;
		for (const node of nodes) {
			if (node.type.startsWith('n8n-nodes-business-listing-search.')) {
				node.credentials = { [CREDENTIAL_TYPE]: { id: credentialId, name } };
			}
		}
		return (await client.createWorkflow({ ...rest, nodes })).id;
	};
	const run = async (workflow: object) => {
		const id = await save(workflow);
		return await client.waitForExecution(await client.runWorkflow(id));
	};
	const log = async () => await readFile(host.logFile, 'utf8');
	return { client, sandbox, credentialId, save, run, log };
}

export { errorOf, NODE, NODE_TYPE, outputOf };
