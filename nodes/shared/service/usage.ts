import type { IDataObject } from 'n8n-workflow';

import { unexpectedResponse, type ServiceResponse } from './response';

/** The usage of an account; `remaining` as the service sends it if it is not a count. */
export interface Usage extends IDataObject {
	plan: string;
	remaining: number | string;
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
 * Parses the response of Usage: `{ plan, remaining }`, with `remaining` as a number if it is a whole one and exact;
 * otherwise as the service sent it.
 *
 * @throws Failure as `checkUsage` does
 */
export function parseUsage(response: ServiceResponse): Usage {
	const { plan, remaining } = checkUsage(response);
	return { plan, remaining: comparable(remaining) ?? remaining };
}

/**
 * The remaining requests as a number, negative if the account is overdrawn; undefined for anything else, whose meaning
 * is not documented.
 */
export function comparable(remaining: Usage['remaining']): number | undefined {
	const isExact = /^-?\d+$/.test(String(remaining)) && Number.isSafeInteger(Number(remaining));
	return isExact ? Number(remaining) : undefined;
}
