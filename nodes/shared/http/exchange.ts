import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Refusal } from '../refusal';
import type { Stop } from '../stop';
import { LONGEST_DELAY } from '../time';
import { BodyTooLarge, readBody } from './body';
import { toFailure } from './connection';
import { CREDENTIAL, type Credential, type RequestContext } from './credential';
import { Deadline } from './deadline';
import { Failure, NO_CODE } from './failure';
import { parseExactly } from './json';
import { quote, serviceMessage, unexpectedResponse, type ServiceResponse } from './response';
import { readRetryAfter, serviceTime } from './retry';
import type { Secret } from './secret';
import { asksToWait } from './verdict';

/** n8n's default for declarative operations, in milliseconds. */
export const DEFAULT_TIMEOUT = 300_000;

/**
 * How much later than the deadline n8n's own timeout is, in milliseconds: while n8n is busy, it would
 * end the request before a response that arrived in time is read.
 */
const SPARE_TIME = 60_000;

/** Timeout for the body of an error response, in milliseconds: its status is enough. */
const LONGEST_MESSAGE = 10_000;

/** The same if it asks to wait: until then, the account's other requests do not know of it. */
const LONGEST_MESSAGE_OF_A_WAIT = 500;

/** The longest redirect address in a message, in characters. */
const LONGEST_LOCATION = 300;

/** One request to the service. */
export interface ServiceRequest extends IHttpRequestOptions {
	/** Fields of the response from which a key that is short, or a word, is not removed, see `Secret`. */
	documented?: readonly string[];
}

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
	{ documented, ...request }: ServiceRequest,
	credential: Credential,
	abandon?: Stop,
): Promise<ServiceResponse | Failure | Refusal> {
	const deadline = new Deadline(request.timeout ?? DEFAULT_TIMEOUT, abandon);
	try {
		const response = await deadline.race(send(context, request, credential, deadline));
		return await receive({ response, secret: credential.secret, documented }, deadline);
	} catch (error) {
		return toFailure(error);
	} finally {
		deadline.release();
	}
}

async function send(
	context: RequestContext,
	request: IHttpRequestOptions,
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

interface Received {
	response: IN8nHttpFullResponse;
	secret: Secret;
	documented: readonly string[] | undefined;
}

/** A failure here is never a refusal: the service has the request, and may have carried it out. */
async function receive(received: Received, deadline: Deadline): Promise<ServiceResponse | Failure> {
	try {
		const { statusCode } = received.response;
		return statusCode <= 299
			? await readSuccess(received, deadline)
			: await readRejection(received, deadline);
	} catch (error) {
		return brokenOff(error);
	}
}

/**
 * What an error means once there is a response: before it, some codes mean that nothing was sent.
 *
 * @param serviceMessage what had arrived: it can contain the id of a paid job
 */
function brokenOff(error: unknown, serviceMessage?: string): Failure {
	const failure = toFailure(error);
	const trouble = failure instanceof Failure ? failure.trouble : undefined;
	if (trouble?.kind === 'abandoned') return new Failure({ ...trouble, serviceMessage });
	const code = trouble?.kind === 'connection' ? trouble.code : NO_CODE;
	const isLate = trouble?.kind === 'connection' && trouble.what === 'timedOut';
	const what = isLate ? 'timedOut' : 'broken';
	return new Failure({ kind: 'connection', code, what, serviceMessage });
}

async function readSuccess(
	{ response, secret, documented }: Received,
	deadline: Deadline,
): Promise<ServiceResponse | Failure> {
	const { statusCode } = response;
	const { text, brokenBy } = await readBody(response.body, deadline);
	const said = () => quote(secret.removeFromPart(text), statusCode);
	if (brokenBy instanceof BodyTooLarge) return notJson(statusCode, brokenBy.message, said());
	if (brokenBy !== undefined) return brokenOff(brokenBy, said());
	const parsed = parse(text, secret, documented);
	if (!parsed) return notJson(statusCode, 'JSON that is nested too deeply', said());
	const read = { statusCode, headers: readHeaders(response, secret), ...parsed };
	return read.isJson ? read : unexpectedResponse(read, 'JSON');
}

function notJson(statusCode: number, received: string, serviceMessage?: string): Failure {
	return new Failure({ kind: 'shape', statusCode, expected: 'JSON', received, serviceMessage });
}

/** The status decides; an unreadable body only means that there is no message to quote. */
async function readRejection({ response, secret }: Received, deadline: Deadline): Promise<Failure> {
	const { statusCode } = response;
	const headers = readHeaders(response, secret);
	const retryAfter = readRetryAfter(headers['retry-after'], serviceTime(headers.date, Date.now()));
	const isWait = asksToWait(statusCode, retryAfter);
	deadline.shorten(isWait ? LONGEST_MESSAGE_OF_A_WAIT : LONGEST_MESSAGE);
	const { text } = await readBody(response.body, deadline);
	const parsed = parse(text, secret);
	return new Failure({
		kind: 'status',
		statusCode,
		serviceMessage: parsed && serviceMessage({ statusCode, headers, ...parsed }),
		location: headers.location?.slice(0, LONGEST_LOCATION),
		retryAfter,
	});
}

/** @returns undefined for JSON that is nested too deeply */
function parse(
	text: string,
	secret: Secret,
	documented?: readonly string[],
): Pick<ServiceResponse, 'body' | 'isJson'> | undefined {
	let body: unknown;
	try {
		body = parseExactly(text);
	} catch {
		return { body: secret.removeFromPart(text), isJson: false };
	}
	try {
		return { body: secret.removeFromValue(body, documented), isJson: true };
	} catch {
		return undefined;
	}
}

/** Headers that a message may quote. */
const QUOTED_HEADERS = ['content-type', 'location'];
/** Headers that are only read as a time. */
const TIMES = ['date', 'retry-after'];

/** Only the headers that are used. */
function readHeaders(
	{ headers }: IN8nHttpFullResponse,
	secret: Secret,
): ServiceResponse['headers'] {
	return Object.fromEntries(
		Object.entries(headers)
			.map(([name, value]) => [name.toLowerCase(), value] as const)
			.filter(([name]) => QUOTED_HEADERS.includes(name) || TIMES.includes(name))
			.map(([name, value]) => [
				name,
				TIMES.includes(name) ? String(value) : secret.removeFrom(String(value)),
			]),
	);
}
