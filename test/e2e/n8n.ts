import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient, type Workflow } from '../../n8n/client';
import { CREDENTIAL_TYPE } from '../../n8n/examples';
import { errorOf, outputOf, type Execution } from '../../n8n/execution';
import { startN8n } from '../../n8n/host';
import { folderOfLine } from '../../n8n/install';
import { dataFolder, npm, openNodesFolder } from '../../n8n/package';
import { name, version } from '../../package.json';
import { startSandbox, type Sandbox } from '../../sandbox';
import { NODE_TYPE, TESTED_NODE as NODE } from '../support/workflowOf';
import { LIMIT_MS } from './until';

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
	/** Waits for the end of an execution. */
	ended(id: string): Promise<Execution>;
	/** Clicks n8n's Retry button in the list of executions. */
	retry(id: string, withSaved?: boolean): Promise<Execution>;
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

let shared: TestN8n | undefined;
let userFolder: string;

/** The n8n that all tests share. */
export function n8n(): TestN8n {
	if (shared === undefined) throw new Error('n8n starts before the first test, not earlier.');
	return shared;
}

/**
 * Starts the n8n that all tests share, with an empty data folder and the node installed by hand.
 * Before each test the sandbox is reset, and its account is a new one: a limit learned in another
 * test does not apply.
 *
 * @param env added to n8n's environment
 */
export function useN8n(env: Record<string, string> = {}): void {
	let sandbox: Sandbox | undefined;

	beforeAll(async () => {
		userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		await installByHand(tarballOfNode());
		sandbox = await startSandbox();
		shared = await openN8n(userFolder, sandbox, env);
	}, SET_UP_MS);

	beforeEach(async () => {
		n8n().sandbox.reset();
		await n8n().renewAccount();
	});

	afterAll(async () => {
		await shared?.stop();
		await sandbox?.stop();
		if (userFolder) await rm(userFolder, { recursive: true, force: true });
	});
}

/** Starts the shared n8n again, after a test has killed it. */
export async function restartN8n(): Promise<void> {
	shared = await openN8n(userFolder, n8n().sandbox);
}

/**
 * Installs a packed node manually, as in n8n's documentation. Its peer is optional, so that npm
 * installs no second n8n-workflow: it needs compilation, and n8n would not recognize its errors.
 */
async function installByHand(tarball: string): Promise<void> {
	const folder = await openNodesFolder(userFolder);
	await npm(['install', tarball], folder, join(userFolder, 'npm.log'), 'Installing by hand');
}

/** As n8n names the first one. */
const NAME = 'Business Listing Search account';

/** The credential for a sandbox, as n8n stores it. */
export function credentialOf({ address, key }: Sandbox, name = NAME, apiKey = key) {
	const data = { baseUrl: address, apiKey, keyFormat: 'documented' };
	return { name, type: CREDENTIAL_TYPE, data };
}

/** The packed node, which all test files share. */
export function tarballOfNode(): string {
	return join(dataFolder, `${name}-${version}.tgz`);
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

	const opened: TestN8n = {
		client,
		sandbox,
		credentialId: present?.id ?? (await client.createCredential(credentialOf(sandbox))),
		save: async (workflow, apiKey) => {
			const id = apiKey
				? await client.createCredential(credentialOf(sandbox, 'Another account', apiKey))
				: opened.credentialId;
			const { nodes, ...rest } = structuredClone(workflow) as Workflow;
			for (const node of nodes) {
				if (node.type.startsWith('n8n-nodes-business-listing-search.')) {
					node.credentials = { [CREDENTIAL_TYPE]: { id, name: NAME } };
				}
			}
			return (await client.createWorkflow({ ...rest, nodes })).id;
		},
		run: async (workflow) => await opened.runSaved(await opened.save(workflow)),
		runSaved: async (id) => await opened.ended(await client.runWorkflow(id)),
		ended: async (id) => await client.waitForExecution(id, LIMIT_MS),
		retry: async (id, withSaved) => await opened.ended(await client.retryExecution(id, withSaved)),
		renewAccount: async () => {
			sandbox.key = randomUUID();
			const credential = credentialOf(sandbox);
			const stored = await client.listCredentials();
			if (stored.some(({ id }) => id === opened.credentialId)) {
				await client.updateCredential(opened.credentialId, credential);
			} else {
				// A test has deleted it.
				opened.credentialId = await client.createCredential(credential);
			}
		},
		log: async () => await readFile(logFile, 'utf8'),
		stop,
		kill: async () => {
			process.kill(pid, 'SIGKILL');
			await ended;
			// For nothing else than this file, the next start pauses for ten seconds.
			await rm(join(userFolder, '.n8n', 'crash.journal'));
		},
	};
	return opened;
}

export { errorOf, NODE, NODE_TYPE, outputOf };
