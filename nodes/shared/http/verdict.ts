import type { ConnectionTrouble, Failure, Trouble } from './failure';

/**
 * What a failed request means for the user who pays for it. Retries, memory and error messages depend
 * on it.
 *
 * - `notSent`: the service never received it
 * - `toldToWait`: the service asked to retry later, and did nothing
 * - `rejected`: the service answered, and did nothing
 * - `failed`: the service itself reports a failure; whether to repeat a change is the user's decision
 * - `unknown`: it may have been carried out
 */
export type Verdict = 'notSent' | 'toldToWait' | 'rejected' | 'failed' | 'unknown';

/** 5xx with which a service reports its own failure; any other can come from a proxy in between. */
const OWN_FAILURES = new Set([500, 501, 503, 505]);

/** 4xx that report a timeout: the request may have been carried out. */
const TIMEOUTS = new Set([408, 499]);

const MAY_HAVE_ARRIVED = new Set<ConnectionTrouble>(['timedOut', 'broken']);

/** Whether a request with this method changes something, and may cost money. */
export function changesSomething(method: string): boolean {
	return method !== 'GET';
}

/**
 * Judges a failed request.
 *
 * @param method of the request: a GET that was answered with a success status or a 303 changed
 * nothing, so its outcome is known
 */
export function verdictOf(trouble: Trouble, method: string): Verdict {
	switch (trouble.kind) {
		case 'connection':
			return MAY_HAVE_ARRIVED.has(trouble.what) ? 'unknown' : 'notSent';
		case 'abandoned':
			return 'unknown';
		case 'unsuccessful':
			return 'rejected';
		case 'shape':
			return changesSomething(method) ? 'unknown' : 'rejected';
		case 'status':
			return verdictOfStatus(trouble.statusCode, trouble.retryAfter, method);
	}
}

/**
 * Whether a response asks to wait before the next request.
 *
 * @param retryAfter how long, in milliseconds; undefined if it does not say
 */
export function asksToWait(status: number, retryAfter: number | undefined): boolean {
	return status === 429 || (status === 503 && retryAfter !== undefined);
}

/**
 * Whether a failure concerns all requests of the account: the key is refused (401; a 403 can be about this
 * request), the allowance is used up, or the service asks to wait.
 */
export function concernsTheAccount(trouble: Trouble): boolean {
	if (trouble.kind !== 'status') return false;
	const { statusCode, retryAfter } = trouble;
	return statusCode === 401 || statusCode === 402 || asksToWait(statusCode, retryAfter);
}

function verdictOfStatus(status: number, retryAfter: number | undefined, method: string): Verdict {
	if (asksToWait(status, retryAfter)) return 'toldToWait';
	if (OWN_FAILURES.has(status)) return 'failed';
	if (TIMEOUTS.has(status)) return 'unknown';
	// The result is elsewhere: the request may have been carried out.
	if (status === 303 && changesSomething(method)) return 'unknown';
	return status < 500 ? 'rejected' : 'unknown';
}

/** Whether the outcome of a request that may have cost money is unknown. */
export function isUnknown({ trouble }: Failure, method: string): boolean {
	return changesSomething(method) && verdictOf(trouble, method) === 'unknown';
}
