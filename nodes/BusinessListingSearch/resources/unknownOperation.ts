import { Failure } from '../../shared/errors/failure';
import { quote } from '../../shared/text';
import { routingOf } from '../run/carryOut';

/**
 * The routing of "Resource", which that of every operation replaces. It sends nothing, and refuses what has no
 * routing: a resource or an operation that does not exist, and Add Many Items, which is a custom operation, where an
 * AI agent or Engine 2.0 runs the node as a declarative one.
 */
export const refuseUnknown = routingOf({
	method: 'GET',
	path: '/',
	bodyOf(_built, item) {
		const resource = item.parameter('Resource', 'resource', '');
		// n8n drops the operation if the resource does not exist.
		const operation = item.parameter('Operation', 'operation', '');
		throw new Failure(
			`"Resource" or "Operation" does not exist here: ${quote(`${String(resource)} ${String(operation)}`.trim())}`,
			'These exist: job create, blacklist addItem, blacklist addItems (not as a tool, nor on Engine 2.0 of n8n), blacklist delete, blacklist getAll, usage get.',
		);
	},
	parserOf: () => () => [],
});
