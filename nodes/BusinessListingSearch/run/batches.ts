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

	/**
	 * Asks for a start.
	 *
	 * @returns milliseconds to wait before asking again; 0 when it may start now
	 */
	ask(now: number): number {
		if (now - this.since >= this.interval) {
			this.since = now;
			this.started = 0;
		}
		if (this.started >= this.size) return this.since + this.interval - now;
		this.started += 1;
		return 0;
	}
}
