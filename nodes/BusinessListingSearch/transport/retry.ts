import type { Trouble } from './failure';

/** How often one request is tried at most. */
export const MOST_TRIES = 5;

/** The longest wait a service may ask for, in milliseconds; a longer one ends the request. */
export const LONGEST_TOLD_WAIT = 120_000;

const FIRST_BACKOFF = 1_000;
const LONGEST_BACKOFF = 30_000;

/** What follows a try that did not come to its result. */
export type Decision =
	| { again: false }
	| {
			again: true;
			/** How long to wait before, in milliseconds. */
			wait: number;
			/** Whether the other requests of the run wait too: the service told this one to. */
			holdsBack: boolean;
			/** Whether it is one of the run's limited retries, so that an outage does not multiply. */
			isLimited: boolean;
	  };

const STOP: Decision = { again: false };

/**
 * Decides whether a request is tried again, and when. A request that changes something is repeated
 * only where it is sure that it was not carried out.
 *
 * @param trouble what became of the last try
 * @param method of the request
 * @param tries made so far, at least 1
 * @param random a number from 0 to 1, for the jitter
 */
export function decide(trouble: Trouble, method: string, tries: number, random: number): Decision {
	if (tries >= MOST_TRIES) return STOP;
	const wait = backoff(tries, random);
	if (trouble.kind === 'connection') {
		const mayRepeat = trouble.sent ? method === 'GET' : !trouble.isLasting;
		return mayRepeat ? { again: true, wait, holdsBack: false, isLimited: true } : STOP;
	}
	if (trouble.kind !== 'status') return STOP;
	const { statusCode, retryAfter } = trouble;
	const told = isToldToWait(statusCode, retryAfter);
	if (!told && !(statusCode >= 500 && method === 'GET')) return STOP;
	if (retryAfter !== undefined && retryAfter > LONGEST_TOLD_WAIT) return STOP;
	return {
		again: true,
		// No time to wait at all is not taken at its word: it would only spend the tries at once.
		wait: retryAfter || wait,
		holdsBack: told,
		isLimited: statusCode !== 429,
	};
}

/** Whether the service did nothing but ask to come again later. */
export function isToldToWait(statusCode: number, retryAfter: number | undefined): boolean {
	return statusCode === 429 || (statusCode === 503 && retryAfter !== undefined);
}

/**
 * The wait before the next try where the service names none: 1 s, doubled with each try up to 30 s,
 * half of it fixed and half random, so that many clients do not come back at the same moment.
 *
 * @returns milliseconds
 */
export function backoff(tries: number, random: number): number {
	const wait = Math.min(FIRST_BACKOFF * 2 ** (tries - 1), LONGEST_BACKOFF);
	return wait / 2 + (wait / 2) * random;
}

/**
 * Reads the header `Retry-After`: seconds, or a date.
 *
 * @param now in milliseconds since 1970
 * @returns milliseconds from now, 0 for a date that has passed; undefined for anything else
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
	const text = value?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// Date.parse takes much more than the dates of HTTP, which all end in GMT and begin with a day.
	if (!/^[A-Z][a-z]{2}.*GMT$/.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
