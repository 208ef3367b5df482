import type { Credential, RequestContext } from '../service/credential';
import { ENDPOINTS } from '../service/endpoints';
import type { ConnectionOptions } from '../service/exchange';
import { parseUsage, type Usage } from '../service/usage';
import type { Requester } from './requester';

/**
 * Reads the usage of an account.
 *
 * @param options how the request reaches the service; by default as in n8n
 * @returns as `parseUsage` does
 * @throws Failure or Stopped as the requester does, and Failure for an undocumented response
 */
export async function requestUsage(
	requester: Requester,
	context: RequestContext,
	credential: Credential,
	options: ConnectionOptions = {},
): Promise<Usage> {
	const { method, path: url } = ENDPOINTS.getUsage;
	return parseUsage(await requester.request(context, { ...options, method, url }, credential));
}
