import { sleep } from 'n8n-workflow';

/** In milliseconds. */
const LONGEST_WORK = 20;

/**
 * Pauses of long work, so that it does not hold up the process: after every 20 ms of it, everything
 * else that n8n does at the time has its turn.
 */
export class Pauses {
	private since = Date.now();

	/** Pauses if it is time to. */
	async take(): Promise<void> {
		if (Date.now() - this.since < LONGEST_WORK) return;
		await sleep(0);
		this.since = Date.now();
	}
}

/**
 * Carries out long work with pauses.
 *
 * @param work yields wherever it can be interrupted
 * @returns what the work returns
 */
export async function withPauses<Result>(work: Generator<void, Result>): Promise<Result> {
	let since = Date.now();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		// Not `Pauses`: there are millions of steps, and a promise for each would cost more than they do.
		if (Date.now() - since >= LONGEST_WORK) {
			await sleep(0);
			since = Date.now();
		}
	}
}
