import type { OnceEvent } from '../time/onceEvent';
import { afterArrivals } from '../time/clock';

/**
 * Waits for work, but not longer than its time. A response that arrived in time is still read, however busy
 * n8n was meanwhile: it can contain the id of a paid job.
 *
 * @param milliseconds how long the work may take
 * @param abandon ends the wait before that
 * @param failed makes what is thrown then, at once, whatever the work is waiting for
 * @throws what `failed` makes, or what the work throws
 */
export async function withDeadline<Result>(
	milliseconds: number,
	abandon: OnceEvent | undefined,
	work: Promise<Result>,
	failed: (reason: 'timedOut' | 'abandoned') => Error,
): Promise<Result> {
	let cancels: Array<(() => void) | undefined> = [];
	const over = new Promise<never>((_resolve, reject) => {
		cancels = [
			afterArrivals(milliseconds, () => reject(failed('timedOut'))),
			abandon?.listen(() => reject(failed('abandoned'))),
		];
	});
	try {
		return await Promise.race([work, over]);
	} finally {
		for (const cancel of cancels) cancel?.();
	}
}
