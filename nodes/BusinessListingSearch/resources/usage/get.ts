import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Answer } from '../../transport/answer';
import { unexpectedAnswer } from '../../transport/answer';
import type { RequestContext } from '../../transport/exchange';
import type { Requester } from '../../transport/requester';
import { prepared, received } from '../../transport/send';
import { readBoolean } from '../input';

const USAGE = { method: 'GET', url: '/api/v1/usage' } as const;

/** Usage (service interface, sections 2 and 4). */
export const getUsageRouting: INodePropertyRouting = {
	request: USAGE,
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

/** The usage of an account; `remaining` is a text where the service sends no digits. */
export interface Usage extends IDataObject {
	plan: string;
	remaining: number | string;
}

/**
 * Asks for the usage where it is needed for something else.
 *
 * @param timeout for the answer, in milliseconds; n8n's own where there is none
 * @throws Failure, Refusal or Stopped as the requester does, and Failure for an undocumented answer
 */
export async function requestUsage(
	requester: Requester,
	context: RequestContext,
	timeout?: number,
): Promise<Usage> {
	return simplifyUsage(await requester.request(context, { ...USAGE, timeout }));
}

/**
 * Reads the answer of Usage as it is.
 *
 * @throws Failure when it names no plan or no remaining requests
 */
export function readUsage(answer: Answer): Usage {
	const usage = (answer.body ?? {}) as Usage;
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
export function simplifyUsage(answer: Answer): Usage {
	const { plan, remaining } = readUsage(answer);
	const isExact = /^\d+$/.test(String(remaining)) && Number.isSafeInteger(Number(remaining));
	return { plan, remaining: isExact ? Number(remaining) : remaining };
}
