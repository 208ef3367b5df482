import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until a condition holds; the longer the timeout, the less often.
 * @throws Error that shows the condition when it does not hold in time
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	withinMs = 5_000,
): Promise<void> {
	const started = performance.now();
	while (!(await condition())) {
		if (performance.now() - started > withinMs) {
			throw new Error(`Still false after ${withinMs} ms: ${String(condition)}`);
		}
		await sleep(withinMs / 500);
	}
}
