import type { ConnectionTrouble, Failure, Trouble } from './failure';

/**
 * What a failed request means for the person who pays for it. Retrying, remembering and the words of
 * an error read this and nothing else.
 *
 * - `notSent`: the service never received it
 * - `toldToWait`: the service asked to come again later, and did nothing
 * - `rejected`: the service answered, and did nothing
 * - `failed`: the service itself reports a failure; sending it again is what a person orders
 * - `unknown`: it may have been carried out, and nobody can tell
 */
export type Verdict = 'notSent' | 'toldToWait' | 'rejected' | 'failed' | 'unknown';

/** 5xx by which a service reports its own failure; any other can come from a proxy in between. */
const OWN_FAILURES = new Set([500, 501, 503, 505]);

/**
 * 408 and 499 say that somebody gave up waiting, 303 that the result is elsewhere: the request may have
 * been carried out.
 */
const UNKNOWN_AFTER_A_CHANGE = new Set([303, 408, 499]);

const MAY_HAVE_ARRIVED = new Set<ConnectionTrouble>(['timedOut', 'broken']);

/** Whether a request of this method changes something, and may cost something. */
export function changesSomething(method: string): boolean {
	return method !== 'GET';
}

/** @param method of the request: a GET carries nothing out, so a readable answer leaves nothing open */
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

function verdictOfStatus(status: number, retryAfter: number | undefined, method: string): Verdict {
	if (status === 429 || (status === 503 && retryAfter !== undefined)) return 'toldToWait';
	if (OWN_FAILURES.has(status)) return 'failed';
	if (UNKNOWN_AFTER_A_CHANGE.has(status)) {
		return changesSomething(method) || status !== 303 ? 'unknown' : 'rejected';
	}
	return status >= 300 && status < 500 ? 'rejected' : 'unknown';
}

/** Whether a request may have been carried out, and cost something, without anybody knowing. */
export function isUnknown({ trouble }: Failure, method: string): boolean {
	return changesSomething(method) && verdictOf(trouble, method) === 'unknown';
}
