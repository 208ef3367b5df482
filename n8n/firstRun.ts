import type { N8nClient, StoredWorkflow, Workflow } from './client';
import { isOwn, usesOnly, type CredentialReference } from './examples';
import { errorOf, type Execution } from './execution';
import type { StartOptions } from './options';
import type { Report } from './report';

/** The example that runs at every start. */
const STARTUP_EXAMPLE = 'scheduled-lead-collection.json';
const JOBS_TABLE = 'Lead jobs';
/** The examples that also run with the sandbox, where they cost nothing, to fill their tables. */
const SANDBOX_EXAMPLES = ['every-category-in-every-city.json', 'customers-to-blacklist.json'];
const FORM = 'form-that-creates-a-job.json';
const FORM_PATH = 'search-for-businesses';
const RUN_TIMEOUT_MS = 10 * 60_000;

/** An n8n with the examples in it. */
export interface N8nWithExamples {
	client: N8nClient;
	credential: CredentialReference;
	/** The workflows, by the name of their example's file. */
	workflows: Map<string, StoredWorkflow>;
}

/** What the first example's run left. */
interface FirstRun {
	/** Whether there are jobs, of this run or an earlier one that left nothing to do. */
	created: boolean;
	/** The page of the editor that shows the run, or the workflow if it was not run. */
	address: string;
}

/**
 * Runs the first example and reports the jobs it created.
 * @param account the real account that it uses, if it does not use the sandbox
 */
export async function runFirstExample(
	{ client, credential, workflows }: N8nWithExamples,
	account: StartOptions['account'],
	report: Report,
): Promise<FirstRun> {
	const workflow = workflows.get(STARTUP_EXAMPLE);
	if (workflow === undefined) throw new Error(`examples/${STARTUP_EXAMPLE} does not exist.`);
	const address = `${client.address}/workflow/${workflow.id}`;
	if (!usesOnly(workflow, credential)) {
		report(
			`"${workflow.name}" was not run: a node in it does not use the credential "${credential.name}". Choose that credential in the node, or run the workflow yourself.`,
		);
		return { created: false, address };
	}
	if (account) {
		report(
			`The workflow creates one job for each keyword that has none this month, on your account at ${account.baseUrl}.`,
		);
	}
	const execution = await run(client, workflow, report);
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

/** Runs the other examples that store something in data tables, and submits the form of one. */
export async function fillTables(
	{ client, credential, workflows }: N8nWithExamples,
	report: Report,
): Promise<void> {
	for (const file of SANDBOX_EXAMPLES) {
		const workflow = workflows.get(file);
		if (workflow !== undefined && usesOnly(workflow, credential)) {
			await run(client, workflow, report);
		}
	}
	const form = workflows.get(FORM);
	if (form === undefined || !usesOnly(form, credential)) return;
	report(`Submitting the form of "${form.name}": ${client.address}/form/${FORM_PATH}`);
	await client.activate(form.id);
	await client.webhooks.submitForm(FORM_PATH, ['dentist in Vienna']);
}

/** Reports the data tables and how many rows they have. */
export async function tellTables(client: N8nClient, report: Report): Promise<void> {
	const tables: string[] = [];
	for (const name of (await client.tables.ids()).keys()) {
		tables.push(`"${name}" (${await rowCount(client, name)})`);
	}
	if (tables.length === 0) return;
	report(`\n  Data tables ${client.address}/home/datatables\n  with rows   ${tables.join(', ')}`);
}

/** How many rows a data table has; 0 if it does not exist. */
async function rowCount(client: N8nClient, table: string): Promise<number> {
	const isThere = (await client.tables.ids()).has(table);
	return isThere ? (await client.tables.rows(table)).length : 0;
}

/** Runs a workflow by hand, and reports the error that it stopped on. */
async function run(
	client: N8nClient,
	workflow: StoredWorkflow,
	report: Report,
): Promise<Execution> {
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

/** The jobs and the failed items in the output of this package's nodes, each failure in words. */
function resultOf(
	execution: Execution,
	{ nodes }: Workflow,
): { jobIds: string[]; failures: string[] } {
	const items = nodes
		.filter(isOwn)
		.flatMap(({ name }) => execution.data.resultData.runData[name] ?? [])
		.flatMap(({ data }) => data?.main ?? [])
		.flatMap((branch) => branch ?? [])
		.map(({ json }) => json);
	return {
		jobIds: items.map(({ job_id }) => job_id).filter((id) => typeof id === 'string'),
		failures: items
			.filter(({ error }) => typeof error === 'string')
			.map(({ error, message }) => sentences(error, message)),
	};
}

/** Joins what happened and what to do. */
function sentences(...parts: unknown[]): string {
	return parts
		.filter((part) => typeof part === 'string' && part !== '')
		.map((part) => (/[.!?]$/.test(String(part)) ? part : `${String(part)}.`))
		.join(' ');
}
