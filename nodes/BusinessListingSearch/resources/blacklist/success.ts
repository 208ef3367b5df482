import type { IDataObject } from 'n8n-workflow';

import {
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../../shared/http/response';

/**
 * Reads the response to a call that changes a blacklist: `{ success }` (service interface, section 4,
 * rules 3 and 5).
 *
 * @throws Failure when `success` is false, or missing
 */
export function readSuccess(response: ServiceResponse): void {
	const { success } = (response.body ?? {}) as IDataObject;
	if (success === true) return;
	throw success === false
		? unsuccessfulResponse(response)
		: unexpectedResponse(response, '"success"');
}
