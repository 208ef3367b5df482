import type { Credential, RequestContext } from '../service/credential';
import { ENDPOINTS } from '../service/endpoints';
import type { ConnectionOptions } from '../service/exchange';
import { comparable, parseUsage, type Usage } from '../service/usage';
import type { Requester } from './requester';

/**
 * Reads the usage of an account, to compare it. n8n's log says if that is not possible.
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
	const request = { ...options, method, url };
	const usage = parseUsage(await requester.request(context, request, credential));
	if (comparable(usage.remaining) === undefined) {
		context.logger.warn(
			`${context.getNode().name}: the service reports "${usage.remaining}" remaining requests, so no minimum and no threshold applies`,
		);
	}
	return usage;
}
