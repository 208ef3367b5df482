import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import type { Answer } from './answer';
import { serviceMessage, unexpectedAnswer } from './answer';
import { Failure, Refusal } from './failure';
import { readRetryAfter } from './retry';

/** Where in n8n a request can come from. */
export type RequestContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

export const CREDENTIAL = 'businessListingSearchApi';

/** The largest answer that is read, in bytes; the service's own are far smaller. */
const LARGEST_ANSWER = 10 * 1024 * 1024;

/** The key is replaced in whatever the service sends; a shorter one would hit ordinary words. */
const SHORTEST_SECRET = 8;

/** System codes that mean that the connection was not there yet, so that nothing was sent. */
const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EAI_NODATA',
	'EAI_NONAME',
]);
/** Codes of a secure connection that could not be agreed on, of which EPROTO is the most general. */
const NOT_SECURE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/;

/**
 * Sends one request, once, with the key of the credential, and reads the answer.
 *
 * Redirects are not followed: they would carry the key to another address, or turn a POST into a GET.
 *
 * @param options as n8n's engine built them: method, path, body, and what a person set under
 * "Request Options" (proxy, timeout in milliseconds, certificates)
 * @returns the answer, when it is JSON with a status of success; a Failure for everything else the
 * service or the connection did; a Refusal for what n8n or the credential refused, so that nothing
 * was sent
 */
export async function exchange(
	context: RequestContext,
	options: IHttpRequestOptions,
): Promise<Answer | Failure | Refusal> {
	const request: IHttpRequestOptions = {
		...options,
		json: true,
		// As a stream, because n8n sets no limit to the size of what it reads.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			request,
		)) as IN8nHttpFullResponse;
		return judge(await readAnswer(response, request));
	} catch (error) {
		return whatKept(error);
	}
}

function judge(answer: Answer): Answer | Failure {
	const { statusCode, headers } = answer;
	if (statusCode < 200 || statusCode > 299) {
		return new Failure({
			kind: 'status',
			statusCode,
			serviceMessage: serviceMessage(answer),
			location: headers.location,
			retryAfter: readRetryAfter(headers['retry-after'], Date.now()),
		});
	}
	return answer.isJson ? answer : unexpectedAnswer(answer, 'JSON');
}

async function readAnswer(
	response: IN8nHttpFullResponse,
	request: IHttpRequestOptions,
): Promise<Answer> {
	const { statusCode } = response;
	const withoutKey = keyRemover(request);
	const headers = Object.fromEntries(
		Object.entries(response.headers).map(([name, value]) => [
			name.toLowerCase(),
			withoutKey(String(value)),
		]),
	);
	const text = withoutKey(await readText(response.body, statusCode, request.timeout));
	try {
		return { statusCode, headers, body: JSON.parse(text), isJson: true };
	} catch {
		return { statusCode, headers, body: text, isJson: false };
	}
}

interface Stream extends AsyncIterable<Uint8Array> {
	destroy(error?: Error): void;
}

function isStream(body: unknown): body is Stream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** @param timeout for the whole body, in milliseconds: n8n's own ends when the headers are there */
async function readText(
	body: unknown,
	statusCode: number,
	timeout: number | undefined,
): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : JSON.stringify(body ?? '');
	const deadline = timeout ? AbortSignal.timeout(timeout) : undefined;
	const giveUp = () => body.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
	deadline?.addEventListener('abort', giveUp);
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	try {
		for await (const chunk of body) {
			size += chunk.length;
			if (size > LARGEST_ANSWER) {
				throw tooLarge(statusCode);
			}
			text += decoder.decode(chunk, { stream: true });
		}
	} finally {
		deadline?.removeEventListener('abort', giveUp);
	}
	return text + decoder.decode();
}

function tooLarge(statusCode: number): Failure {
	return new Failure({
		kind: 'shape',
		statusCode,
		expected: 'a short answer',
		received: `more than ${LARGEST_ANSWER / 1024 / 1024} MB`,
	});
}

/** A function that takes the key, in the forms a service could echo it in, out of a text. */
function keyRemover(request: IHttpRequestOptions): (text: string) => string {
	const header = request.headers?.['x-api-key'];
	const key = typeof header === 'string' ? header.replace(/^Token /, '') : '';
	if (key.length < SHORTEST_SECRET) return (text) => text;
	const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
	return (text) => forms.reduce((result, form) => result.replaceAll(form, '[API key]'), text);
}

interface Cause {
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	message?: string;
	description?: unknown;
	cause?: Cause;
}

/**
 * n8n wraps what the network reports; the system's code is somewhere down the chain of causes. n8n
 * 1.123 loses the cause, and has kept the code where else the status stands.
 */
function whatKept(error: unknown): Failure | Refusal {
	if (error instanceof Failure) return error;
	const chain: Cause[] = [];
	for (let cause = error as Cause | undefined; cause; cause = cause.cause) chain.push(cause);
	const code = chain.flatMap(({ code, httpCode }) => [code, httpCode]).find(isSystemCode);
	if (code !== undefined) {
		const isLasting = NOT_SECURE.test(code);
		const isConnected =
			!NEVER_CONNECTED.has(code) && !chain.some(({ syscall }) => syscall === 'connect');
		return new Failure({ kind: 'connection', code, sent: isConnected && !isLasting, isLasting });
	}
	const { message, description } = chain.at(-1) as Cause;
	return new Refusal(
		String(message),
		String(description ?? 'Check the credential and its settings.'),
	);
}

/** Such as ECONNRESET; a status is digits. */
function isSystemCode(value: unknown): value is string {
	return typeof value === 'string' && /^[A-Z]/.test(value);
}
