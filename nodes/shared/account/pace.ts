/**
 * Fewer accepted requests than this do not measure a rate: the next one is a guess, found by
 * doubling. At 1 or 2 a second there are never more between two of the first refusals.
 */
const ENOUGH_TO_MEASURE = 5;
/** The longest memory a service is taken to have where too few were accepted, in milliseconds. */
const GUESSED_MEMORY = 2_000;
/** How long the rate takes to double while it is searched, in milliseconds. */
const SEARCH_DOUBLING = 1_000;
/** Where the search ends: below what was taken, because answers do not arrive evenly. */
const SEARCH_MARGIN = 0.96;
/** So few are not that exact. */
const ENOUGH_FOR_A_MARGIN = 20;

/**
 * A wait this long, in milliseconds, means a quota of a minute or more that is used up: what counts
 * is the average over the whole time, the wait included.
 */
const QUOTA_WAIT = 5_000;
/**
 * What a rate gains under a quota, in requests a second and second. All processes are refused at
 * once there, so only a gain that is the same for all brings their rates together.
 */
const QUOTA_GAIN = 3;
/** But no faster than to double in a second: few a second would else end each minute in a burst. */
const QUOTA_DOUBLING = 1_000;

/**
 * How long the rate takes to be back where it is held, in milliseconds. With the time until it is
 * refused again that is about 20 s: at 1 a second, a refusal each 20 s is 1 request in 20.
 */
const RECOVERY = 17_000;
/** How long it takes to double from there, slowly at first: a rate left alone doubles within 30 s. */
const DOUBLING = 10_000;
/** Left alone for that long, it doubles so many times as fast. */
const ALONE = 2.5;
/** Aims below the rate that was refused, because timers and connections are not even. */
const MARGIN = 0.97;
/** The same where refusals keep coming at the same rate. */
const STEADY_MARGIN = 0.99;

/**
 * Two refusals in a row at rates that differ by less are those of a process that has the limit alone:
 * others would move it.
 */
const SAME_RATE = 0.015;
/** The recovery takes so many times longer then, so that finding the same limit again costs less. */
const STEADY_RECOVERY = 2;
/** Only so many accepted since the last refusal tell a rate that well. */
const MANY = 1 / SAME_RATE;

/** Where many were accepted: a refusal within this part of the recovery comes early. */
const EARLY = 0.6;
/** How far above the new rate an early refusal lets it recover. */
const EARLY_GOAL = 1.05;
/** One refusal lowers the rate no further: it may be another process that was too fast. */
const LOWEST_CUT = 0.7;

/** Where few were accepted: a refusal costs the part that this time is of all since the last. */
const COST_OF_REFUSAL = 2_000;
/** How far above the new rate it recovers. Less than above: each refusal is a large part of few. */
const EARLY_GOAL_OF_FEW = 1.03;
/** And no further: lower while a process finds its place among others, which are there already. */
const LOWEST_CUT_OF_FEW = 0.5;
const LOWEST_SETTLED_CUT = 0.75;
/**
 * How far a rate that grew until it was refused goes on the way that it grew: processes grow in turn,
 * and what one of them finds is not free.
 */
const PART_OF_GAIN = 0.5;
/** Never less than one in ten seconds, or a service that was away would not be noticed to be back. */
const LOWEST_RATE = 1 / 10_000;
/** The rate that was too high is that of a second ago: a service looks back that far, or further. */
const HINDSIGHT = 1_000;

/** What part of the time between two starts the first one after a pause is delayed, at most. */
const JITTER = 0.5;
/**
 * How much of the time lost to late timers is made up for, in milliseconds: after a long delay, all
 * of it would be a burst beyond the limit, and a refusal costs more time than it had gained.
 */
const CATCH_UP = 20;
/** No wait is longer, because the rate grows meanwhile. */
const LONGEST_WAIT = 1_000;
/** A gap in the asking that is longer, in milliseconds, is an idle account: the rate does not grow. */
const IDLE = 2_000;

/**
 * How fast the requests of an account may start. As long as the service does not mind, there is no
 * limit. Once it answers that it is receiving too many, all wait as long as it asked for, and from
 * then on requests start at a rate, which is learned from each refusal:
 *
 * 1. It is searched: from what was taken before the first refusal it doubles each second until the
 *    next.
 * 2. It stays near: a refusal lowers it, the more the earlier it comes. Then it is held for as long as
 *    a refusal is worth, and grows, slowly at first, until the next: by a part of this gain it is held
 *    higher (much as in TCP CUBIC). So processes that share a limit settle at equal parts of it.
 * 3. A long wait shows a quota: the rate starts at the average over the time and the wait.
 *
 * All times are in milliseconds, of whatever clock the caller uses.
 */
export class Pace {
	private pausedUntil = 0;
	/** The first refusal of the present pause: after how long it came, and the wait it named. */
	private refusal: { elapsed: number; wait: number } | undefined;
	/** Requests a millisecond after the last pause; undefined before the first refusal. */
	private rate: number | undefined;
	private growth: 'search' | 'near' | 'quota' = 'search';
	/** Where the rate recovers to, and is held. */
	private goal = 0;
	/** Whether a rate was held until it grew again. */
	private isSettled = false;
	/** The rate that was refused last, and whether it was the same as the one before. */
	private refusedRate = 0;
	private isSteady = false;
	/** When starts were granted again after the last pause. */
	private resumedAt: number | undefined;
	/** The time since then in which somebody asked, and when that was last. */
	private active = 0;
	private askedAt = 0;
	/** How many were accepted since then. */
	private accepted = 0;
	/** When the last start was due. */
	private startedAt = 0;

	/** @param random gives numbers from 0 to 1 */
	constructor(private readonly random: () => number = Math.random) {}

	/**
	 * Asks for a start.
	 *
	 * @returns how long to wait; 0 means that the request may start now. After a wait, ask again: the
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

	/** Notes that the service took a request. */
	accept(): void {
		this.accepted += 1;
	}

	/**
	 * Notes that the service told a request to wait that long.
	 *
	 * @param startedAt when `ask` granted its start: a request from before the last pause was refused
	 * together with the one that began it, and teaches nothing new
	 */
	hold(now: number, wait: number, startedAt: number): void {
		if (this.resumedAt !== undefined && startedAt >= this.resumedAt) {
			this.refusal ??= { elapsed: this.elapsed(now), wait };
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
	}

	/** @returns the rate that requests start at, a second; undefined before one is known */
	perSecond(now: number): number | undefined {
		return this.rate === undefined ? undefined : 1_000 * this.rateAfter(this.elapsed(now));
	}

	private resume(now: number): void {
		this.resumedAt = now;
		this.askedAt = now;
		this.active = 0;
		this.accepted = 0;
		// Not all processes at the same moment.
		if (this.rate) this.startedAt = now - (1 - JITTER * this.random()) / this.rate;
	}

	/** How long requests have been starting since the last pause, without the idle time. */
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
			// The service's memory is at least as long as the wait it names.
			const memory = isMeasured ? wait : Math.min(wait, GUESSED_MEMORY);
			const taken = Math.max(1, this.accepted) / Math.max(elapsed, memory);
			const isFirst = this.rate === undefined;
			if (!isFirst && wait < QUOTA_WAIT) this.growth = 'near';
			const margin = isFirst || this.accepted < ENOUGH_FOR_A_MARGIN ? 1 : SEARCH_MARGIN;
			this.goal = margin * Math.min(taken, reached);
			this.rate = this.goal;
		} else {
			this.stayNear(elapsed, average);
		}
		this.refusal = undefined;
		this.resumedAt = undefined;
	}

	private stayNear(elapsed: number, average: number): void {
		const refused = this.rateAfter(Math.max(0, elapsed - HINDSIGHT));
		const areMany = this.accepted >= MANY;
		const isEarly = elapsed < (areMany ? EARLY : 1) * this.recovery;
		const isSame = Math.abs(refused / this.refusedRate - 1) <= SAME_RATE;
		this.isSteady = areMany && isSame && !isEarly;
		this.isSettled ||= !isEarly;
		this.refusedRate = refused;
		if (areMany) this.correct(refused, isEarly, average / refused);
		else this.giveWay(refused, isEarly, elapsed / (elapsed + COST_OF_REFUSAL));
		this.growth = 'near';
	}

	/** The rate is well known: it goes to just below the one that was refused. */
	private correct(refused: number, isEarly: boolean, part: number): void {
		this.rate = Math.min(MARGIN, Math.max(LOWEST_CUT, part)) * refused;
		const goal = (this.isSteady ? STEADY_MARGIN : MARGIN) * refused;
		this.goal = isEarly ? Math.min(goal, EARLY_GOAL * this.rate) : goal;
	}

	/** Few a second: each refusal is a large part of them, and says little. */
	private giveWay(refused: number, isEarly: boolean, part: number): void {
		const lowest = this.isSettled ? LOWEST_SETTLED_CUT : LOWEST_CUT_OF_FEW;
		const cut = Math.min(MARGIN, Math.max(lowest, part)) * refused;
		const gain = Math.max(1, refused / this.goal);
		const goal = isEarly
			? Math.min(MARGIN * refused, EARLY_GOAL_OF_FEW * cut)
			: MARGIN * this.goal * gain ** PART_OF_GAIN;
		this.goal = Math.max(LOWEST_RATE, goal);
		this.rate = Math.max(LOWEST_RATE, Math.min(goal, cut));
	}

	private get recovery(): number {
		return this.isSteady ? STEADY_RECOVERY * RECOVERY : RECOVERY;
	}

	/** The rate that long after a pause, as it was learned in the last one. */
	private rateAfter(elapsed: number): number {
		const { rate, goal } = this;
		if (rate === undefined) return Infinity;
		if (this.growth === 'search') return rate * 2 ** (elapsed / SEARCH_DOUBLING);
		if (this.growth === 'quota') {
			const gain = Math.min(QUOTA_GAIN / 1_000_000, rate / QUOTA_DOUBLING);
			return rate + gain * elapsed;
		}
		const lost = Math.max(0, 1 - elapsed / this.recovery);
		if (elapsed < this.recovery) return goal - (goal - rate) * lost ** 3;
		const beyond = (elapsed - this.recovery) / DOUBLING;
		return goal * 2 ** (beyond < 1 ? beyond ** 1.5 : 1 + ALONE * (beyond - 1));
	}
}
