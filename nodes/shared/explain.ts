import type { Failure as NodeFailure } from 'n8n-workflow';

import { nodeFailureOf } from './http/cause';
import { Failure, NO_CODE, type ConnectionTrouble, type Trouble } from './http/failure';
import { reasonOf, type Reason } from './http/reason';
import { LONGEST_RETRY_AFTER } from './http/retry';
import { changesSomething, verdictOf } from './http/verdict';
import { Refusal } from './refusal';

/** What the user sees: what happened, and what to do about it. */
export interface Explanation {
	message: string;
	description: string;
	/** The HTTP status, if the service answered. */
	httpCode?: string;
	/** Why, in the terms of n8n's schedulers. */
	failure?: NodeFailure;
}

/** What to do in the terms of a form, where the form has a field for it. */
export type Advice = Partial<Record<Reason, string>>;

/** What happened, and what to do; `{status}` and `{location}` are filled in. */
const WORDS: Record<Reason, [message: string, whatToDo: string]> = {
	rejectedInput: ['The service rejected the input', 'Check the values of this item.'],
	refusedKey: [
		'The service refused the API key',
		'Check "API Key" in the credential. If the key is correct, choose another "API Key Format".',
	],
	allowanceUsedUp: [
		'The request allowance of the account is used up',
		'Wait until it is renewed, or choose a larger plan. To see how many requests remain, run the operation Usage: Get.',
	],
	notFound: [
		'The service could not find what was requested',
		'Check "Base URL" in the credential: enter it without /api/v1.',
	],
	tooManyRequests: ['The service is receiving too many requests', 'Try again later.'],
	unavailable: [
		'The service is temporarily unavailable',
		'Nothing was carried out. Try again later.',
	],
	redirect: [
		'The service responded with a redirect{location}, which is not followed',
		'A redirect could send the key to another address. If the service has moved, enter its new address in "Base URL" in the credential.',
	],
	notAccepted: [
		'The service did not accept the request (status {status})',
		'Check the values of this item and the credential.',
	],
	notProcessed: ['The service could not process the request (status {status})', ''],
	unexpectedAnswer: [
		'The response does not match the documentation of the service',
		'Check "Base URL" in the credential.',
	],
	unsuccessful: [
		'The service reported that the request was not successful',
		'Check the values of this item.',
	],
	blocked: [
		"This address is blocked by n8n's SSRF protection (see N8N_SSRF_ALLOWED_HOSTNAMES)",
		'Nothing was sent. If the service is in your own network, add the host name in "Base URL" to the environment variable N8N_SSRF_ALLOWED_HOSTNAMES, or an IP address, e.g. 10.0.0.5/32, to N8N_SSRF_ALLOWED_IP_RANGES. Then restart n8n.',
	],
	noAddress: [
		'The host name of the service was not found',
		'Nothing was sent. Check "Base URL" in the credential, and that n8n can resolve host names.',
	],
	notConnected: [
		'Could not connect to the service',
		'Nothing was sent. Check "Base URL" in the credential, and that n8n can reach the service.',
	],
	notSecure: [
		'Could not make a secure connection to the service',
		'Nothing was sent. Check "Base URL" in the credential: n8n does not trust the certificate of this address, or the service expects http://, not https://.',
	],
	timedOut: ['The service did not respond in time', ''],
	broken: ['The connection to the service broke before the response was complete', ''],
	abandoned: ['The execution was stopped before the service responded', ''],
};

/** What to do about a GET, which sends no values of an item. */
const ONLY_THE_CREDENTIAL = 'Check "Base URL" and "API Key Format" in the credential.';
const ABOUT_A_GET: Advice = {
	rejectedInput: ONLY_THE_CREDENTIAL,
	notAccepted: ONLY_THE_CREDENTIAL,
};

/** Added when it is unknown whether a paid request was carried out. */
const MAYBE_CARRIED_OUT =
	'The request may have been carried out: check your account before you send it again.';

/** Added to a failure that the service itself reports. */
const NOT_DOCUMENTED =
	'The service does not document whether it carried out the request: check your account. Retry On Fail sends it again.';

/**
 * Describes what happened and what to do.
 *
 * @param method of the request: a GET changes nothing
 * @param advice what to do in the terms of the operation's form, by reason
 */
export function explain(failed: Failure, method: string, advice: Advice = {}): Explanation {
	const { trouble, attempts } = failed;
	const reason = reasonOf(trouble);
	const [message, whatToDo] = WORDS[reason];
	const ofMethod = changesSomething(method) ? undefined : ABOUT_A_GET[reason];
	const description = sentences(
		attempts > 1 && `Tried ${attempts} times.`,
		factsOf(failed),
		advice[reason] ?? ofMethod ?? whatToDo,
		consequence(trouble, method),
	);
	const failure = nodeFailureOf(trouble);
	return {
		message: fillIn(message, trouble),
		description,
		...('statusCode' in trouble && { httpCode: String(trouble.statusCode) }),
		...(failure && { failure }),
	};
}

/** Explains whatever was thrown while a request was prepared or sent, or its response read. */
export function explanationOf(error: unknown, method: string, advice?: Advice): Explanation {
	if (error instanceof Failure) return explain(error, method, advice);
	const { message, description } = (error ?? {}) as Partial<Refusal>;
	const { failure, httpCode } = error instanceof Refusal ? error : {};
	return {
		message: message || String(error),
		description: description || 'Check the values of this item.',
		...(httpCode && { httpCode }),
		...(failure && { failure }),
	};
}

function factsOf({ trouble, serviceMessage }: Failure): string | undefined {
	const said = serviceMessage === undefined ? undefined : `The service says: "${serviceMessage}".`;
	switch (trouble.kind) {
		case 'shape':
			return sentences(`Expected ${trouble.expected}, received ${trouble.received}.`, said);
		case 'unsuccessful':
			return said ?? 'It gave no reason.';
		case 'connection':
			return sentences(codeOf(trouble), said);
		case 'status':
			return sentences(said, verdictOf(trouble, 'GET') === 'toldToWait' && askedToWait(trouble));
		default:
			return said;
	}
}

/** Not part of the message: when n8n makes its own error of it, it replaces a message that has a code. */
function codeOf({ what, code }: { what: ConnectionTrouble; code: string }): string | undefined {
	if (what === 'timedOut' || what === 'blocked' || code === NO_CODE) return undefined;
	return `System code: ${code}.`;
}

function askedToWait({ retryAfter }: { retryAfter?: number }): string | undefined {
	if (!retryAfter) return undefined;
	const seconds = Math.ceil(retryAfter / 1000);
	const longest = LONGEST_RETRY_AFTER / 1000;
	const asked = `It asked to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
	return seconds > longest ? `${asked}; this node waits at most ${longest} seconds.` : `${asked}.`;
}

/** What the verdict means for the user: whether to check the account, or just to try again. */
function consequence(trouble: Trouble, method: string): string | undefined {
	const verdict = verdictOf(trouble, method);
	if (verdict !== 'failed' && verdict !== 'unknown') return undefined;
	if (!changesSomething(method)) return 'Try again later.';
	return verdict === 'failed' ? NOT_DOCUMENTED : MAYBE_CARRIED_OUT;
}

function fillIn(message: string, trouble: Trouble): string {
	const { statusCode, location } = trouble as Partial<Record<string, string | number>>;
	return message
		.replace('{status}', () => String(statusCode))
		.replace('{location}', () => (location ? ` to ${location}` : ''));
}

function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter((part) => part).join(' ');
}
