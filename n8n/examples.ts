import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { INode } from 'n8n-workflow';
import type { N8nClient, StoredWorkflow, Workflow } from './client';
import type { Column } from './dataTables';

export const CREDENTIAL_TYPE = 'businessListingSearchApi';

const NODE_TYPES = 'n8n-nodes-business-listing-search.';

const examplesFolder = resolve(__dirname, '..', 'examples');

/** A stored credential, as referenced by a workflow. */
export interface CredentialReference {
	id: string;
	name: string;
}

export async function readExample(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as Workflow;
}

/** The files of all examples, in alphabetical order. */
export async function exampleFiles(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

/** The workflow that has the name of an example. */
export interface NamedWorkflow extends StoredWorkflow {
	/** Whether it does what the example does, with the same credential. Else it is the user's own. */
	isExample: boolean;
}

/**
 * Imports every example with the credential set. An existing workflow of the same name is left
 * unchanged.
 * @returns the workflows, by the name of their example's file
 */
export async function importExamples(
	client: N8nClient,
	credential: CredentialReference,
): Promise<Map<string, NamedWorkflow>> {
	const present = (await client.listWorkflows()).filter(({ isArchived }) => !isArchived);
	const workflows = new Map<string, NamedWorkflow>();
	for (const file of await exampleFiles()) {
		const { nodes, connections, ...rest } = await readExample(file);
		const bound = nodes.map((node) =>
			isOwn(node) ? { ...node, credentials: { [CREDENTIAL_TYPE]: credential } } : node,
		);
		const known = present.find(({ name }) => name === rest.name);
		const workflow =
			known === undefined
				? await client.createWorkflow({ ...rest, nodes: bound, connections })
				: await client.getWorkflow(known.id);
		const isExample = isDeepStrictEqual(
			[workflow.nodes, workflow.connections],
			[bound, connections],
		);
		workflows.set(file, { ...workflow, isExample });
	}
	return workflows;
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
