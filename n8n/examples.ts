import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Execution, N8nClient, StoredWorkflow, Workflow } from './client';

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

/** Whether the notes of an example say that it needs n8n 2.x. */
export function needsN8n2({ nodes }: Workflow): boolean {
	return nodes.some(({ parameters }) => String(parameters.content).includes('n8n 2.x'));
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

/**
 * The number of keywords in the example's node "First Keywords" (a list written as JSON); undefined when
 * the user has changed it to something else.
 */
export function keywordCount({ nodes }: Workflow): number | undefined {
	const node = nodes.find(({ name }) => name === 'First Keywords');
	const { assignments } = (node?.parameters.assignments ?? {}) as {
		assignments?: Array<{ value?: unknown }>;
	};
	try {
		const keywords: unknown = JSON.parse(String(assignments?.[0]?.value));
		return Array.isArray(keywords) ? keywords.length : undefined;
	} catch {
		return undefined;
	}
}

/** The output of this package's nodes in a run. */
export interface RunResult {
	jobIds: string[];
	/** The explanation of each failed item. */
	failures: string[];
}

/** Reads the jobs and the failed items from the output of this package's nodes. */
export function resultOf(execution: Execution, { nodes }: Workflow): RunResult {
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
export function sentences(...parts: unknown[]): string {
	return parts
		.filter((part) => typeof part === 'string' && part !== '')
		.map((part) => (/[.!?]$/.test(String(part)) ? part : `${String(part)}.`))
		.join(' ');
}

function isOwn({ type }: INode): boolean {
	return type.startsWith(NODE_TYPES);
}
