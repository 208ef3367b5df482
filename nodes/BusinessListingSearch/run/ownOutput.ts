import type { RunContext } from './task';

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
