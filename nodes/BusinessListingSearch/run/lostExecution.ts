import type { RunContext } from './task';

/**
 * Whether this is the retry of an execution that n8n lost: it was killed, and rebuilt the execution from its
 * event log. What the execution had done is not known, and its retry starts from the trigger. n8n puts an
 * item of its own in place of what a finished node had returned, here of the node before this one.
 */
export function isOfLostExecution(context: RunContext): boolean {
	if (context.getMode() !== 'retry') return false;
	try {
		const { $prevNode, $ } = context.getWorkflowDataProxy(0);
		const [item] = $($prevNode.name).all(0, 0);
		return item.json.isArtificialRecoveredEventItem === true;
	} catch {
		// There is no such node, or it has no first run: not to be seen.
		return false;
	}
}
