import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Failure } from '../errors/failure';
import { reasonOfStatus, type Reason } from '../errors/outcomes';
import { faultBehindAnswer, requestFailure } from '../errors/requestFailure';
import { classify, codeOf } from '../errors/thrown';
import type { OnceEvent } from '../time/onceEvent';
import { LONGEST_DELAY, now, withDeadline } from '../time/clock';
import { LONGEST_ERROR_BODY, SPARE_TIME } from '../time/timeLimits';
import { CREDENTIAL, type Credential, type RequestContext } from './credential';
import { parseBody, serviceMessage, unexpectedResponse, type ServiceResponse } from './response';
import type { Secret } from './redact';
import { parseRetryAfter } from './retryAfter';

/** The longest address in a message, in characters. */
const LONGEST_LOCATION = 256;

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
 * @returns the response, when it is JSON with a success status; a failure with a reason for anything else from the
 * service or the connection; one without when n8n or the credential refused the request and nothing was sent
 */
export async function exchange(
	context: RequestContext,
	request: ServiceRequest & { timeout: number },
	credential: Credential,
	abandon: OnceEvent,
): Promise<ServiceResponse | Failure> {
	const { timeout, method = 'GET' } = request;
	const until = now() + timeout;
	const connection = new AbortController();
	const failed = (reason: Reason) => {
		throw requestFailure(reason, method);
	};
	const within: Within = async (milliseconds, work) =>
		await withDeadline(milliseconds, abandon, work, failed);
	const sending = send(context, request, credential, connection.signal);
	let received: IN8nHttpFullResponse;
	try {
		received = await within(timeout, sending);
	} catch (error) {
		connection.abort();
		return classify(error, method);
	}
	// From here on, the service has the request, and may have carried it out.
	try {
		return await receive(received, credential.secret, method, until, { connection, within });
	} catch (error) {
		return faultBehindAnswer(error, method);
	}
}

/** Waits for work, at most so long, or until the request is abandoned. */
type Within = <Result>(milliseconds: number, work: Promise<Result>) => Promise<Result>;

async function send(
	context: RequestContext,
	request: ServiceRequest & { timeout: number },
	{ decrypted }: Credential,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// n8n's helper takes the signal of its context, not that of the request (n8n-core 2.41). So it gets a context that
	// inherits all but the signal: a poll has none, and that of an execution would abort a POST whose response counts.
	const sender = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
	return (await context.helpers.httpRequestWithAuthentication.call(
		sender,
		CREDENTIAL,
		{
			...request,
			timeout: Math.min(request.timeout + SPARE_TIME, LONGEST_DELAY),
			json: true,
			// As a stream: the status of a rejection is enough, and comes before the body.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		},
		{ credentialsDecrypted: decrypted },
	)) as IN8nHttpFullResponse;
}

/** Reads the response as far as it arrives: half of a success can contain the id of a paid job. */
async function receive(
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	secret: Secret,
	method: string,
	until: number,
	{ connection, within }: { connection: AbortController; within: Within },
): Promise<ServiceResponse | Failure> {
	const isSuccess = statusCode <= 299;
	const timeLeft = Math.max(0, until - now());
	const longest = isSuccess ? timeLeft : Math.min(timeLeft, LONGEST_ERROR_BODY);
	const pieces: Uint8Array[] = [];
	let brokenBy: unknown;
	try {
		await within(longest, collect(body as AsyncIterable<Uint8Array>, pieces));
	} catch (error) {
		brokenBy = error;
		connection.abort();
	}
	const textOf = (header: unknown) => (header ? secret.removeFrom(String(header)) : undefined);
	const response: ServiceResponse = {
		method,
		statusCode,
		contentType: textOf(headers['content-type']),
		location: textOf(headers.location)?.slice(0, LONGEST_LOCATION),
		// Leaves out a byte order mark, which is not JSON.
		...parseBody(new TextDecoder().decode(Buffer.concat(pieces)), secret),
	};
	if (!isSuccess) return rejection(response, headers);
	if (brokenBy !== undefined) return brokenOff(brokenBy, method, serviceMessage(response));
	return response.isJson ? response : unexpectedResponse(response, 'JSON');
}

async function collect(body: AsyncIterable<Uint8Array>, pieces: Uint8Array[]): Promise<void> {
	for await (const piece of body) pieces.push(piece);
}

/** The failure of a status other than 2xx. Its body is only quoted, so it need not be complete. */
function rejection(response: ServiceResponse, headers: IN8nHttpFullResponse['headers']): Failure {
	const { method, statusCode, location } = response;
	const retryAfter = parseRetryAfter(headers['retry-after'], headers.date);
	const answer = { statusCode, serviceMessage: serviceMessage(response), location, retryAfter };
	return requestFailure(reasonOfStatus(statusCode, retryAfter), method, answer);
}

/**
 * What an error means after the response has begun: whatever its code says, the request was sent.
 *
 * @param serviceMessage what had arrived
 */
function brokenOff(error: unknown, method: string, serviceMessage?: string): Failure {
	const { reason } = classify(error, method).facts;
	const isEnded = reason === 'abandoned' || reason === 'timedOut';
	return requestFailure(isEnded ? reason : 'broken', method, {
		code: codeOf(error),
		serviceMessage,
	});
}
