import type { IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';
import type { Workflow } from '../n8n/client';
import { CREDENTIAL_TYPE } from '../n8n/examples';

/** The blacklist every candidate adds its rows to. */
export const BLACKLIST = 'bench';
/** How many requests may be in flight, for the candidates that can limit that. */
const CONCURRENCY = 10;
/** The name of the measured node. */
export const MEASURED = 'Measured';
const NODE_TYPE = 'n8n-nodes-business-listing-search.businessListingSearch';

export type CandidateKey =
	'a' | 'b' | 'c' | 'd' | 'd2' | 'n' | 'a0' | 'b0' | 'c0' | 'j' | 'f' | 'h';

/** One way to add the rows to a blacklist, or to create a job for each. */
export interface Candidate {
	title: string;
	/** The last node of the workflow. */
	node: Pick<INode, 'type' | 'typeVersion'> & {
		parameters: (address: string) => IDataObject;
	};
	/** All values in one input row instead of one row each. */
	fromOneRow?: true;
}

const thisNode = (parameters: IDataObject): Pick<Candidate, 'node'> => ({
	node: { type: NODE_TYPE, typeVersion: 1, parameters: () => parameters },
});

const addTo = (operation: string, parameters: IDataObject): Pick<Candidate, 'node'> =>
	thisNode({
		resource: 'blacklist',
		operation,
		blacklist: { __rl: true, mode: 'name', value: BLACKLIST },
		type: 'domain',
		...parameters,
	});

const addItem = (options: IDataObject) =>
	addTo('addItem', { value: '={{ $json.domain }}', options });

const addRows = (options: IDataObject) =>
	addTo('addItems', { values: '={{ $json.domain }}', options: { ...options, output: 'summary' } });

const addList = (options: IDataObject) => ({
	fromOneRow: true as const,
	...addTo('addItems', {
		values: '={{ $json.domains }}',
		options: { ...options, output: 'summary' },
	}),
});

const httpRequest = (
	path: string,
	jsonBody: string,
	options: IDataObject = {},
): Pick<Candidate, 'node'> => ({
	node: {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: (address) => ({
			method: 'POST',
			url: `${address}/api/v1/${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			sendBody: true,
			specifyBody: 'json',
			jsonBody,
			options,
		}),
	},
});

const httpAdd = (options?: IDataObject) =>
	httpRequest(`blacklist/${BLACKLIST}`, '={{ { type: "domain", value: $json.domain } }}', options);

/**
 * The candidates by their letter. The HTTP Request node cannot limit how many requests are in flight:
 * its batching only pauses after a number of starts, and an interval of 0 means no batching, so 1 ms
 * is the shortest.
 */
export const CANDIDATES: Record<CandidateKey, Candidate> = {
	a: { title: 'Add Item', ...addItem({ concurrency: CONCURRENCY }) },
	b: { title: 'Add Many Items, from rows', ...addRows({ concurrency: CONCURRENCY }) },
	c: { title: 'Add Many Items, from one list', ...addList({ concurrency: CONCURRENCY }) },
	d: {
		title: `HTTP Request, batches of ${CONCURRENCY} every 1 ms`,
		...httpAdd({ batching: { batch: { batchSize: CONCURRENCY, batchInterval: 1 } } }),
	},
	d2: { title: 'HTTP Request, no batching', ...httpAdd() },
	n: {
		title: 'No Operation (the same rows, no requests)',
		node: { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: () => ({}) },
	},
	a0: { title: 'Add Item, nothing set', ...addItem({}) },
	b0: { title: 'Add Many Items, from rows, nothing set', ...addRows({}) },
	c0: { title: 'Add Many Items, from one list, nothing set', ...addList({}) },
	j: {
		title: 'Job: Create, nothing set',
		...thisNode({ resource: 'job', operation: 'create', keyword: '={{ $json.domain }}' }),
	},
	f: {
		title: 'Job: Create, seven fields, three expressions',
		...thisNode({
			...{ resource: 'job', operation: 'create', keyword: '={{ $json.domain }}' },
			groupName: '={{ "leads " + $itemIndex % 9 }}',
			filters: { minRating: 4, minReviews: '={{ 10 + 1 }}', hasPhone: true },
			sort: { sortBy: 'rating', sortOrder: 'desc' },
		}),
	},
	h: {
		title: 'HTTP Request, a job for each row',
		...httpRequest('jobs', '={{ { keyword: $json.domain } }}'),
	},
};

/** The path of a candidate's webhook. */
export function webhookPath(key: CandidateKey): string {
	return `bench-${key}`;
}

/**
 * The workflow of a candidate. Its webhook takes the number of rows, and responds when the run has
 * ended. One expression creates all values and Split Out makes rows of them: no task runner, no large
 * request, and as little work per row as possible.
 *
 * @param address the service's base address
 * @param credential the stored credential
 */
export function workflowOf(
	key: CandidateKey,
	address: string,
	credential: { id: string; name: string },
): Workflow {
	const { title, node, fromOneRow } = CANDIDATES[key];
	const webhook = step('Start', 'n8n-nodes-base.webhook', 2.1, {
		httpMethod: 'POST',
		path: webhookPath(key),
		responseMode: 'lastNode',
		responseData: 'noData',
	});
	const values = step('Values', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput:
			'={{ { domains: Array.from({ length: $json.body.rows }, (_, i) => "site-" + (i + 1) + ".example.com") } }}',
	});
	const rows = step('Rows', 'n8n-nodes-base.splitOut', 1, {
		fieldToSplitOut: 'domains',
		options: { destinationFieldName: 'domain' },
	});
	const measured = {
		...step(MEASURED, node.type, node.typeVersion, node.parameters(address)),
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	return chain(`Bench ${key}: ${title}`, [
		webhook,
		values,
		...(fromOneRow ? [] : [rows]),
		measured,
	]);
}

function step(name: string, type: string, typeVersion: number, parameters: IDataObject): INode {
	return {
		id: name,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
}

function chain(name: string, nodes: INode[]): Workflow {
	const connections: Workflow['connections'] = {};
	for (const [index, { name: from }] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next) connections[from] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	// The default for a new workflow.
	const settings: IWorkflowSettings = { executionOrder: 'v1' };
	return {
		name,
		nodes: nodes.map((node, index) => ({ ...node, position: [220 * index, 0] })),
		connections,
		settings,
	};
}
