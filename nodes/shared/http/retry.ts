import { Failure, type ConnectionTrouble } from './failure';
import { changesSomething, verdictOf } from './verdict';

/** The most attempts for one request, not counting those that the service asked to wait. */
export const MOST_ATTEMPTS = 5;

/** The longest accepted Retry-After, in milliseconds; a longer one ends the request. */
export const LONGEST_RETRY_AFTER = 120_000;

const FIRST_BACKOFF = 1_000;

/** How much two clocks may differ, in milliseconds, including the time that a response takes. */
const CLOCK_TOLERANCE = 5_000;

/** What does not change between attempts: a certificate, a setting of n8n. */
const LASTING = new Set<ConnectionTrouble>(['notSecure', 'blocked']);

/**
 * Whether a failed request is retried. Not for requests that were asked to wait: the account decides
 * for all of those together.
 */
export function isRetried({ trouble }: Failure, method: string): boolean {
	switch (verdictOf(trouble, method)) {
		case 'notSent':
			return trouble.kind === 'connection' && !LASTING.has(trouble.what);
		case 'failed':
		case 'unknown':
			return !changesSomething(method);
		default:
			return false;
	}
}

/**
 * The wait before the next attempt without Retry-After: 1 s, doubled with each attempt, half of it
 * fixed and half random (jitter), so that clients do not all come back at the same moment.
 *
 * @param attempt the number of attempts so far, at least 1
 * @param random a number from 0 to 1
 * @returns milliseconds
 */
export function backoff(attempt: number, random: number): number {
	const wait = FIRST_BACKOFF * 2 ** (attempt - 1);
	return wait / 2 + (wait / 2) * random;
}

/**
 * The time by the service's clock, which a date in `Retry-After` refers to.
 *
 * @param date the header `Date` of the same response, in whole seconds: used only if one of the two
 * clocks is wrong
 * @param now by this machine's clock, in milliseconds since 1970
 */
export function serviceTime(date: string | undefined, now: number): number {
	const theirs = readDate(date ?? '');
	return Math.abs(theirs - now) > CLOCK_TOLERANCE ? theirs : now;
}

/**
 * Reads the header `Retry-After`: seconds, or a date.
 *
 * @param now by the service's clock, in milliseconds since 1970
 * @returns milliseconds from now; 0 for a date that has passed, and for anything else, which asks to
 * wait but not for how long; undefined without the header
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
	const text = value?.trim() ?? '';
	if (text === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) {
		return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
	}
	const wait = readDate(text) - now;
	return wait > 0 ? wait : 0;
}

/** `Mon Nov 23 11:10:20 2026`, the oldest form, which has no time zone. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** @returns the time of an HTTP date in milliseconds since 1970; NaN for anything else */
function readDate(text: string): number {
	if (ASCTIME.test(text)) return Date.parse(`${text} GMT`);
	// Date.parse accepts much more than HTTP dates as servers send them: a day first, GMT last.
	return /^[A-Z][a-z]{2}.*GMT$/.test(text) ? Date.parse(text) : NaN;
}

/**
 * The failure of a request that is not sent: the account is paused for longer than this one can wait.
 *
 * @param retryAfter how long the pause lasts, in milliseconds
 */
export function toldToWait(retryAfter: number): Failure {
	return new Failure({ kind: 'status', statusCode: 429, retryAfter });
}
