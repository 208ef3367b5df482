/**
 * With fewer accepted requests than this, a rate is only estimated. Under a limit of 1 or 2 per
 * second, there are never more between two of the first refusals.
 */
const ENOUGH_TO_MEASURE = 5;
/**
 * The longest window a service is assumed to have when too few requests were accepted to measure, in
 * milliseconds.
 */
const GUESSED_MEMORY = 2_000;
/** By how much Retry-After may be rounded up, in milliseconds. */
const ROUNDING = 1_000;
/** How long the rate takes to double during the search, in milliseconds. */
const SEARCH_DOUBLING = 1_000;
/**
 * A process is refused at once if fewer requests were accepted than start in this time, in
 * milliseconds.
 */
const AT_ONCE = 40;
/** The search ends below the measured rate, because responses do not arrive evenly. */
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
/** It takes at least this long to double, or a low rate would end each minute in a burst. */
const QUOTA_DOUBLING = 1_000;

/**
 * How long the rate takes to recover to where it is held, in milliseconds. With the time until the
 * next refusal that makes about 20 s: at 1 per second, one request in 20 is refused.
 */
const RECOVERY = 17_000;
/** How long it takes to double from there, slowly at first: a rate left alone doubles within 30 s. */
const DOUBLING = 10_000;
/** After that it doubles this many times as fast. */
const LEFT_ALONE = 2.5;
/** Aims below the rate that was refused, because timers and connections are uneven. */
const MARGIN = 0.97;

/**
 * A process counts as alone if the search finds the same rate twice, with no larger difference than
 * this share.
 */
const SAME_RATE = 0.015;
/** How far below a refused rate a process that is alone goes on, as a share of this rate. */
const ALONE_DIP = 0.04;
/** The same at low rates, where a newcomer needs more room to find a free place. */
const LARGEST_ALONE_DIP = 0.08;
/** The room for a newcomer in requests per millisecond, which decides between the two. */
const ROOM = 0.8 / 1_000;
/**
 * How long the rate then takes to get back to the refused one, in milliseconds: no other process can
 * leave room, so there is little to find.
 */
const ALONE_RECOVERY = 60_000;
/** A process refused below this share of its highest rate is no longer alone. */
const STILL_ALONE = 0.92;

/** With fewer accepted requests than this since the last refusal, a rate is not known well. */
const MANY = 80;
/**
 * Where few were accepted, a refusal lowers the rate as if this time, in milliseconds, had been lost on
 * top of the time since the last refusal.
 */
const COST_OF_REFUSAL = 2_000;
/** A refusal lowers the rate at most to this share: another process may have been too fast. */
const LOWEST_CUT = 0.75;
/** How far above the new rate an early refusal lets it recover. */
const EARLY_GOAL = 1.03;
/**
 * The same two before a process has settled: others may be using up the limit, or it is alone and far
 * too slow.
 */
const LOWEST_UNSETTLED_CUT = 0.5;
const EARLY_UNSETTLED_GOAL = 1.4;
/**
 * How much of its gain a rate that is not known well keeps after it grew until it was refused:
 * processes grow in turn, and the room that one of them finds is not free.
 */
const PART_OF_GAIN = 0.5;
/** Never less than one request in ten seconds, so that the end of an outage is noticed. */
const LOWEST_RATE = 1 / 10_000;
/**
 * The shortest window a service is assumed to have, in milliseconds: what was accepted within less is
 * a burst, and the rate that was too high is the one at this time before the refusal.
 */
const SHORTEST_MEMORY = 1_000;

/** The longest delay of the first start after a pause, as a share of the time between two starts. */
const JITTER = 0.5;
/**
 * How much time lost to late timers is made up for, in milliseconds: to make up for all of a long
 * delay would be a burst beyond the limit, and a refusal costs more time than that gains.
 */
const CATCH_UP = 20;
/** The longest wait before a start is asked for again, because the rate grows meanwhile. */
const LONGEST_WAIT = 1_000;
/** How much of a gap between two calls of `ask` counts as busy, in milliseconds: the rest is idle. */
const IDLE = 2_000;
/** A rate grows only while at least this part of it is used: else nothing shows that it is free. */
const USED = 0.5;

/**
 * How fast the requests of an account may start: without a limit until the service first asks for a
 * pause. Then all wait as long as it asks, and from then on requests start at a rate that is learned
 * from each refusal:
 *
 * 1. Search: the rate starts at what was accepted before the first refusal, and doubles each second
 *    until the next.
 * 2. Near the limit: a refusal lowers the rate, the more the earlier it comes. The rate then recovers
 *    to where it is held, and grows beyond, slowly at first, until the next refusal; it is held higher
 *    by a part of this gain. So processes that share a limit settle at equal shares of it. A process
 *    that is alone goes only a little below the limit, and stays there longer.
 * 3. Quota: after a long wait, the rate starts at the average over the time before it and the wait.
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
	/** Whether a pause of the search was too short. If one is again, others use up the limit. */
	private wasTooShort = false;
	/** Where the rate recovers to, and is held. */
	private goal = 0;
	/** Whether a rate has ever recovered before the next refusal. */
	private isSettled = false;
	/** Whether no other process seems to use the limit. */
	private isAlone = false;
	/** The rate that ended the search, or a higher one that was refused since. */
	private highest = 0;
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
		const pauseLeft = this.pauseLeft(now);
		if (pauseLeft > 0) return pauseLeft;
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

	/** Records that a start was not used: the next request may have it. */
	giveBack(): void {
		if (this.rate !== undefined) this.startedAt -= 1 / this.rateAfter(this.active);
	}

	/** Records that the service accepted a request. */
	accept(): void {
		this.accepted += 1;
	}

	/**
	 * Records that the service refused a request and asked for this wait.
	 *
	 * @param startedAt when the request started: one from before the last pause was refused together
	 * with the one that caused it, and says nothing more about the rate
	 */
	hold(now: number, wait: number, startedAt: number): void {
		if (this.resumedAt !== undefined && startedAt >= this.resumedAt) {
			this.refusal ??= { elapsed: this.elapsed(now), wait };
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
	}

	/** @returns how long nothing starts because the service asked for a pause */
	pauseLeft(now: number): number {
		return Math.max(0, this.pausedUntil - now);
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
		const gap = now - this.askedAt;
		const isRecovering = this.growth === 'near' && this.active < this.recovery;
		const mayGrow = isRecovering || gap <= 1 / (USED * this.rateAfter(this.active));
		return this.active + (mayGrow || this.rate === undefined ? Math.min(gap, IDLE) : 0);
	}

	private learn({ elapsed, wait }: { elapsed: number; wait: number }): void {
		const average = this.accepted / (elapsed + wait);
		const isMeasured = this.accepted >= ENOUGH_TO_MEASURE;
		if (wait >= QUOTA_WAIT && isMeasured) {
			this.rate = Math.min(this.rateAfter(elapsed), average);
			this.goal = this.rate;
			this.growth = 'quota';
			this.isAlone = false;
		} else if (this.growth === 'search') {
			this.search(elapsed, wait, isMeasured);
		} else {
			this.stayNear(elapsed, average);
		}
		this.rate &&= Math.max(LOWEST_RATE, this.rate);
		this.goal = Math.max(LOWEST_RATE, this.goal);
		this.refusal = undefined;
		this.resumedAt = undefined;
	}

	private search(elapsed: number, wait: number, isMeasured: boolean): void {
		const isFirst = this.rate === undefined;
		// Refused at once after the first pause: it was too short, which says nothing about the rate.
		if (!this.wasTooShort && this.accepted < AT_ONCE * (this.rate ?? 0)) {
			this.wasTooShort = true;
			return;
		}
		// The service's window is at least as long as the wait it asks for, in whole seconds.
		const memory = isMeasured ? wait - ROUNDING : Math.min(wait, GUESSED_MEMORY);
		const taken = Math.max(1, this.accepted) / Math.max(elapsed, memory, SHORTEST_MEMORY);
		const margin = isFirst || !isMeasured ? 1 : SEARCH_MARGIN;
		this.rate = margin * Math.min(taken, this.rateAfter(elapsed));
		this.goal = this.rate;
		if (!isFirst && wait < QUOTA_WAIT) {
			this.growth = 'near';
			const isSame = Math.abs(taken / this.highest - 1) <= SAME_RATE;
			if (isMeasured && isSame) this.stayAlone(taken);
		}
		this.highest = taken;
	}

	private stayNear(elapsed: number, average: number): void {
		// An outage, or too short a pause: this says nothing about the rate.
		if (this.isAlone && this.accepted === 0) return;
		const refused = this.rateAfter(Math.max(0, elapsed - SHORTEST_MEMORY));
		this.isAlone &&= elapsed >= SHORTEST_MEMORY && refused >= STILL_ALONE * this.highest;
		this.highest = Math.max(this.highest, refused);
		if (this.isAlone) this.stayAlone(refused);
		else this.giveWay(refused, elapsed, average);
		this.growth = 'near';
	}

	/** Lowers the rate, the more the earlier the refusal came. */
	private giveWay(refused: number, elapsed: number, average: number): void {
		const isEarly = elapsed < RECOVERY;
		this.isSettled ||= !isEarly;
		const areMany = this.accepted >= MANY;
		const part = areMany ? average / refused : elapsed / (elapsed + COST_OF_REFUSAL);
		const lowest = this.isSettled ? LOWEST_CUT : LOWEST_UNSETTLED_CUT;
		const cut = Math.max(lowest, Math.min(MARGIN, part)) * refused;
		const gain = Math.max(1, refused / this.goal);
		const held = areMany ? refused : this.goal * gain ** PART_OF_GAIN;
		const above = this.isSettled ? EARLY_GOAL : EARLY_UNSETTLED_GOAL;
		this.goal = isEarly ? Math.min(MARGIN * refused, above * cut) : MARGIN * held;
		this.rate = Math.min(this.goal, cut);
	}

	/** Goes on a little below the refused rate. */
	private stayAlone(refused: number): void {
		this.isAlone = true;
		this.goal = refused;
		const dip = Math.max(ALONE_DIP, Math.min(LARGEST_ALONE_DIP, ROOM / refused));
		this.rate = (1 - dip) * refused;
	}

	private get recovery(): number {
		return this.isAlone ? ALONE_RECOVERY : RECOVERY;
	}

	/** The rate after this much busy time since the last pause. */
	private rateAfter(elapsed: number): number {
		const { rate, goal } = this;
		if (rate === undefined) return Infinity;
		if (this.growth === 'search') return rate * 2 ** (elapsed / SEARCH_DOUBLING);
		if (this.growth === 'quota') {
			const gain = Math.min(QUOTA_GAIN / 1_000_000, rate / QUOTA_DOUBLING);
			return rate + gain * elapsed;
		}
		if (elapsed < this.recovery) return goal - (goal - rate) * (1 - elapsed / this.recovery);
		const beyond = (elapsed - this.recovery) / DOUBLING;
		return goal * 2 ** (beyond < 1 ? beyond ** 1.5 : 1 + LEFT_ALONE * (beyond - 1));
	}
}
