/** The time limits of requests and of their waits, in milliseconds. How long a lane waits is in `pacing/gate.ts`. */

/** n8n's default for declarative operations. */
export const DEFAULT_TIMEOUT = 300_000;

/**
 * How much later than the deadline n8n's own timeout is: while n8n is busy, it would end the request before a response
 * that arrived in time is read.
 */
export const SPARE_TIME = 60_000;

/**
 * For the body of an error response. The status is enough, and the other requests of the lane do not know before the
 * end of the body that the service asks to wait.
 */
export const LONGEST_ERROR_BODY = 1_000;

/** How long a POST or DELETE in flight gets after n8n's Stop. */
export const GRACE = 10_000;

/**
 * After this time, a call from an MCP client starts no request. The client gives up after a minute by default, and its
 * model calls again: what is sent then is paid for twice.
 */
export const LONGEST_MCP_CALL = 45_000;

/** A poll in total: n8n abandons it after 45 seconds, and the next one comes a minute later at the earliest. */
export const LONGEST_POLL = 30_000;

/**
 * The poll that publishes a workflow: n8n 2.41 tries five times within 84 seconds, and whoever publishes is to read what
 * the service says, not that n8n's time is over.
 */
export const LONGEST_AT_PUBLISHING = 10_000;

/** The list in a dropdown: the user is waiting for it. */
export const LONGEST_DROPDOWN = 15_000;

/** The most attempts for one request, over 8 to 15 s; those that the service asked to wait do not count. */
export const MOST_ATTEMPTS = 5;

/** The longest accepted Retry-After; a longer one ends the request. */
export const LONGEST_RETRY_AFTER = 120_000;

/**
 * Longer than any usual request takes. One that takes longer holds up no others, and a shorter
 * timeout says nothing about the service.
 */
export const OVERDUE = 10_000;

/** The first wait: the shortest limits are per second. */
const FIRST_BACKOFF = 1_000;

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
