import type { Stop } from '../time/stop';
import { afterArrivals } from '../time/clock';
import { Failure } from '../errors/failure';

/**
 * Waits for work, but not longer than its time. A response that arrived in time is still read, however busy
 * n8n was meanwhile: it can contain the id of a paid job.
 *
 * @param milliseconds how long the work may take
 * @param abandon ends the wait before that
 * @param late thrown after that time; by default Failure `timedOut`
 * @throws `late`, or Failure `abandoned`, at once, whatever the work is waiting for; or what it throws
 */
export async function withDeadline<Result>(
	milliseconds: number,
	abandon: Stop | undefined,
	work: Promise<Result>,
	late?: Error,
): Promise<Result> {
	let cancels: Array<(() => void) | undefined> = [];
	const over = new Promise<never>((_resolve, reject) => {
		cancels = [
			afterArrivals(milliseconds, () => reject(late ?? new Failure('timedOut'))),
			abandon?.listen(() => reject(new Failure('abandoned'))),
		];
	});
	try {
		return await Promise.race([work, over]);
	} finally {
		for (const cancel of cancels) cancel?.();
	}
}
