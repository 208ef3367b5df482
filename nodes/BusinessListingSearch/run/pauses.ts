import { sleep } from 'n8n-workflow';

import { now } from '../../shared/time';

/** How long to work without a pause, in milliseconds. */
const LONGEST_WORK = 20;

/** Interrupts long work every 20 ms, so that it does not block the rest of n8n. */
export class Pauses {
	private since = now();

	/** Whether a pause is due. */
	get isDue(): boolean {
		return now() - this.since >= LONGEST_WORK;
	}

	/** Pauses if it is due. */
	async take(): Promise<void> {
		if (!this.isDue) return;
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
	const pauses = new Pauses();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		// Not always: with millions of steps, a promise for each would cost more than the work.
		if (pauses.isDue) await pauses.take();
	}
}
