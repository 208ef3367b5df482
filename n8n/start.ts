import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox';
import {
	errorOf,
	N8nClient,
	N8nError,
	type Execution,
	type Owner,
	type StoredWorkflow,
} from './client';
import {
	CREDENTIAL_TYPE,
	type CredentialReference,
	importExamples,
	keywordCount,
	resultOf,
	sentences,
	usesOnly,
} from './examples';
import { startN8n, type N8nHost } from './host';
import { ensureN8n } from './install';
import { readOptions, USAGE, type StartOptions } from './options';
import { keptOwner } from './owner';
import { dataFolder, installTarball, packNode } from './package';
import { endAll, lastLines } from './process';
import { consoleReport } from './report';

/** The example that runs at every start. */
const STARTUP_EXAMPLE = 'scheduled-lead-collection.json';
/** The examples that also run with the sandbox, where they cost nothing, to fill their tables. */
const SANDBOX_EXAMPLES = ['every-category-in-every-city.json', 'customers-to-blacklist.json'];
const FORM = 'form-that-creates-a-job.json';
const FORM_PATH = 'search-for-businesses';
const KEYWORDS_TABLE = 'Lead keywords';
const JOBS_TABLE = 'Lead jobs';
const RUN_TIMEOUT_MS = 10 * 60_000;
const END_GRACE_MS = 15_000;

const ACCOUNT = 'Business Listing Search account';
const SANDBOX = 'Business Listing Search sandbox';

const ownerFile = join(dataFolder, 'owner.json');
const runningFile = join(dataFolder, 'running.json');

const report = consoleReport();
let sandbox: Sandbox | undefined;
/** Whether this process has written the file that prevents a second start. */
let ownsRunningFile = false;
let ending: Promise<void> | undefined;
/** The exit code of Ctrl-C: 130, as usual for an interrupted command, until everything is running. */
let interruptedCode = 130;

/** What is running. */
interface Running {
	host: N8nHost;
	client: N8nClient;
	owner: Owner;
	credential: CredentialReference;
	workflows: Map<string, StoredWorkflow>;
}

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options === undefined) {
		report(USAGE);
		return 0;
	}
	const running = await start(options);
	tellWhere(running);
	const { created, address } = await runExample(running, options);
	if (options.account === undefined) await fillTables(running);
	await tellTables(running);
	if (options.once) return created ? 0 : 1;

	interruptedCode = 0;
	report(`
Everything is running. See the first example and its run, with the email and password above:
  ${address}
Press Ctrl-C to end it.`);
	await running.host.ended;
	// After Ctrl-C this is expected.
	if (ending !== undefined) return await new Promise<never>(() => {});
	const { logFile } = running.host;
	throw new Error(
		`n8n stopped unexpectedly. The end of its log (${logFile}):\n${lastLines(logFile)}`,
	);
}

/** Builds, installs and starts everything, and imports the credential and the examples into n8n. */
async function start(options: StartOptions): Promise<Running> {
	await mkdir(dataFolder, { recursive: true, mode: 0o700 });
	await chmod(dataFolder, 0o700);
	await refuseSecond();
	await ensureN8n(report);
	const tarball = await packNode(report);
	await installTarball(tarball, dataFolder);
	const owner = await keptOwner(ownerFile);

	sandbox = options.account ? undefined : await openSandbox(options.sandboxPort);
	report('Starting n8n.');
	const host = await startN8n({ userFolder: dataFolder, port: options.port });
	await writeFile(runningFile, JSON.stringify({ pid: process.pid, address: host.address }));
	ownsRunningFile = true;
	const client = new N8nClient(host.address);
	await logIn(client, owner);
	const credential = await keepCredential(client, options.account);
	const workflows = await importExamples(client, credential, [ACCOUNT, SANDBOX]);
	return { host, client, owner, credential, workflows };
}

/** Two instances of n8n cannot share a data folder. */
async function refuseSecond(): Promise<void> {
	try {
		const { pid, address } = JSON.parse(await readFile(runningFile, 'utf8')) as {
			pid: number;
			address: string;
		};
		process.kill(pid, 0);
		await fetch(`${address}/healthz`);
		throw new SecondStart(
			`It is already running at ${address} (process ${pid}). Use that one, or press Ctrl-C where it was started.`,
		);
	} catch (error) {
		// No such file, process or server: the other start has ended.
		if (error instanceof SecondStart) throw error;
	}
}

class SecondStart extends Error {}

async function openSandbox(port: number | undefined): Promise<Sandbox> {
	try {
		return await startSandbox({ port });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		throw new Error(
			`Port ${port} is already in use on this machine. Leave out --sandbox-port to use a free port.`,
		);
	}
}

async function logIn(client: N8nClient, owner: Owner): Promise<void> {
	try {
		await client.setUpOwner(owner);
	} catch (error) {
		if (!(error instanceof N8nError && error.status === 401)) throw error;
		throw new Error(
			`n8n does not accept the password of ${owner.email} in ${ownerFile}. Enter the current password there, or delete ${dataFolder} to start from scratch.`,
		);
	}
}

/** Creates the credential, or updates the one of an earlier start: the sandbox's key is new. */
async function keepCredential(
	client: N8nClient,
	account: StartOptions['account'],
): Promise<CredentialReference> {
	const name = account ? ACCOUNT : SANDBOX;
	const { baseUrl, apiKey } = account ?? {
		baseUrl: sandbox?.address ?? '',
		apiKey: sandbox?.key ?? '',
	};
	const present = (await client.listCredentials()).find(
		(one) => one.type === CREDENTIAL_TYPE && one.name === name,
	);
	if (present === undefined) {
		const data = { baseUrl, apiKey, keyFormat: 'documented' };
		return { id: await client.createCredential({ name, type: CREDENTIAL_TYPE, data }), name };
	}
	// The user may have changed the key's format to suit the account; the sandbox accepts only one.
	const kept = account && (await client.credentialData(present.id)).keyFormat;
	const data = { baseUrl, apiKey, keyFormat: kept ?? 'documented' };
	await client.updateCredential(present.id, { name, type: CREDENTIAL_TYPE, data });
	return { id: present.id, name };
}

/** The address leads to the workflows: n8n's own first page is about its assistant. */
function tellWhere({ host, owner, credential, workflows }: Running): void {
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
  Credential  ${credential.name}
  Workflows   ${names.join(', ')}
`);
}

/** What the first example's run left. */
interface FirstRun {
	/** Whether there are jobs, of this run or an earlier one that left nothing to do. */
	created: boolean;
	/** The page of the editor that shows the run, or the workflow if it was not run. */
	address: string;
}

/** Runs the example and prints the jobs it created. */
async function runExample(
	{ client, credential, host, workflows }: Running,
	{ account }: StartOptions,
): Promise<FirstRun> {
	const workflow = workflows.get(STARTUP_EXAMPLE);
	if (workflow === undefined) {
		report(`examples/${STARTUP_EXAMPLE} does not exist.`);
		return { created: false, address: `${host.address}/home/workflows` };
	}
	const address = `${host.address}/workflow/${workflow.id}`;
	if (!usesOnly(workflow, credential)) {
		report(
			`"${workflow.name}" was not run: a node in it does not use the credential "${credential.name}". Choose that credential in the node, or run the workflow yourself.`,
		);
		return { created: false, address };
	}
	if (account) {
		const count = (await rowCount(client, KEYWORDS_TABLE)) || keywordCount(workflow);
		report(
			`The workflow creates one job for each keyword (${count ?? 'as many as it has'}) that has none this month, on your account at ${account.baseUrl}.`,
		);
	}
	const execution = await run(client, workflow);
	const { jobIds, failures } = resultOf(execution, workflow);
	for (const jobId of jobIds) report(`  job_id  ${jobId}`);
	for (const failure of failures) report(`  not created: ${failure}`);
	const kept = await rowCount(client, JOBS_TABLE);
	const ended = errorOf(execution) === undefined;
	if (ended && jobIds.length === 0) {
		const last = execution.data.resultData.lastNodeExecuted ?? 'its start';
		report(
			`  No new job was created: the run ended at "${last}" with status ${execution.status}. The data table "${JOBS_TABLE}" has ${kept} jobs of earlier runs, with the sandbox or an account; delete a row there to search for its keyword again.`,
		);
	}
	return {
		created: jobIds.length > 0 || (ended && kept > 0),
		address: `${address}/executions/${execution.id}`,
	};
}

/** Runs a workflow by hand, and reports the error that it stopped on. */
async function run(client: N8nClient, workflow: StoredWorkflow): Promise<Execution> {
	report(`Running "${workflow.name}".`);
	const id = await client.runWorkflow(workflow.id);
	const execution = await client.waitForExecution(id, RUN_TIMEOUT_MS);
	const error = errorOf(execution);
	if (error !== undefined) {
		const where = error.node === undefined ? 'The run' : `The run stopped at "${error.node}"`;
		report(`  ${where}: ${sentences(error.message, error.description)}`);
	}
	return execution;
}

/** Runs the other examples that store something in data tables, and submits the form of one. */
async function fillTables({ client, credential, host, workflows }: Running): Promise<void> {
	for (const file of SANDBOX_EXAMPLES) {
		const workflow = workflows.get(file);
		if (workflow !== undefined && usesOnly(workflow, credential)) await run(client, workflow);
	}
	const form = workflows.get(FORM);
	if (form === undefined || !usesOnly(form, credential)) return;
	report(`Submitting the form of "${form.name}": ${host.address}/form/${FORM_PATH}`);
	await client.activate(form.id);
	await client.submitForm(FORM_PATH, ['dentist in Vienna']);
}

async function tellTables({ client, host }: Running): Promise<void> {
	const tables: string[] = [];
	for (const name of (await client.dataTables()).keys()) {
		tables.push(`"${name}" (${await rowCount(client, name)})`);
	}
	if (tables.length === 0) return;
	report(`\n  Data tables ${host.address}/home/datatables\n  with rows   ${tables.join(', ')}`);
}

/** How many rows a data table has; 0 if it does not exist. */
async function rowCount(client: N8nClient, table: string): Promise<number> {
	const isThere = (await client.dataTables()).has(table);
	return isThere ? (await client.dataTableRows(table)).length : 0;
}

/** Stops everything that was started, once. */
function endEverything(): Promise<void> {
	ending ??= (async () => {
		await Promise.all([endAll(END_GRACE_MS), sandbox?.stop()]);
		if (ownsRunningFile) await rm(runningFile, { force: true });
	})();
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
	report('\nEnding.');
	void endEverything().then(() => process.exit(interruptedCode));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

// A signal to npm ends npm and its shell, but does not reach this process.
const { ppid } = process;
if (process.env.npm_lifecycle_event === 'start') {
	setInterval(() => {
		if (process.ppid !== ppid) interrupt();
	}, 500).unref();
}

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
