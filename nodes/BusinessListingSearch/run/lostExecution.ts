import type { INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from './task';

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
