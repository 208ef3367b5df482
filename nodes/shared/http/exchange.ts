import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Refusal } from '../refusal';
import type { Stop } from '../stop';
import { LONGEST_DELAY } from '../time';
import { toFailure } from './thrown';
import { CREDENTIAL, type Credential, type RequestContext } from './credential';
import { Deadline } from './deadline';
import { Failure } from './failure';
import { reasonOfStatus } from './outcomes';
import {
	parseBody,
	readBody,
	serviceMessage,
	unexpectedResponse,
	type ServiceResponse,
} from './response';
import { readRetryAfter } from './waits';
import type { Secret } from './secret';

/** n8n's default for declarative operations, in milliseconds. */
export const DEFAULT_TIMEOUT = 300_000;

/**
 * How much later than the deadline n8n's own timeout is, in milliseconds: while n8n is busy, it would
 * end the request before a response that arrived in time is read.
 */
const SPARE_TIME = 60_000;

/**
 * Timeout for the body of an error response, in milliseconds. Its status is enough, and if it asks to wait,
 * the account's other requests do not know of it until then.
 */
const LONGEST_MESSAGE = 1_000;

/** The longest address in a message, in characters. */
const LONGEST_LOCATION = 300;

/** One request to the service: its method, path and body, and how it gets there. */
export type ServiceRequest = IHttpRequestOptions;

/** How a request reaches the service: its timeout in milliseconds, a proxy, and certificates. */
export type ConnectionOptions = Pick<
	ServiceRequest,
	'timeout' | 'proxy' | 'skipSslCertificateValidation'
>;

/**
 * Sends one request, once, with the key of the credential, and reads the response.
 *
 * Redirects are not followed: they would send the key to another address, or turn a POST into a GET.
 *
 * @param request method, path, body, and the "Request Options" (proxy, timeout in milliseconds,
 * certificates)
 * @param abandon aborts the request
 * @returns the response, when it is JSON with a success status; a Failure for anything else from the
 * service or the connection; a Refusal when n8n or the credential refused the request and nothing was
 * sent
 */
export async function exchange(
	context: RequestContext,
	request: ServiceRequest,
	credential: Credential,
	abandon?: Stop,
): Promise<ServiceResponse | Failure | Refusal> {
	const deadline = new Deadline(request.timeout ?? DEFAULT_TIMEOUT, abandon);
	try {
		const received = await deadline.race(send(context, request, credential, deadline));
		return await receive(received, credential.secret, deadline);
	} catch (error) {
		return toFailure(error);
	} finally {
		deadline.release();
	}
}

async function send(
	context: RequestContext,
	request: ServiceRequest,
	{ decrypted }: Credential,
	deadline: Deadline,
): Promise<IN8nHttpFullResponse> {
	// The helper takes its signal from the context. A poll has none, and the execution's own would
	// abort a POST whose response is still needed.
	const sender = Object.create(context, {
		getExecutionCancelSignal: { value: () => deadline.signal },
	}) as RequestContext;
	return (await context.helpers.httpRequestWithAuthentication.call(
		sender,
		CREDENTIAL,
		{
			...request,
			timeout: Math.min(deadline.timeLeft + SPARE_TIME, LONGEST_DELAY),
			json: true,
			// As a stream, because n8n does not limit the size of a body.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
		{ credentialsDecrypted: decrypted },
	)) as IN8nHttpFullResponse;
}

/** A failure here is never a refusal: the service has the request, and may have carried it out. */
async function receive(
	received: IN8nHttpFullResponse,
	secret: Secret,
	deadline: Deadline,
): Promise<ServiceResponse | Failure> {
	try {
		const { statusCode, headers, body } = received;
		const isSuccess = statusCode <= 299;
		if (!isSuccess) deadline.shorten(LONGEST_MESSAGE);
		const { text, brokenBy } = await readBody(body, deadline);
		const textOf = (header: unknown) => (header ? secret.removeFrom(String(header)) : undefined);
		const response: ServiceResponse = {
			statusCode,
			contentType: textOf(headers['content-type']),
			location: textOf(headers.location)?.slice(0, LONGEST_LOCATION),
			...parseBody(text, secret),
		};
		if (!isSuccess) return rejection(response, headers);
		if (brokenBy !== undefined) return brokenOff(brokenBy, serviceMessage(response));
		return response.isJson ? response : unexpectedResponse(response, 'JSON');
	} catch (error) {
		return brokenOff(error);
	}
}

/** The status decides: an incomplete body only means that less of it can be quoted. */
function rejection(response: ServiceResponse, headers: IN8nHttpFullResponse['headers']): Failure {
	const { statusCode, location } = response;
	const retryAfter = readRetryAfter(headers['retry-after'], headers.date);
	return new Failure(reasonOfStatus(statusCode, retryAfter), {
		statusCode,
		serviceMessage: serviceMessage(response),
		location,
		retryAfter,
	});
}

/**
 * What an error means once there is a response: before it, some codes mean that nothing was sent.
 *
 * @param serviceMessage what had arrived: it can contain the id of a paid job
 */
function brokenOff(error: unknown, serviceMessage?: string): Failure {
	const failure = toFailure(error);
	if (!(failure instanceof Failure)) return new Failure('broken', { serviceMessage });
	const { reason, facts } = failure;
	const isEnded = reason === 'abandoned' || reason === 'timedOut';
	return new Failure(isEnded ? reason : 'broken', { ...facts, serviceMessage });
}
