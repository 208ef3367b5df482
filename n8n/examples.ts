import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { N8nClient, StoredWorkflow, Workflow } from './client';
import type { Column } from './dataTables';

/** The type of this package's credential. */
export const CREDENTIAL_TYPE = 'businessListingSearchApi';

const NODE_TYPES = 'n8n-nodes-business-listing-search.';

const examplesFolder = resolve(__dirname, '..', 'examples');

/** A stored credential, as referenced by a workflow. */
export interface CredentialReference {
	id: string;
	name: string;
}

/** Reads an example workflow from `examples/`. */
export async function readExample(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as Workflow;
}

/** The files of all examples, in alphabetical order. */
export async function exampleFiles(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

/**
 * Imports every example with the credential set. An existing workflow of the same name belongs to the
 * user and is left unchanged, except for nodes with a credential of an earlier start, so that no run
 * uses the wrong account.
 * @param earlier the names of the credentials of earlier starts
 * @returns the workflows, by the name of their example's file
 */
export async function importExamples(
	client: N8nClient,
	credential: CredentialReference,
	earlier: string[],
): Promise<Map<string, StoredWorkflow>> {
	const present = (await client.listWorkflows()).filter(({ isArchived }) => !isArchived);
	const workflows = new Map<string, StoredWorkflow>();
	for (const file of await exampleFiles()) {
		const example = await readExample(file);
		const known = present.find(({ name }) => name === example.name);
		workflows.set(
			file,
			known === undefined
				? await client.createWorkflow(withCredential(example, credential, () => true))
				: await rebound(client, await client.getWorkflow(known.id), credential, earlier),
		);
	}
	return workflows;
}

async function rebound(
	client: N8nClient,
	workflow: StoredWorkflow,
	credential: CredentialReference,
	earlier: string[],
): Promise<StoredWorkflow> {
	const bound = withCredential(
		workflow,
		credential,
		(used) => used !== undefined && used.id !== credential.id && earlier.includes(used.name),
	);
	if (bound.nodes.every((node, index) => node === workflow.nodes[index])) return workflow;
	return await client.updateWorkflow(workflow.id, { nodes: bound.nodes });
}

/** Sets the credential on the nodes of this package whose current one is to be replaced. */
function withCredential<T extends Workflow>(
	workflow: T,
	credential: CredentialReference,
	replace: (used: { id: string | null; name: string } | undefined) => boolean,
): T {
	const nodes = workflow.nodes.map((node) =>
		isOwn(node) && replace(node.credentials?.[CREDENTIAL_TYPE])
			? { ...node, credentials: { ...node.credentials, [CREDENTIAL_TYPE]: credential } }
			: node,
	);
	return { ...workflow, nodes };
}

/** Whether all nodes of this package in the workflow use this very credential. */
export function usesOnly(workflow: Workflow, credential: CredentialReference): boolean {
	return workflow.nodes
		.filter(isOwn)
		.every(({ credentials }) => credentials?.[CREDENTIAL_TYPE]?.id === credential.id);
}

/** Whether a node is one of this package. */
export function isOwn({ type }: INode): boolean {
	return type.startsWith(NODE_TYPES);
}

/** The data tables that a workflow creates if they are not there, with their columns. */
export function tablesOf({ nodes }: Workflow): Array<{ name: string; columns: Column[] }> {
	return nodes
		.filter(({ parameters }) => parameters.resource === 'table')
		.map(({ parameters: { tableName, columns } }) => ({
			name: tableName as string,
			columns: (columns as unknown as { column: Column[] }).column,
		}));
}

/**
 * Creates the data tables of a workflow that are not there, as its first run does.
 * @returns the names of all its tables
 */
export async function createTables({ tables }: N8nClient, workflow: Workflow): Promise<string[]> {
	const present = await tables.ids();
	const own = tablesOf(workflow);
	for (const { name, columns } of own) {
		if (!present.has(name)) await tables.create(name, columns);
	}
	return own.map(({ name }) => name);
}
