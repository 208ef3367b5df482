import { NodeApiError, type INode, type INodeExecutionData } from 'n8n-workflow';

import { asErrorItem, asNodeError, explanationOf, told } from '../../shared/errors/explain';
import { Stopped } from '../../shared/pacing/requester';
import { comesFromItself } from './ownOutput';
import type { RunContext } from './task';

/** An input item, by its index. */
export interface Input {
	index: number;
	item: INodeExecutionData;
}

/** A call of the node by n8n. All is read once, because n8n copies the node each time. */
export interface Call {
	context: RunContext;
	node: INode;
	inputs: Input[];
	/** Whether an agent or an MCP client calls the node as a tool: n8n then adds `Tool` to its type. */
	isTool: boolean;
	/** Whether a failure becomes an item: with Continue, and for a model. */
	continues: boolean;
}

/**
 * Answers a call of the node. With Continue nothing is thrown, whatever happens: n8n would pass on the input as if it
 * had succeeded (WorkflowExecute.processRunExecutionData of n8n-core 2.41 and 1.122).
 *
 * @returns the output items; none for a stopped run
 * @throws NodeApiError without Continue
 */
export async function answer(
	context: RunContext,
	inputs: Input[],
	work: (call: Call) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const isTool = node.type.endsWith('Tool');
	const continues = isTool || context.continueOnFail();
	try {
		if (inputs.length === 0 || comesFromItself(context)) return [];
		return await work({ context, node, inputs, isTool, continues });
	} catch (error) {
		if (error instanceof Stopped) return [];
		const shown = told(explanationOf(error));
		const thrown = error instanceof NodeApiError ? error : asNodeError(node, shown);
		if (!continues) throw thrown;
		return inputs.map(({ index }) => asErrorItem(shown, index));
	}
}
