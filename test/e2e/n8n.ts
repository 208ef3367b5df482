import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { errorOf, N8nClient, outputOf, type Execution, type Workflow } from '../../n8n/client';
import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { startN8n } from '../../n8n/host';
import { ensureN8n, folderOfLine } from '../../n8n/install';
import { installTarball, packNode } from '../../n8n/package';
import { consoleReport } from '../../n8n/report';
import { startSandbox, type Sandbox } from '../../sandbox';
import { NODE_TYPE, TESTED_NODE as NODE } from '../support/workflowOf';

/** Installing n8n on first use takes minutes. */
export const SET_UP_MS = 15 * 60_000;

/** The folder of the tested n8n: the major version in N8N_LINE, by default the newest. */
export const N8N_FOLDER = folderOfLine(process.env.N8N_LINE);

/** Whether n8n 1.123 is tested. */
export const IS_N8N_1 = process.env.N8N_LINE === '1';

export const OWNER = {
	email: 'owner@example.com',
	password: 'Password123',
	firstName: 'Test',
	lastName: 'Owner',
};

/** The real n8n with the packed node installed, a sandbox, and a credential for it. */
export interface TestN8n {
	client: N8nClient;
	sandbox: Sandbox;
	credentialId: string;
	/** Saves a workflow, with the credential on every node of this package, and runs it by hand. */
	run(workflow: object): Promise<Execution>;
	/** Runs a saved workflow by hand. */
	runSaved(id: string): Promise<Execution>;
	/**
	 * Saves a workflow, with the credential on every node of this package.
	 * @param apiKey the key of a separate credential for this workflow
	 */
	save(workflow: object, apiKey?: string): Promise<string>;
	/** Replaces the key of the sandbox and of the credential: a new account. */
	renewAccount(): Promise<void>;
	/** n8n's log so far. */
	log(): Promise<string>;
	stop(): Promise<void>;
	/** Ends n8n at once, as a crash would; resolves when it has exited. */
	kill(): Promise<void>;
}

/**
 * Starts an n8n with an empty data folder for the tests of one file; the sandbox is reset before each
 * test.
 *
 * @param options `keepsAccount`: all tests of the file use one key, because they create the
 * credential; `env`: added to n8n's environment
 */
export function useN8n({
	keepsAccount = false,
	env,
}: { keepsAccount?: boolean; env?: Record<string, string> } = {}): () => TestN8n {
	let n8n: TestN8n | undefined;
	let sandbox: Sandbox | undefined;
	let userFolder: string | undefined;

	beforeAll(async () => {
		const tarball = await prepareN8n();
		userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		await installTarball(tarball, userFolder);
		sandbox = await startSandbox();
		n8n = await openN8n(userFolder, sandbox, env);
	}, SET_UP_MS);

	beforeEach(async () => {
		if (!sandbox || !n8n) return;
		sandbox.reset();
		// A new key is a new account, so that a limit learned in another test does not apply.
		if (!keepsAccount) await n8n.renewAccount();
	});

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.stop();
		if (userFolder) await rm(userFolder, { recursive: true, force: true });
	});

	return () => {
		if (n8n === undefined) throw new Error('n8n starts before the first test, not earlier.');
		return n8n;
	};
}

const NAME = 'Account';

/** The credential for a sandbox, as n8n stores it. */
function credentialOf({ address, key }: Sandbox, apiKey = key) {
	const data = { baseUrl: address, apiKey, keyFormat: 'documented' };
	return { name: NAME, type: CREDENTIAL_TYPE, data };
}

/**
 * Installs the tested n8n and packs the node, unless done before.
 * @param folder for the tarball; default: the one of `npm start`
 * @returns the tarball's path
 */
export async function prepareN8n(folder?: string): Promise<string> {
	const report = consoleReport();
	await ensureN8n(report, N8N_FOLDER);
	return await packNode(report, folder);
}

/**
 * Starts n8n with a new or existing data folder and a credential for this sandbox.
 * @param env added to n8n's environment
 */
export async function openN8n(
	userFolder: string,
	sandbox: Sandbox,
	env: Record<string, string> = {},
): Promise<TestN8n> {
	const { address, logFile, pid, ended, stop } = await startN8n({
		userFolder,
		folder: N8N_FOLDER,
		// To list community packages, n8n lets npm check for updates, which must not leave this
		// machine.
		env: { N8N_LOG_LEVEL: 'debug', npm_config_offline: 'true', ...env },
	});
	const client = new N8nClient(address);
	await client.setUpOwner(OWNER);
	const present = (await client.listCredentials()).find(({ name }) => name === NAME);
	const credentialId = present?.id ?? (await client.createCredential(credentialOf(sandbox)));

	const save = async (workflow: object, apiKey?: string) => {
		const own = apiKey && (await client.createCredential(credentialOf(sandbox, apiKey)));
		const { nodes, ...rest } = structuredClone(workflow) as Workflow;
		for (const node of nodes) {
			if (node.type.startsWith('n8n-nodes-business-listing-search.')) {
				node.credentials = { [CREDENTIAL_TYPE]: { id: own ?? credentialId, name: NAME } };
			}
		}
		return (await client.createWorkflow({ ...rest, nodes })).id;
	};
	const runSaved = async (id: string) =>
		await client.waitForExecution(await client.runWorkflow(id));
	const run = async (workflow: object) => await runSaved(await save(workflow));
	const log = async () => await readFile(logFile, 'utf8');
	const renewAccount = async () => {
		sandbox.key = randomUUID();
		await client.updateCredential(credentialId, credentialOf(sandbox));
	};
	const kill = async () => {
		process.kill(pid, 'SIGKILL');
		await ended;
	};
	return { client, sandbox, credentialId, save, run, runSaved, renewAccount, log, stop, kill };
}

export { errorOf, NODE, NODE_TYPE, outputOf };
