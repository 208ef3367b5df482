import type { IContextObject, INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';

import type { Call, Input, RunContext } from '../form/call';

/*
 * What is read off n8n, and what is concluded from it. The list of reliances (test/reliances) has a line for each: the
 * file to open when n8n changes.
 */

/** A call of the node, as n8n describes it. */
export function callOf(context: RunContext, inputs: Input[]): Call {
	const node = context.getNode();
	const isTool = node.type.endsWith('Tool');
	return { context, node, inputs, isTool, continues: isTool || context.continueOnFail() };
}

/** Whether it is a tool that an MCP client has called. */
export function isMcpCall(context: RunContext): boolean {
	return context.getExecuteData().node.type === '@n8n/n8n-nodes-langchain.mcpTrigger';
}

/**
 * Whether the input is the node's own output, led back into it. What fails would come back, and be sent, for ever. It
 * gives no item, not even one that says so: with Continue a declarative node cannot fail, and the item would come
 * back as well. n8n's log says it.
 */
export function comesFromItself(context: RunContext): boolean {
	const { name } = context.getNode();
	if (context.getExecuteData().source?.main?.[0]?.previousNode !== name) return false;
	context.logger.warn(
		`${name}: an output of this node leads back into it. These items were not sent, because they would come back for ever. Write them into a table, and run only these.`,
	);
	return true;
}

/**
 * Whether this is the retry of an execution that n8n lost: it was killed, and rebuilt the execution from its
 * event log. What the execution had done is not known, and its retry starts from the trigger. n8n puts an
 * item of its own in place of what each finished node had returned.
 */
export function isOfLostExecution(context: RunContext): boolean {
	if (context.getMode() !== 'retry') return false;
	const { $, $prevNode } = context.getWorkflowDataProxy(0);
	// Of a tool, its agent.
	const { name } = context.getExecuteData().node;
	const isRebuilt = (node: string): boolean => {
		try {
			return $(node).first(0, 0).json.isArtificialRecoveredEventItem === true;
		} catch {
			// There is no such node, or it has no first run.
			return false;
		}
	};
	if (isRebuilt($prevNode.name)) return true;
	const before = context.getParentNodes(name);
	if (!before.some((node) => isRebuilt(node.name)) || !$(name).isExecuted) return false;
	// The first run of this node was either rebuilt by n8n, or made by this retry in a loop. Only the latter has items,
	// also on the error output.
	const isOfThisRetry = [0, 1].some((output) => {
		try {
			return ($(name).all(output, 0) as INodeExecutionData[]).length > 0;
		} catch {
			return false;
		}
	});
	return !isOfThisRetry || isRebuilt(name);
}

/** The node's context. */
export function contextOf(context: RunContext): IContextObject {
	try {
		return context.getContext('node');
	} catch {
		// n8n's agents run a node without an execution, and so without a context: then nothing is kept.
		return {};
	}
}

/** How a person retries the execution. */
export interface Way {
	/** The way to n8n's Retry; undefined if n8n keeps no execution. */
	retry: string | undefined;
	/** Whether it is a test in the editor. */
	isTest: boolean;
	/** Whether another workflow called this one. */
	isCalled: boolean;
}

/** The trigger of a workflow that another one calls. */
const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';

/** n8n has this only since 1.123.21, and in n8n 2 since 2.6. */
type WithSettings = Partial<Pick<RunContext, 'getWorkflowSettings'>>;

export function retryOf(context: RunContext): Way {
	const mode = context.getMode();
	const execution = context.getExecutionId();
	// By default, n8n saves failed executions.
	const { saveDataErrorExecution, saveManualExecutions } =
		(context as WithSettings).getWorkflowSettings?.() ?? {};
	const isTest = mode === 'manual';
	const isSaved = isTest ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	// In a retry, only its trigger shows it.
	const isTrigger = (node: NodeTypeAndVersion) =>
		node.type === CALLED && context.getWorkflowDataProxy(0).$(node.name).isExecuted;
	const isCalled =
		mode === 'integrated' ||
		(mode === 'retry' && context.getParentNodes(context.getNode().name).some(isTrigger));
	const owner = isCalled ? ` of the workflow "${context.getWorkflow().name}"` : '';
	// This choice is right whether something was changed or not.
	const retry = `"Executions" > execution ${execution}${owner} > arrow at the top right > "Retry with currently saved workflow"`;
	return { retry: execution && isSaved ? retry : undefined, isTest, isCalled };
}
