import { asFailure, Failure, isText, sentences } from './failure';
import { reasonOfCode, type Reason } from './outcomes';
import { requestFailure } from './requestFailure';

/** TLS errors, of the handshake or later. */
const SECURITY = /^ERR_(TLS|SSL)|^EPROTO$/;

/** The names of n8n's errors for an address that its protection blocks (N8N_SSRF_PROTECTION_ENABLED). */
const BLOCKED = /^SsrfBlocked/;

/** The messages of Node.js's errors from before there is a connection. */
const NOT_CONNECTED =
	/^connect E|^Client network socket disconnected before secure TLS connection was established$/;

/** How far the chain of causes is followed: an error can be its own cause. */
const MOST_CAUSES = 10;

interface Cause {
	name?: unknown;
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	errors?: unknown;
	isAxiosError?: unknown;
	/** Of n8n's errors: the messages of those that they replace. */
	messages?: unknown[];
	request?: { socket?: { secureConnecting?: unknown } };
	message?: string;
	cause?: Cause;
}

/**
 * Classifies what n8n's request helper threw. n8n wraps network errors; the system's code is
 * somewhere down the chain of causes. n8n 1.123 drops the cause, and keeps the code as `httpCode` and the text
 * in `messages`.
 *
 * @param method of the request
 * @returns a failure with a reason for network errors; one without when n8n or the credential refused the request, and
 * nothing was sent
 */
export function classify(error: unknown, method: string): Failure {
	if (error instanceof Failure) return error;
	const chain = causesOf(error);
	// Checked first, because an address blocked while connecting is wrapped like a broken connection.
	if (chain.some(({ name }) => BLOCKED.test(String(name))))
		return requestFailure('blocked', method);
	const code = codeOf(error);
	if (code !== undefined) return requestFailure(meaningOf(code, chain), method, { code });
	// Without a code the request may have reached the service.
	if (chain.some(({ isAxiosError }) => isAxiosError === true))
		return requestFailure('broken', method);
	// n8n wraps the credential's message in one of its own.
	return refusedBy(chain.reverse().find(({ message }) => isText(message)) ?? error);
}

/** An error and its causes. */
function causesOf(error: unknown): Cause[] {
	const chain: Cause[] = [];
	let next = error as Cause | undefined;
	// A host with several addresses gives one error for each.
	for (; next && chain.length < MOST_CAUSES; next = next.cause) {
		chain.push(next, ...(Array.isArray(next.errors) ? (next.errors as Cause[]) : []));
	}
	return chain;
}

/** Finds the system's code in an error or its causes, such as ECONNRESET. */
export function codeOf(error: unknown): string | undefined {
	return causesOf(error)
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.find(isSystemCode);
}

function meaningOf(code: string, chain: Cause[]): Reason {
	const messages = chain.flatMap(({ messages }) => messages ?? []);
	const isNotConnected =
		chain.some(({ syscall }) => syscall === 'connect') ||
		messages.some((message) => NOT_CONNECTED.test(String(message)));
	if (isNotConnected) return 'notConnected';
	if (chain.some(({ syscall }) => syscall === 'getaddrinfo')) return 'noAddress';
	// During the handshake nothing has been sent yet.
	const isSecuring = chain.some(({ request }) => request?.socket?.secureConnecting === true);
	if (isSecuring && SECURITY.test(code)) return 'notSecure';
	return reasonOfCode(code) ?? (isSecuring ? 'notConnected' : 'broken');
}

/** A system's code begins with a letter, such as ECONNRESET; a status has only digits. */
function isSystemCode(value: unknown): value is string {
	return typeof value === 'string' && /^[A-Z]/.test(value);
}

/** What n8n or the credential refused, in the words of the error that it threw. */
export function refusedBy(error: unknown): Failure {
	return asFailure(error, { wayOn: 'retry' }, 'Check the credential and its settings.');
}

/**
 * What n8n says of an expression that throws, for one item or for all.
 *
 * @param label of the parameter
 * @returns a failure without n8n's `context`: n8n's editor would show that in place of these words
 */
export function expressionFailed(label: string, error: unknown): Failure {
	const { message, description } = (error ?? {}) as Record<string, unknown>;
	const help = isText(description) && description.replace(/<[^>]*>/g, '');
	return new Failure(
		`"${label}" cannot be read: ${[message, error].find(isText) ?? 'its expression throws'}`,
		sentences(help, `Correct the expression in "${label}"`),
	);
}
