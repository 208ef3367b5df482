/** Spaces out the requests of a run as set with "Batching" under "Request Options". */
export class Batches {
	private started = 0;
	private since = -Infinity;

	/**
	 * @param size how many requests start together
	 * @param interval between batches, in milliseconds
	 */
	constructor(
		private readonly size: number,
		private readonly interval: number,
	) {}

	/** @returns milliseconds until the next request may start */
	wait(now: number): number {
		return this.started < this.size ? 0 : Math.max(0, this.since + this.interval - now);
	}

	/** Records that a request starts. */
	start(now: number): void {
		if (now - this.since >= this.interval) {
			this.since = now;
			this.started = 0;
		}
		this.started += 1;
	}
}
