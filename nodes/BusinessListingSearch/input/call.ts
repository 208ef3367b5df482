import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

/** The contexts in which n8n runs the node: for all items, or for one. */
export type RunContext = IExecuteFunctions | IExecuteSingleFunctions;

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
	/** How often the node has run in this execution before: n8n counts the passes of a loop. */
	runIndex: number;
	/** Whether an agent or an MCP client calls the node as a tool: n8n then adds `Tool` to its type. */
	isTool: boolean;
	/** Whether a failure becomes an item: with Continue, and for a model. */
	continues: boolean;
}
