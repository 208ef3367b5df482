/**
 * With fewer accepted requests than this a rate is not measured; the search doubles it instead. At 1
 * or 2 per second there are never more between two of the first refusals.
 */
const ENOUGH_TO_MEASURE = 5;
/**
 * The longest window a service is assumed to have when too few requests were accepted, in
 * milliseconds.
 */
const GUESSED_MEMORY = 2_000;
/** How long the rate takes to double during the search, in milliseconds. */
const SEARCH_DOUBLING = 1_000;
/** The search ends below the accepted rate, because responses do not arrive evenly. */
const SEARCH_MARGIN = 0.96;

/**
 * A wait this long, in milliseconds, means that a quota of a minute or more is used up: what counts
 * is the average over the whole time, including the wait.
 */
const QUOTA_WAIT = 5_000;
/**
 * How fast a rate grows under a quota, in requests per second, per second. A quota refuses all
 * processes at once, so only an equal gain for all brings their rates together.
 */
const QUOTA_GAIN = 3;

/**
 * How long the rate takes to recover to where it was refused, in milliseconds. With the time until
 * the next refusal that is about 20 s: a refusal every 20 s costs a process at most 1 request in 20,
 * even at 1 per second, and less than a tenth of its time at any rate.
 */
const RECOVERY = 16_000;
/**
 * How long it takes to double from there, slowly at first: without a refusal it doubles within 30 s.
 */
const DOUBLING = 10_000;
/** A refusal within this part of the recovery is early: the next target is lower. */
const EARLY = 0.6;
/** How far above the new rate the target is after an early refusal. */
const EARLY_GOAL = 1.05;
/** The target is below the refused rate, because timers and connections are not even. */
const MARGIN = 0.97;
/** The same when refusals keep coming at the same rate. */
const STEADY_MARGIN = 0.99;
/** One refusal lowers the rate no further than this: another process may have been too fast. */
const LOWEST_CUT = 0.7;
/** The rate that was too high is that of a second ago: a service's window is at least that long. */
const HINDSIGHT = 1_000;

/**
 * Two refusals in a row at rates that differ by less mean that no other process shares the limit: it
 * would move it.
 */
const SAME_RATE = 0.015;
/** The recovery then takes this many times longer, so that finding the same limit again costs less. */
const STEADY_RECOVERY = 2;

/**
 * The longest random delay of the first start after a pause, as a part of the time between two
 * starts.
 */
const JITTER = 0.3;
/**
 * How much time lost to late timers is made up for, in milliseconds: after a long delay, all of it
 * would be a burst beyond the limit, and a refusal costs more time than that gains.
 */
const CATCH_UP = 20;
/** The longest wait between two questions, because the rate grows meanwhile. */
const LONGEST_WAIT = 1_000;
/**
 * After a longer gap between two questions, in milliseconds, the account was idle: the rate does not
 * grow.
 */
const IDLE = 2_000;

/**
 * How fast the requests of an account may start: without a limit until the service first asks for a
 * pause. Then all wait as long as it asks, and from then on requests start at a rate that is learned
 * from each refusal:
 *
 * 1. Search: from the accepted rate before the first refusal it doubles each second until the next.
 * 2. Recovery: each refusal lowers it, an early one more; it recovers, first fast, then slowly, to
 *    just below where it was refused, and from there grows faster and faster (the curve of TCP
 *    CUBIC). So processes that share a limit converge to equal parts of it.
 * 3. Quota, shown by a long wait: the rate starts at the average over the time and the wait.
 *
 * All times are in milliseconds, by the caller's clock.
 */
export class Pace {
	private pausedUntil = 0;
	/** The first refusal of the current pause: after how long it came, and the wait it asked for. */
	private refusal: { elapsed: number; wait: number } | undefined;
	/** Requests per millisecond after the last pause; undefined before the first refusal. */
	private rate: number | undefined;
	private growth: 'search' | 'near' | 'quota' = 'search';
	/** The rate to recover to. */
	private goal = 0;
	/** The last refused rate, and whether it equals the one before. */
	private refusedRate = 0;
	private isSteady = false;
	/** When requests started again after the last pause. */
	private resumedAt: number | undefined;
	/** The busy time since then, and when a start was last asked for. */
	private active = 0;
	private askedAt = 0;
	/** How many requests were accepted since then. */
	private accepted = 0;
	/** When the last start was due. */
	private startedAt = 0;

	/** @param random returns numbers from 0 to 1 */
	constructor(private readonly random: () => number = Math.random) {}

	/**
	 * Asks for a start.
	 *
	 * @returns how long to wait; 0 when the request may start now. Ask again after a wait: the
	 * service may have refused another request meanwhile
	 */
	ask(now: number): number {
		if (now < this.pausedUntil) return this.pausedUntil - now;
		if (this.refusal) this.learn(this.refusal);
		if (this.resumedAt === undefined) this.resume(now);
		this.active = this.elapsed(now);
		this.askedAt = now;
		if (this.rate === undefined) return 0;
		const due = this.startedAt + 1 / this.rateAfter(this.active);
		if (now < due) return Math.min(due - now, LONGEST_WAIT);
		this.startedAt = Math.max(due, now - CATCH_UP);
		return 0;
	}

	/** Records that the service accepted a request. */
	accept(): void {
		this.accepted += 1;
	}

	/**
	 * Records that the service refused a request and asked for this wait.
	 *
	 * @param startedAt when the request started: one from before the last pause was refused together
	 * with the one that caused it, and is ignored
	 */
	hold(now: number, wait: number, startedAt: number): void {
		if (this.resumedAt !== undefined && startedAt >= this.resumedAt) {
			this.refusal ??= { elapsed: this.elapsed(now), wait };
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
	}

	/** @returns the rate at which requests start, per second; undefined until known */
	perSecond(now: number): number | undefined {
		return this.rate === undefined ? undefined : 1_000 * this.rateAfter(this.elapsed(now));
	}

	private resume(now: number): void {
		this.resumedAt = now;
		this.askedAt = now;
		this.active = 0;
		this.accepted = 0;
		// So that not all processes start at the same moment.
		if (this.rate) this.startedAt = now - (1 - JITTER * this.random()) / this.rate;
	}

	/** How long requests have been starting since the last pause, without idle time. */
	private elapsed(now: number): number {
		return this.active + Math.min(now - this.askedAt, IDLE);
	}

	private learn({ elapsed, wait }: { elapsed: number; wait: number }): void {
		const reached = this.rateAfter(elapsed);
		const average = this.accepted / (elapsed + wait);
		const isMeasured = this.accepted >= ENOUGH_TO_MEASURE;
		if (wait >= QUOTA_WAIT && isMeasured) {
			this.rate = Math.min(reached, average);
			this.growth = 'quota';
		} else if (this.growth === 'search') {
			// The service's window is at least as long as the wait it asks for.
			const memory = isMeasured ? wait : Math.min(wait, GUESSED_MEMORY);
			const taken = Math.max(1, this.accepted) / Math.max(elapsed, memory);
			if (this.rate !== undefined && wait < QUOTA_WAIT) this.growth = 'near';
			this.goal = Math.min(taken, reached) * (this.rate === undefined ? 1 : SEARCH_MARGIN);
			this.rate = this.goal;
		} else {
			this.stayNear(elapsed, average);
		}
		this.refusal = undefined;
		this.resumedAt = undefined;
	}

	private stayNear(elapsed: number, average: number): void {
		const refused = this.rateAfter(Math.max(0, elapsed - HINDSIGHT));
		const isEarly = elapsed < EARLY * this.recovery();
		// Only this many requests measure a rate this precisely; low rates never do.
		const isPrecise = this.accepted >= 1 / SAME_RATE;
		const isSame = Math.abs(refused / this.refusedRate - 1) <= SAME_RATE;
		this.isSteady = isPrecise && isSame && !isEarly;
		this.refusedRate = refused;
		this.rate = Math.min(MARGIN * refused, Math.max(LOWEST_CUT * refused, average));
		const goal = (this.isSteady ? STEADY_MARGIN : MARGIN) * refused;
		this.goal = isEarly ? Math.min(goal, EARLY_GOAL * this.rate) : goal;
		this.growth = 'near';
	}

	private recovery(): number {
		return this.isSteady ? STEADY_RECOVERY * RECOVERY : RECOVERY;
	}

	/** The rate after this much busy time since the last pause. */
	private rateAfter(elapsed: number): number {
		const { rate, goal } = this;
		if (rate === undefined) return Infinity;
		if (this.growth === 'search') return rate * 2 ** (elapsed / SEARCH_DOUBLING);
		if (this.growth === 'quota') return rate + (QUOTA_GAIN * elapsed) / 1_000_000;
		const recovery = this.recovery();
		if (elapsed < recovery) return goal - (goal - rate) * (1 - elapsed / recovery) ** 3;
		const beyond = (elapsed - recovery) / DOUBLING;
		return goal * 2 ** (beyond < 1 ? beyond ** 2 : 2 * beyond - 1);
	}
}
