import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../sandbox';
import { whenNpmEnds } from '../sandbox/npm';
import { N8nClient } from './client';
import { CREDENTIAL_TYPE, importExamples, type CredentialReference } from './examples';
import { runFirstExample, runMoreExamples, tellTables, type N8nWithExamples } from './firstRun';
import { startN8n, takePorts, type N8nHost } from './host';
import { ensureN8n } from './install';
import { startKeptSandbox } from './keptSandbox';
import { readOptions, USAGE, type StartOptions } from './options';
import { keptOwner } from './owner';
import { compileOnSave, dataFolder, installTarball, packNode } from './package';
import { endAll, lastLines } from './process';
import { consoleReport } from './report';
import { N8nError, type Owner } from './session';

const END_GRACE_MS = 15_000;

const CREDENTIAL = 'Business Listing Search account';

const report = consoleReport();
let sandbox: Sandbox | undefined;
let ending: Promise<void> | undefined;
/** The exit code of Ctrl-C: 130, as usual for an interrupted command, until everything is running. */
let interruptedCode = 130;

interface Started extends N8nWithExamples {
	host: N8nHost;
	owner: Owner;
}

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options === undefined) {
		report(USAGE);
		return 0;
	}
	// A table of the sandbox must not lead to requests to the account, nor the other way round.
	const folder = join(dataFolder, options.account ? 'account' : 'sandbox');
	const started = await start(options, folder);
	tellWhere(started);
	const { succeeded, address } = await runFirstExample(started, options.account, report);
	if (options.account === undefined) await runMoreExamples(started, report);
	await tellTables(started.client, report);
	if (options.once) return succeeded ? 0 : 1;

	interruptedCode = 0;
	report(`
Everything is running. See the first example, with the email and password above:
  ${address}
Press Ctrl-C to stop it.`);
	// Last, because n8n reloads the node for what the compiler writes at its start.
	if (options.dev) await compileOnSave(folder);
	const { ended, logFile } = started.host;
	await ended;
	// After Ctrl-C this is expected.
	if (ending !== undefined) return await new Promise<never>(() => {});
	throw new Error(
		`n8n stopped unexpectedly. The end of its log (${logFile}):\n${lastLines(logFile)}`,
	);
}

/** Builds, installs and starts everything, and imports the credential and the examples into n8n. */
async function start(options: StartOptions, folder: string): Promise<Started> {
	// A port in use, as by an earlier `npm start`, must show now, not after minutes of installing.
	await takePorts(options.port);
	await openFolder(folder);
	await ensureN8n(report);
	await installTarball(await packNode(report), folder);
	const owner = await keptOwner(join(folder, 'owner.json'));

	if (options.account === undefined) {
		sandbox = await startKeptSandbox(join(folder, 'sandbox.json'), report);
	}
	report('Starting n8n.');
	const host = await startN8n({
		userFolder: folder,
		port: options.port,
		report,
		...(options.dev && { env: { N8N_DEV_RELOAD: 'true' } }),
	});
	const client = new N8nClient(host.address);
	await logIn(client, owner, folder);
	const credential = await keepCredential(client, options.account);
	return { host, client, owner, workflows: await importExamples(client, credential) };
}

/** Creates the folder if it is not there, for its user only. */
async function openFolder(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await chmod(dataFolder, 0o700);
	} catch (error) {
		if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
		throw new Error(
			`${dataFolder} belongs to another user. Run the command as that user, or in a clone of your own.`,
		);
	}
}

async function logIn(client: N8nClient, owner: Owner, folder: string): Promise<void> {
	try {
		await client.setUpOwner(owner);
	} catch (error) {
		if (!(error instanceof N8nError && error.status === 401)) throw error;
		throw new Error(
			`n8n does not accept the password of ${owner.email} in ${join(folder, 'owner.json')}. Enter the current password there, or delete ${folder} to start from scratch.`,
		);
	}
}

/** Creates the credential, or updates the one of an earlier `npm start`: the address or the key may be new. */
async function keepCredential(
	client: N8nClient,
	account: StartOptions['account'],
): Promise<CredentialReference> {
	const { baseUrl, apiKey } = account ?? {
		baseUrl: sandbox?.address ?? '',
		apiKey: sandbox?.key ?? '',
	};
	const [type, name] = [CREDENTIAL_TYPE, CREDENTIAL];
	const known = (await client.listCredentials()).find(
		(one) => one.type === type && one.name === name,
	);
	// The user may have changed the key's format to suit the account; the sandbox accepts only one.
	const kept = account && known && (await client.credentialData(known.id)).keyFormat;
	const credential = { name, type, data: { baseUrl, apiKey, keyFormat: kept ?? 'documented' } };
	if (known !== undefined) await client.updateCredential(known.id, credential);
	return { id: known?.id ?? (await client.createCredential(credential)), name };
}

/** The address leads to the workflows: n8n's own first page is about its assistant. */
function tellWhere({ host, owner, workflows }: Started): void {
	const names = [...workflows.values()].map(({ name }) => `"${name}"`);
	report(`
  Editor      ${host.address}/home/workflows
  Email       ${owner.email}
  Password    ${owner.password}${
		sandbox
			? `
  Sandbox     ${sandbox.address}
  API Key     ${sandbox.key}`
			: ''
	}
  Credential  ${CREDENTIAL}
  Workflows   ${names.join(', ')}
`);
}

/** Stops everything that was started, once. */
function endEverything(): Promise<void> {
	ending ??= Promise.all([endAll(END_GRACE_MS), sandbox?.stop()]).then(() => {});
	return ending;
}

/** The message of an error. After an unknown option, it lists the known ones. */
function explain(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { code, message } = error as NodeJS.ErrnoException;
	return code?.startsWith('ERR_PARSE_ARGS') ? `${message}\n\n${USAGE}` : message;
}

function interrupt(): void {
	if (ending !== undefined) return;
	report('\nStopping.');
	void endEverything().then(() => process.exit(interruptedCode));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

whenNpmEnds(interrupt);

main()
	.then(async (code) => {
		await endEverything();
		process.exit(code);
	})
	.catch(async (error: unknown) => {
		// Failures during shutdown are expected.
		if (ending !== undefined) return;
		report(explain(error));
		await endEverything();
		process.exit(1);
	});
