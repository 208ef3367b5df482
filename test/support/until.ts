import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something is so. The longer it may take, the less often it looks.
 * @throws Error that shows the condition when it does not hold in time
 */
export async function until(
	isSo: () => boolean | Promise<boolean>,
	withinMs = 5_000,
): Promise<void> {
	const started = performance.now();
	while (!(await isSo())) {
		if (performance.now() - started > withinMs) {
			throw new Error(`Not so after ${withinMs} ms: ${String(isSo)}`);
		}
		await sleep(withinMs / 500);
	}
}
