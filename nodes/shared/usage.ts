import type { IDataObject } from 'n8n-workflow';

import type { Requester } from './account/requester';
import type { Credential, RequestContext } from './http/credential';
import type { ConnectionOptions } from './http/exchange';
import { unexpectedResponse, type ServiceResponse } from './http/response';
import { wholeNumberIn } from './input';

/** The Usage request (service interface, sections 2 and 4). */
export const USAGE = {
	method: 'GET',
	url: '/api/v1/usage',
	documented: ['plan', 'remaining'],
} as const;

/** The usage of an account; `remaining` is a text if the service sends one that is not converted. */
export interface Usage extends IDataObject {
	plan: string;
	remaining: number | string;
}

/**
 * Reads the usage for comparisons. More lenient than the operation, because a guard that cannot read
 * a number guards nothing: `remaining` is a number if it is any whole number, with a sign, surrounding
 * spaces or a trailing `.0` allowed.
 *
 * @param options as for the requests it is compared for
 * @throws Failure, Refusal or Stopped as the requester does, and Failure for an undocumented response
 */
export async function requestUsage(
	requester: Requester,
	context: RequestContext,
	credential: Credential,
	options: ConnectionOptions = {},
): Promise<Usage> {
	const response = await requester.request(context, { ...options, ...USAGE }, credential);
	const { plan, remaining } = checkUsage(response);
	return { plan, remaining: wholeNumberIn(remaining) ?? remaining };
}

/**
 * Checks the response of Usage, and leaves it unchanged.
 *
 * @throws Failure when it names no plan or no remaining requests
 */
export function checkUsage(response: ServiceResponse): Usage {
	const usage = (response.body ?? {}) as Usage;
	const { plan, remaining } = usage;
	const isReadable = typeof remaining === 'string' || Number.isFinite(remaining);
	if (typeof plan !== 'string' || !isReadable) {
		throw unexpectedResponse(response, 'a "plan" and the "remaining" requests');
	}
	return usage;
}

/**
 * Reads the response of Usage: `{ plan, remaining }`, with `remaining` as a number if it is only
 * digits and exact; otherwise as the service sent it.
 *
 * @throws Failure as `checkUsage` does
 */
export function readUsage(response: ServiceResponse): Usage {
	const { plan, remaining } = checkUsage(response);
	const isExact = /^\d+$/.test(String(remaining)) && Number.isSafeInteger(Number(remaining));
	return { plan, remaining: isExact ? Number(remaining) : remaining };
}
