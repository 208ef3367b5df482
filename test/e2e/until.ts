import { poll } from '../../n8n/poll';

/** Longer than anything takes, even on a machine ten times as slow as usual. */
export const LIMIT_MS = 5 * 60_000;

/**
 * Polls until a condition holds.
 * @throws Error that shows the condition when it does not hold in time
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	withinMs = LIMIT_MS,
): Promise<void> {
	if (
		await poll(
			async () => await condition(),
			(holds) => holds,
			withinMs,
		)
	)
		return;
	throw new Error(`Still false after ${withinMs} ms: ${String(condition)}`);
}
