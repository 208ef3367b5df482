import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Form } from '../../shared/input';
import type { RunContext } from './task';

/** How the node was filled in, which is the same for all its items. */
export function formOf(context: IExecuteSingleFunctions): Form {
	return {
		entered: (name) => context.getNodeParameter(name, '', { rawExpressions: true }),
		isTool: () => isAgentTool(context),
	};
}

/** An AI agent never sees what its tool throws, so an output item tells it what to correct. */
export function isAgentTool(context: RunContext): boolean {
	return context.getNode().type.endsWith('Tool');
}
