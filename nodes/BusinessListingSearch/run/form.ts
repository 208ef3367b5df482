import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Form } from '../../shared/input';
import type { RunContext } from './task';

/** How the node was filled in, which is the same for all its items. */
export function formOf(context: IExecuteSingleFunctions): Form {
	return {
		entered: (name) => context.getNodeParameter(name, '', { rawExpressions: true }),
	};
}

/** Whether an agent runs the node as a tool: n8n then adds `Tool` to its type. */
export function isAgentTool(context: RunContext): boolean {
	return context.getNode().type.endsWith('Tool');
}
