import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Form } from '../../shared/input';
import { isAgentTool } from '../run/items';

/** How the node was filled in, which is the same for all its items. */
export function formOf(context: IExecuteSingleFunctions): Form {
	return {
		entered: (name) => context.getNodeParameter(name, '', { rawExpressions: true }),
		isTool: () => isAgentTool(context),
	};
}
