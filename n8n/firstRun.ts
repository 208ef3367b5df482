import type { IDataObject } from 'n8n-workflow';
import type { N8nClient, StoredWorkflow, Workflow } from './client';
import { createTables, isOwn, type NamedWorkflow } from './examples';
import { errorOf, type Execution } from './execution';
import type { StartOptions } from './options';
import type { Report } from './report';

/** The example that runs at every start with the sandbox, and what its table is filled with. */
const STARTUP_EXAMPLE = 'scheduled-lead-collection.json';
const KEYWORDS = ['dentist in Vienna', 'bakery in Graz', 'physiotherapist in Linz'];
/** Another one, to show the cleaning of values. */
const BLACKLIST_EXAMPLE = 'customers-to-blacklist.json';
const CUSTOMERS = [
	'https://www.example.com/contact',
	'Ada <ADA@example.com>',
	'müller-bäckerei.example',
	'to be asked',
];
const FORM = 'form-that-creates-a-job.json';
const FORM_PATH = 'search-for-businesses';
const RUN_TIMEOUT_MS = 10 * 60_000;

/** An n8n with the examples in it. */
export interface N8nWithExamples {
	client: N8nClient;
	/** The workflows, by the name of their example's file. */
	workflows: Map<string, NamedWorkflow>;
}

interface FirstRun {
	/** Whether all is well: there are jobs, of this run or an earlier one, or none are wanted. */
	succeeded: boolean;
	/** The page of the editor that shows the run, or the workflow if it was not run. */
	address: string;
}

/**
 * With the sandbox, runs the first example and reports the jobs it created.
 * @param account the real account that is used in place of the sandbox: there, every job is the user's to order
 */
export async function runFirstExample(
	{ client, workflows }: N8nWithExamples,
	account: StartOptions['account'],
	report: Report,
): Promise<FirstRun> {
	const workflow = workflows.get(STARTUP_EXAMPLE);
	if (workflow === undefined) throw new Error(`examples/${STARTUP_EXAMPLE} does not exist.`);
	const address = `${client.address}/workflow/${workflow.id}`;
	if (account) {
		report(`No workflow was run, so no job was created on your account at ${account.baseUrl}.`);
		return { succeeded: true, address };
	}
	if (!workflow.isExample) {
		report(
			`"${workflow.name}" was not run: it differs from examples/${STARTUP_EXAMPLE}. Run it yourself, or rename it and start again to import the example.`,
		);
		return { succeeded: false, address };
	}
	const keywords = KEYWORDS.map((keyword) => ({ keyword }));
	const table = await fillIfEmpty(client, workflow, keywords);
	const execution = await run(client, workflow, report);
	const { jobIds, failures } = resultOf(execution, workflow);
	for (const jobId of jobIds) report(`  job_id  ${jobId}`);
	for (const failure of failures) report(`  not created: ${failure}`);
	const succeeded = errorOf(execution) === undefined && failures.length === 0;
	if (succeeded && jobIds.length === 0) {
		report(
			`  No new job was created: no keyword in the data table "${table}" is due. To search one again, clear "searched" there.`,
		);
	}
	return { succeeded, address: `${address}/executions/${execution.id}` };
}

/** Runs the example that fills a blacklist, and submits the form of another one. */
export async function runMoreExamples(
	{ client, workflows }: N8nWithExamples,
	report: Report,
): Promise<void> {
	const blacklist = workflows.get(BLACKLIST_EXAMPLE);
	if (blacklist?.isExample) {
		const customers = CUSTOMERS.map((customer) => ({ customer }));
		await fillIfEmpty(client, blacklist, customers);
		await run(client, blacklist, report);
	}
	const form = workflows.get(FORM);
	if (!form?.isExample) return;
	report(`Submitting the form of "${form.name}": ${client.address}/form/${FORM_PATH}`);
	await client.activate(form.id);
	await client.webhooks.submitForm(FORM_PATH, ['dentist in Vienna', '']);
}

/**
 * Enters rows in the first data table of a workflow, if it is empty.
 * @returns the table's name
 */
async function fillIfEmpty(
	client: N8nClient,
	workflow: Workflow,
	rows: IDataObject[],
): Promise<string | undefined> {
	const [table] = await createTables(client, workflow);
	if (table !== undefined && (await client.tables.rows(table)).length === 0) {
		await client.tables.insert(table, rows);
	}
	return table;
}

/** Reports the data tables and how many rows they have. */
export async function tellTables(client: N8nClient, report: Report): Promise<void> {
	const tables: string[] = [];
	for (const name of (await client.tables.ids()).keys()) {
		tables.push(`"${name}" (${(await client.tables.rows(name)).length})`);
	}
	if (tables.length === 0) return;
	report(`\n  Data tables ${client.address}/home/datatables\n  with rows   ${tables.join(', ')}`);
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
