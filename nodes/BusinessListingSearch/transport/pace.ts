/** Below the rate that was learned, so that a clock that differs a little does not matter. */
const MARGIN = 0.98;
/** How much lower the rate begins after a refusal that confirms it. */
const DIP = 0.02;
/** How long it takes to be back at the learned rate, in milliseconds; as long again to be above it. */
const RECOVERY = 30_000;
/** How long a rate that only one refusal speaks for takes to double, in milliseconds. */
const DOUBLING = 1_000;
/** Fewer accepted requests than this say nothing about a rate. */
const ENOUGH_TO_LEARN = 5;
/**
 * How much of the time lost to late timers is made up for, in milliseconds: after a long delay, all
 * of it would be a burst beyond the limit, and a refusal costs more time than it had gained.
 */
const CATCH_UP = 10;

/**
 * The pace of the requests of one run. As long as the service does not mind, there is none. Once it
 * answers that it is receiving too many, all wait as long as it asked for, and from then on requests
 * start at the rate it took before: one refusal teaches, where a burst after each pause would be
 * refused again and again. The rate grows quickly until a second refusal confirms it; then it stays
 * close below for a while and tries a little more later, because limits change.
 *
 * All times are in milliseconds, of whatever clock the caller uses.
 */
export class Pace {
	private pausedUntil = 0;
	/** Requests a millisecond; undefined before anything was learned. */
	private rate: number | undefined;
	/** Whether a second refusal has shown where the limit is. */
	private isConfirmed = false;
	private nextStart = 0;
	/** When the requests began whose acceptance is counted. */
	private since: number | undefined;
	private accepted = 0;
	/** A refusal that is not yet made use of: when it came, and how long it said to wait. */
	private refusal: { at: number; wait: number } | undefined;

	/**
	 * Asks for a start.
	 *
	 * @returns how long to wait; 0 means that the request may start now. After a wait, ask again: the
	 * service may have refused another request meanwhile.
	 */
	ask(now: number): number {
		if (now < this.pausedUntil) return this.pausedUntil - now;
		// Only now are all answers there to the requests that started together with the refused one.
		if (this.refusal) this.learn(this.refusal);
		this.since ??= now;
		if (this.rate === undefined) return 0;
		if (now < this.nextStart) return this.nextStart - now;
		this.nextStart = Math.max(this.nextStart, now - CATCH_UP) + 1 / this.rateAt(now);
		return 0;
	}

	/** Notes that the service took a request. */
	accept(): void {
		this.accepted += 1;
	}

	/** Notes that the service told a request to wait that long. */
	hold(now: number, wait: number): void {
		// The rest of a burst is refused together with its first; there is nothing new in it.
		this.refusal ??= { at: now, wait };
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
	}

	private learn({ at, wait }: { at: number; wait: number }): void {
		const elapsed = at - (this.since ?? at);
		if (this.accepted >= ENOUGH_TO_LEARN) {
			const average = this.accepted / Math.max(elapsed, wait);
			// A confirmed rate began below the limit to end above it: its average lies below.
			const taken = this.isConfirmed ? average * (1 + 2 * DIP) : average;
			const reached = this.rateAt(at);
			this.isConfirmed = this.rate !== undefined;
			this.rate = MARGIN * Math.min(taken, reached);
		}
		this.refusal = undefined;
		this.since = undefined;
		this.accepted = 0;
		this.nextStart = this.pausedUntil;
	}

	private rateAt(now: number): number {
		const rate = this.rate ?? Infinity;
		const elapsed = now - (this.since ?? now);
		if (!this.isConfirmed) return rate * 2 ** (elapsed / DOUBLING);
		return rate * (1 + DIP * ((elapsed - RECOVERY) / RECOVERY) ** 3);
	}
}
