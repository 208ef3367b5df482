import { sleep } from 'n8n-workflow';

import { now } from './clock';

/** How long to work before n8n gets its turn, in milliseconds. */
const LONGEST_WORK = 8;

/** Divides long work into slices of 8 ms, so that the rest of n8n can work in between. */
export class TimeSlice {
	/** It begins with n8n's turn: a run that sends nothing would give it none, in a loop for ever. */
	private start = -Infinity;

	/** @param proceed called after each turn of n8n; throws if the work is to end */
	constructor(private readonly proceed: () => void = () => {}) {}

	/**
	 * Whether it is time to yield to n8n. With millions of steps, ask before `yieldToN8n`: a promise for each
	 * step would cost more than the work.
	 */
	get isOver(): boolean {
		return now() - this.start >= LONGEST_WORK;
	}

	/** Lets n8n do other work if the slice is over; then the next one starts. */
	async yieldToN8n(): Promise<void> {
		if (!this.isOver) return;
		await sleep(0);
		this.start = now();
		this.proceed();
	}
}
