/**
 * A sliding window: never more than `perSecond` requests within any one second. Below one per
 * second the window grows instead (0.5 is one request in two seconds).
 */
export class SlidingWindow {
	private readonly limit: number;
	private readonly windowMs: number;
	/** When each of the last `limit` requests was let through; the oldest is overwritten first. */
	private readonly times: number[] = [];
	private next = 0;

	constructor(perSecond: number) {
		this.limit = Math.max(1, Math.floor(perSecond));
		this.windowMs = (1000 * this.limit) / perSecond;
	}

	/**
	 * Asks for one request to be let through; a refused one does not count.
	 * @param now milliseconds of a clock that never goes back
	 * @returns 0 when it may pass, else the milliseconds until one may
	 */
	take(now: number): number {
		const oldest = this.times[this.next];
		if (oldest !== undefined && now - oldest < this.windowMs) return this.windowMs - (now - oldest);
		this.times[this.next] = now;
		this.next = (this.next + 1) % this.limit;
		return 0;
	}
}
