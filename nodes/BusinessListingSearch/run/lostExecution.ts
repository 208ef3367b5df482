import type { NodeTypeAndVersion } from 'n8n-workflow';

import { KEY, contextOf } from './ledger';
import type { RunContext } from './task';

const FILTER = 'n8n-nodes-base.filter';

/**
 * Whether this is the retry of an execution that n8n lost: it was killed, and rebuilt the execution from its
 * event log. What the execution had done is not known, and its retry starts from the trigger. n8n puts an
 * item of its own in place of what each finished node had returned.
 *
 * A person goes on with a new Filter before this node, which leaves out what was done: it is not rebuilt, but a node
 * before it is. One that is behind this node, later in the same loop, is none.
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
		if (type !== FILTER || disabled || !$(filter).isExecuted || isRebuilt(filter)) return false;
		const beforeFilter = context.getParentNodes(filter).map((node) => node.name);
		return beforeFilter.some(isRebuilt) && !beforeFilter.includes(name);
	};
	if (before.some(isNewFilter)) return false;
	if (isRebuilt($prevNode.name)) return true;
	return before.some((node) => isRebuilt(node.name)) && hadBegun(context, name);
}

/** Whether the execution that n8n lost has a run of this node, even an empty one: asked in the node's first pass. */
function hadBegun(context: RunContext, name: string): boolean {
	const kept = (contextOf(context, 'flow')[KEY] ??= {}) as Record<string, boolean>;
	kept[name] ??= context.getWorkflowDataProxy(0).$(name).isExecuted as boolean;
	return kept[name];
}
