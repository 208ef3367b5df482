import type { IDataObject, INode, IPinData, IWorkflowBase } from 'n8n-workflow';

/** A workflow in n8n's export format: the same files run here and in the real n8n. */
export interface TestWorkflow {
	name: string;
	nodes: INode[];
	connections: IWorkflowBase['connections'];
	pinData?: IPinData;
	settings?: IWorkflowBase['settings'];
}

export const NODE_TYPE = 'n8n-nodes-business-listing-search.businessListingSearch';

/** The name of the node in every test workflow. */
export const TESTED_NODE = 'Business Listing Search';

/**
 * A workflow of a trigger with these items and the node with these parameters.
 *
 * @param settings of the node: `onError`, `retryOnFail` and the like
 */
export function workflowOf(
	parameters: INode['parameters'],
	items: IDataObject[] = [{}],
	settings: Partial<INode> = {},
): TestWorkflow {
	return {
		name: 'Test',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'node',
				name: TESTED_NODE,
				type: NODE_TYPE,
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials: { businessListingSearchApi: { id: '1', name: 'Account' } },
				...settings,
			},
		],
		connections: { Start: to(TESTED_NODE) },
		pinData: { Start: items.map((json) => ({ json })) },
	};
}

/** The connections of a node whose output leads to another one. */
export const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

/** Puts n8n's Loop Over Items around the node of `workflowOf`: so many items in each pass. */
export function inLoop({ nodes, ...workflow }: TestWorkflow, batchSize: number): TestWorkflow {
	const loop: INode = {
		...nodes[0]!,
		id: 'loop',
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize },
	};
	const connections = {
		Start: to('Loop'),
		Loop: { main: [[], ...to(TESTED_NODE).main] },
		[TESTED_NODE]: to('Loop'),
	};
	return { ...workflow, nodes: [...nodes, loop], connections };
}

/** A workflow with a webhook; the node gets each of the `items` in its body as `item`. */
export function onWebhook(
	path: string,
	parameters: INode['parameters'],
	settings: Partial<INode> = {},
): TestWorkflow {
	const workflow = workflowOf(parameters, [], settings);
	const [, tested] = workflow.nodes;
	return {
		name: path,
		nodes: [
			webhookAt(path),
			{
				id: 'split',
				name: 'Split Out',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				position: [0, 0],
				parameters: { fieldToSplitOut: 'body.items', options: { destinationFieldName: 'item' } },
			},
			tested!,
		],
		connections: {
			Webhook: to('Split Out'),
			'Split Out': to(tested!.name),
		},
	};
}

/** A webhook that responds once n8n has queued the execution. */
export function webhookAt(path: string): INode {
	return {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [-220, 0],
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
}

/** A workflow that starts with this package's trigger, with these parameters. */
export function triggerOf(parameters: INode['parameters']): TestWorkflow {
	return {
		name: 'Test',
		nodes: [
			{
				id: 'trigger',
				name: TESTED_NODE,
				type: `${NODE_TYPE}Trigger`,
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
				credentials: { businessListingSearchApi: { id: '1', name: 'Account' } },
			},
			{
				id: 'after',
				name: 'After',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { [TESTED_NODE]: to('After') },
	};
}
