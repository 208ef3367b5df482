import { sleep } from 'n8n-workflow';

import { now } from '../../shared/time';

/** How long to work without a pause, in milliseconds. */
const LONGEST_WORK = 20;

/** Interrupts long work every 20 ms, so that it does not block the rest of n8n. */
export class Pauses {
	private since = now();

	/** Pauses if it is due. */
	async take(): Promise<void> {
		if (now() - this.since < LONGEST_WORK) return;
		await sleep(0);
		this.since = now();
	}
}

/**
 * Carries out long work with pauses.
 *
 * @param work yields wherever it can be interrupted
 * @returns what the work returns
 */
export async function withPauses<Result>(work: Generator<void, Result>): Promise<Result> {
	let since = now();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		// Not `Pauses`: with millions of steps, a promise for each would cost more than the work.
		if (now() - since >= LONGEST_WORK) {
			await sleep(0);
			since = now();
		}
	}
}
