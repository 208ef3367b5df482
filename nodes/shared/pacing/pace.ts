/** Slow start (TCP, RFC 5681) doubles with each round trip; here in the time of a few slow responses. */
const DOUBLING = 2_000;
/**
 * What is left of a known rate after a refusal. CUBIC leaves 0.7; with 0.9, processes that share a limit
 * still come to equal parts of it, and one alone uses more of it.
 */
const BETA = 0.9;
/**
 * CUBIC (RFC 9438) grows with the cube of the time. Here the rate doubles in this time: if a limit was
 * doubled, the rate reaches it within a minute.
 */
const CUBIC_DOUBLING = 45_000;
/** No limit per second asks for a longer pause than this: a quota is used up, for all who share it. */
const QUOTA_PAUSE = 5_000;
/** Limits are per second or longer, so what was accepted is counted over at least a second. */
const SECOND = 1_000;

/**
 * How fast the requests of a lane start: without a limit until the service first asks for a pause.
 * Then all wait for as long as it asks, and from then on they start one by one, at a rate:
 *
 * 1. Slow start: the rate begins at what was accepted before the pause, and doubles again and again until
 *    the next refusal. Then it begins at what was accepted meanwhile, and is known.
 * 2. Known: a refusal lowers the rate a little. It then grows with the cube of the time: hardly at first,
 *    so that those who share a limit come to equal parts of it. After twice the rate it is unknown again.
 * 3. After the pause for a quota that is used up, all begin at one per second, with a slow start.
 *
 * Only the time in which requests start counts. All times are in milliseconds, by the caller's clock, and
 * rates in requests per millisecond.
 */
export class Pace {
	/** The rate as it was last set; it has grown since. Undefined: no limit. */
	private rate: number | undefined;
	private isKnown = false;
	/** For how long the rate has been used since it was set. */
	private active = 0;
	/** For how long requests have been starting, even if fewer than the rate allows. */
	private sending = 0;
	/** How many of them were accepted. */
	private accepted = 0;
	private startedAt = -SECOND;
	private nextAt = 0;
	private pausedUntil = 0;
	private resumedAt = 0;
	/** How long the service asked to wait; undefined once the pause is over. */
	private asked: number | undefined;

	/** @param random returns numbers from 0 to 1 */
	constructor(private readonly random: () => number) {}

	/** @returns how long the next request waits for its start */
	waitLeft(now: number): number {
		const pauseLeft = this.pauseLeft(now);
		if (pauseLeft > 0) return pauseLeft;
		if (this.asked !== undefined) this.resume(now, this.asked);
		return Math.max(0, this.nextAt - now);
	}

	/** If a timer made this start late, the next one comes sooner, by at most one interval. */
	start(now: number): void {
		const { interval } = this;
		this.active += Math.min(now - this.startedAt, interval || SECOND);
		this.sending += Math.min(now - this.startedAt, Math.max(interval, SECOND));
		this.startedAt = now;
		this.nextAt = Math.max(this.nextAt, now - interval) + interval;
		if (this.isKnown && this.active >= CUBIC_DOUBLING) this.setRate(2 * this.rate!, false);
	}

	accept(): void {
		this.accepted += 1;
	}

	/** Trouble says nothing about the rate, so what was accepted is counted anew. */
	meetTrouble(): void {
		this.sending = this.accepted = 0;
	}

	/**
	 * Records that the service refused a request.
	 *
	 * @param pause how long nothing starts now
	 * @param startedAt when the request started: one from before the end of the last pause says nothing about
	 * the rate
	 */
	refuse(now: number, pause: number, startedAt: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, now + pause);
		if (startedAt >= this.resumedAt) this.asked = Math.max(this.asked ?? 0, pause);
	}

	/** @returns how long nothing starts, because the service asked for a pause */
	pauseLeft(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	private resume(now: number, pause: number): void {
		this.onThrottled(pause);
		this.asked = undefined;
		this.resumedAt = now;
		// So that not all processes start at the same moment.
		this.nextAt = now + this.random() * this.interval;
		// The pause does not count as time in which requests start.
		this.startedAt = this.nextAt - this.interval;
	}

	private onThrottled(pause: number): void {
		const { rate, isKnown, accepted, sending } = this;
		const measured = Math.max(1, accepted) / Math.max(sending, SECOND);
		// Nothing was accepted since the pause: it was too short, which says nothing about the rate.
		if (rate !== undefined && accepted === 0) return;
		if (pause > QUOTA_PAUSE) this.setRate(1 / SECOND, false);
		else if (isKnown) this.setRate(BETA * this.currentRate, true);
		else if (rate !== undefined) this.setRate(measured, true);
		// At least one per second: if trouble kept requests from being accepted, that says nothing about the rate.
		else this.setRate(Math.max(measured, 1 / SECOND), false);
	}

	private setRate(rate: number, isKnown: boolean): void {
		Object.assign(this, { rate, isKnown, active: 0, sending: 0, accepted: 0 });
	}

	private get currentRate(): number {
		const { rate = Infinity, isKnown, active } = this;
		return rate * (isKnown ? 1 + (active / CUBIC_DOUBLING) ** 3 : 2 ** (active / DOUBLING));
	}

	/** The time between two starts. */
	private get interval(): number {
		return 1 / this.currentRate;
	}
}
