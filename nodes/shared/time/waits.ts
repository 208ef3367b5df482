/** The most attempts for one request, over 8 to 15 s; those that the service asked to wait do not count. */
export const MOST_ATTEMPTS = 5;

/** The longest accepted Retry-After, in milliseconds; a longer one ends the request. */
export const LONGEST_RETRY_AFTER = 120_000;

/**
 * Longer than any usual request takes, in milliseconds. One that takes longer holds up no others, and a shorter
 * timeout says nothing about the service.
 */
export const OVERDUE = 10_000;

/** The first wait, in milliseconds: the shortest limits are per second. */
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
