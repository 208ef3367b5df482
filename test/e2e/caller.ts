import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { workflowOf } from '../support/workflowOf';
import { IS_N8N_1, n8n } from './n8n';

/**
 * Saves a workflow that calls another one, which has the node.
 *
 * @param mode whether it calls it once with all items, or once for each
 * @param settings of the node that calls it
 */
export async function saveCaller(
	parameters: INodeParameters,
	items: IDataObject[],
	{ mode = 'once', settings = {} }: { mode?: string; settings?: Partial<INode> } = {},
): Promise<{ id: string; subId: string }> {
	const { client, save } = n8n();
	const sub = { ...workflowOf(parameters), pinData: {} };
	Object.assign(sub.nodes[0]!, {
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	const subId = await save(sub);
	// In n8n 1, a workflow that is only called cannot be active.
	if (!IS_N8N_1) await client.activate(subId);
	const caller = workflowOf({}, items, settings);
	Object.assign(caller.nodes[1]!, {
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: subId }, mode, options: {} },
		credentials: {},
	});
	return { subId, id: await save(caller) };
}
