import type { IContextObject, NodeTypeAndVersion } from 'n8n-workflow';

import type { Call, Input, RunContext } from '../input/call';

/*
 * What is read off n8n, and what is concluded from it. The list of reliances (test/reliances) has a line for each: the
 * file to open when n8n changes.
 */

/** A call of the node, as n8n describes it. */
export function callOf(context: RunContext, inputs: Input[]): Call {
	const node = context.getNode();
	const isTool = node.type.endsWith('Tool');
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	return { context, node, inputs, isTool, continues: continuesIn(context), runIndex };
}

/**
 * Whether a failure becomes an item: with Continue, and for a model. Older files store Continue as
 * `continueOnFail`: n8n's engine reads both (WorkflowExecute.processRunExecutionData of n8n-core 2.41), its
 * context only "On Error".
 */
export function continuesIn(context: RunContext): boolean {
	const { type, continueOnFail } = context.getNode();
	return type.endsWith('Tool') || continueOnFail === true || context.continueOnFail();
}

/** Whether it is a tool that an MCP client has called. */
export function isMcpCall(context: RunContext): boolean {
	return context.getExecuteData().node.type === '@n8n/n8n-nodes-langchain.mcpTrigger';
}

/**
 * Whether the input is the node's own output, led back into it. What fails would come back, and be sent, for ever. Then
 * the node returns nothing: an error item would come back as well, and with Continue a declarative node cannot fail.
 * Only n8n's log says so.
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
	const { $ } = context.getWorkflowDataProxy(0);
	// For a tool, the node of its agent.
	const { name } = context.getExecuteData().node;
	const nodes = [name, ...context.getParentNodes(name).map((node) => node.name)];
	return nodes.some((node) => {
		try {
			return $(node).first(0, 0).json.isArtificialRecoveredEventItem === true;
		} catch {
			// This node has not run.
			return false;
		}
	});
}

/** The node's context. */
export function nodeContextOf(context: RunContext): IContextObject {
	try {
		return context.getContext('node');
	} catch {
		// n8n's agents run a node without an execution, and so without a context: then nothing is kept.
		return {};
	}
}

/** Whether the node is in a loop: it comes after itself. */
export function isInLoop({ context, node }: Call): boolean {
	const before = context.getParentNodes(node.name).map(({ name }) => name);
	return context.getChildNodes(node.name).some(({ name }) => before.includes(name));
}

/** The trigger of a workflow that another one calls. */
const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';

/** n8n has this only since 1.123.21, and in n8n 2 since 2.6. */
type WithSettings = Partial<Pick<RunContext, 'getWorkflowSettings'>>;

/**
 * What a person retries.
 *
 * @returns `execution`, its number with the name of the workflow, if n8n saves it; `isCalled` if another workflow has
 * called this one
 */
export function retryOf(context: RunContext): { execution: string | undefined; isCalled: boolean } {
	const mode = context.getMode();
	const id = context.getExecutionId();
	// By default, n8n saves failed executions.
	const { saveDataErrorExecution, saveManualExecutions } =
		(context as WithSettings).getWorkflowSettings?.() ?? {};
	const isSaved =
		mode === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	// A retry hides the mode, so the trigger tells.
	const isTrigger = (node: NodeTypeAndVersion) =>
		node.type === CALLED && context.getWorkflowDataProxy(0).$(node.name).isExecuted;
	const isCalled =
		mode === 'integrated' ||
		(mode === 'retry' && context.getParentNodes(context.getNode().name).some(isTrigger));
	const execution = `execution ${id} of "${context.getWorkflow().name}"`;
	return { execution: id && isSaved ? execution : undefined, isCalled };
}
