import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { Refusal } from '../../shared/errors/failure';
import { quote } from '../../shared/input';
import { isAgentTool } from '../run/form';
import { routingOf } from '../run/items';

/** The choice that n8n adds to the operations of each node. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/**
 * The routing of "Resource", which that of every operation replaces. It sends nothing, and refuses what has
 * no routing: a resource or an operation that does not exist, and Add Many Items, which is a custom
 * operation, where one of n8n's AI agents runs the node as a declarative one.
 *
 * @param resources the fields of each resource; the first one is "Operation"
 */
export function refuseUnknown(resources: Record<string, INodeProperties[]>): INodePropertyRouting {
	return routingOf({
		method: 'GET',
		path: '/',
		completeRequest() {
			const resource = String(this.getNodeParameter('resource', ''));
			const operation = this.getNodeParameter('operation', '');
			const [field] = Object.hasOwn(resources, resource) ? resources[resource]! : [];
			if (!field) {
				throw new Refusal(
					`"Resource" does not exist: ${quote(resource)}`,
					`Choose one of these: ${Object.keys(resources).join(', ')}.`,
				);
			}
			const operations = (field.options ?? []).flatMap((choice) =>
				'value' in choice && choice.value !== CUSTOM_API_CALL ? [String(choice.value)] : [],
			);
			if (operations.includes(String(operation))) {
				throw isAgentTool(this)
					? new Refusal(
							'"Add Many Items" cannot be run as a tool',
							'Set "Operation" to "Add Item", and call the tool once for each value.',
						)
					: new Refusal(
							'"Add Many Items" runs neither as a tool nor on Engine 2.0 of n8n',
							'Set "Operation" to "Add Item".',
						);
			}
			throw new Refusal(
				`"Operation" does not exist for ${resource}: ${quote(operation)}`,
				`Choose one of these: ${operations.join(', ')}.`,
			);
		},
		parse: () => [],
	});
}
