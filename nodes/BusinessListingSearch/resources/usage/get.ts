import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Answer } from '../../transport/answer';
import { unexpectedAnswer } from '../../transport/answer';
import { prepared, received } from '../../transport/send';
import { readBoolean } from '../input';

/** Usage (service interface, sections 2 and 4). */
export const getUsageRouting: INodePropertyRouting = {
	request: { method: 'GET', url: '/api/v1/usage' },
	send: {
		paginate: true,
		preSend: [
			prepared(function () {
				readBoolean('Simplify', this.getNodeParameter('simple'));
			}),
		],
	},
	output: {
		postReceive: [
			received(function (answer) {
				const isSimple = readBoolean('Simplify', this.getNodeParameter('simple'));
				return [isSimple ? simplifyUsage(answer) : readUsage(answer)];
			}),
		],
	},
};

export const getUsageFields: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simple',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { show: { resource: ['usage'], operation: ['get'] } },
	},
];

/**
 * Reads the answer of Usage as it is.
 *
 * @throws Failure when it names no plan or no remaining requests
 */
export function readUsage(answer: Answer): IDataObject {
	const usage = (answer.body ?? {}) as IDataObject;
	const { plan, remaining } = usage;
	if (typeof plan !== 'string' || !['string', 'number'].includes(typeof remaining)) {
		throw unexpectedAnswer(answer, 'a "plan" and the "remaining" requests');
	}
	return usage;
}

/**
 * `{ plan, remaining }`, with `remaining` as a number where it is digits and a number is exact;
 * otherwise it stays the text the service sent.
 */
export function simplifyUsage(answer: Answer): IDataObject {
	const { plan, remaining } = readUsage(answer);
	const isExact = /^\d+$/.test(String(remaining)) && Number.isSafeInteger(Number(remaining));
	return { plan, remaining: isExact ? Number(remaining) : remaining };
}
