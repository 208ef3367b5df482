import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything takes, even on a machine ten times as slow as usual. */
export const LIMIT_MS = 5 * 60_000;

const POLL_MS = 50;

/**
 * Polls until a condition holds.
 * @throws Error that shows the condition when it does not hold in time
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	withinMs = LIMIT_MS,
): Promise<void> {
	const started = performance.now();
	while (!(await condition())) {
		if (performance.now() - started > withinMs) {
			throw new Error(`Still false after ${withinMs} ms: ${String(condition)}`);
		}
		await sleep(POLL_MS);
	}
}
