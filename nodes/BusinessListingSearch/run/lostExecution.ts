import type { INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';

import type { RunContext } from './task';

const FILTER = 'n8n-nodes-base.filter';

/**
 * Whether this is the retry of an execution that n8n lost: it was killed, and rebuilt the execution from its
 * event log. What the execution had done is not known, and its retry starts from the trigger. n8n puts an
 * item of its own in place of what each finished node had returned.
 *
 * A person goes on with a new Filter before this node, which leaves out what was done: it is not rebuilt, but a node
 * before it is. One that is behind this node, later in the same loop, is none. Each way that leads from a rebuilt node
 * to this one has to have one: what comes by another was perhaps done.
 */
export function isOfLostExecution(context: RunContext): boolean {
	if (context.getMode() !== 'retry') return false;
	const { $, $prevNode } = context.getWorkflowDataProxy(0);
	// Of a tool, its agent.
	const { name } = context.getExecuteData().node;
	const before = context.getParentNodes(name);
	const isRebuilt = (node: string): boolean => {
		try {
			return $(node).first(0, 0).json.isArtificialRecoveredEventItem === true;
		} catch {
			// There is no such node, or it has no first run.
			return false;
		}
	};
	const isNewFilter = ({ name: filter, type, disabled }: NodeTypeAndVersion) => {
		if (type !== FILTER || disabled || isRebuilt(filter)) return false;
		const beforeFilter = context.getParentNodes(filter).map((node) => node.name);
		return beforeFilter.some(isRebuilt) && !beforeFilter.includes(name);
	};
	const seen = new Set<string>();
	// Whether a way leads from a trigger to the node without a new Filter.
	const isOpen = (node: string): boolean => {
		if (seen.has(node)) return false;
		seen.add(node);
		const direct = context.getParentNodes(node, { depth: 1 });
		if (direct.length === 0) return $(node).isExecuted as boolean;
		return direct.some((each) => !isNewFilter(each) && isOpen(each.name));
	};
	// One of them has run; another one can stand in a branch that n8n takes later.
	const hasRun = before.some((node) => isNewFilter(node) && ($(node.name).isExecuted as boolean));
	if (hasRun && !isOpen(name)) return false;
	if (isRebuilt($prevNode.name)) return true;
	if (!before.some((node) => isRebuilt(node.name)) || !$(name).isExecuted) return false;
	// What n8n rebuilt of this node is its first run, if it had begun; in a loop it can also be a pass of this retry,
	// whose items can be on the error output.
	const isOfThisRetry = [0, 1].some((output) => {
		try {
			return ($(name).all(output, 0) as INodeExecutionData[]).length > 0;
		} catch {
			return false;
		}
	});
	return !isOfThisRetry || isRebuilt(name);
}
