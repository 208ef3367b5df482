/** The fewest accepted requests in a round, so that one slow response does not decide. */
const LEAST_IN_ROUND = 8;
/** The shortest round, in milliseconds: n8n's timers are late by tens of them. */
const SHORTEST_ROUND = 150;
/** Growth continues while doubling the limit raises the goodput by this factor. */
const WORTH_DOUBLING = 1.25;
/** This many rounds without such a rise end the growth; a single one may be noise. */
const FLAT_ROUNDS = 2;
/** The smallest limit with this share of the best goodput is chosen, also in a trial. */
const NEARLY_BEST = 0.95;
/** The same if goodput stopped rising: the best is then the luckiest of several equal rounds. */
const NEARLY_BEST_OF_FLAT = 0.9;
/** Rounds at a limit before another one is tried: services change. */
const ROUNDS_BETWEEN_TRIALS = 20;
/**
 * The same after a successful trial, whose direction the next one keeps, and after a search that chose
 * less than the maximum.
 */
const ROUNDS_AFTER_SUCCESS = 5;
/** By what share of the limit a trial raises or lowers it. */
const TRIAL = 0.25;
/** The gain that makes a trial of a quarter more a success: half of what is possible. */
const WORTH_A_QUARTER = 1.125;
/** The limit is multiplied by this when the service is in trouble. */
const CUT = 0.7;
/**
 * A request that waits this long for its response, in milliseconds, and for this many average round
 * trips, no longer counts: others must not wait for the timeout of one that hangs.
 */
const OVERDUE = 10_000;
const OVERDUE_ROUND_TRIPS = 3;
/** Once a rate is known, this many round trips' worth of requests may be in flight. */
const ROUND_TRIPS = 2;
/** The minimum at a low rate, so that one request can start while another is slow. */
const LEAST_AT_A_RATE = 2;
/** The weight of a single response in the average round trip. */
const SMOOTHING = 0.1;

interface Round {
	began: number;
	accepted: number;
	/** How many of them were answered while the limit was fully used. */
	full: number;
}

/** The goodput at a limit, in accepted requests per millisecond. */
interface Found {
	limit: number;
	goodput: number;
}

/**
 * How many requests of an account may be in flight when "Concurrency" is not set. The limit grows as
 * long as that raises the goodput (accepted requests per second). Goodput stops rising when either
 * the service or n8n itself is saturated, and more requests in flight would only queue there.
 *
 * A round counts the accepted requests at one limit, from the first response to a request that
 * started at this limit. Rounds that mostly left the limit unused, or contained a refusal, are
 * discarded.
 *
 * All times are in milliseconds, by the caller's clock.
 */
export class AutomaticLimit {
	private current: number;
	/** When the requests in flight started. */
	private readonly inFlight: number[] = [];
	private endedAt = 0;
	/** How many requests met trouble since the last accepted one. */
	private inTrouble = 0;
	/** The average duration of an accepted request. */
	private roundTrip: number | undefined;
	/** When the limit last changed; responses to earlier requests belong to another limit. */
	private changedAt = 0;
	private round: Round | undefined;
	/** During the search: the goodput of each limit, in the order tried. */
	private search: Found[] | undefined = [];
	/** The goodput at the limit that was found, averaged over the rounds since. */
	private usual = 0;
	private rounds = 0;
	/** During a trial: the limit to go back to. */
	private home: number | undefined;
	/** How many rounds until the next trial, and whether it goes up. */
	private untilTrial = 0;
	private triesMore = false;

	/**
	 * @param start how many at first
	 * @param most how many at most
	 */
	constructor(
		start: number,
		private readonly most: number,
	) {
		this.current = start;
	}

	/**
	 * @param perSecond the rate at which requests start, once known
	 * @returns how many may be in flight now
	 */
	limit(perSecond?: number): number {
		if (perSecond === undefined || this.roundTrip === undefined) return this.current;
		const useful = Math.ceil((ROUND_TRIPS * perSecond * this.roundTrip) / 1000);
		return Math.min(this.current, Math.max(LEAST_AT_A_RATE, useful));
	}

	/** Whether one more may be in flight; `perSecond` as for `limit`. */
	hasRoom(now: number, perSecond?: number): boolean {
		if (this.inFlight.length >= this.most) return false;
		const since = now - Math.max(OVERDUE, OVERDUE_ROUND_TRIPS * (this.roundTrip ?? 0));
		return this.inFlight.filter((at) => at > since).length < this.limit(perSecond);
	}

	/** Records that a request started. */
	started(now: number): void {
		// Idle time says nothing about the limit.
		if (this.inFlight.length === 0 && now - this.endedAt > SHORTEST_ROUND) {
			this.round = undefined;
		}
		this.inFlight.push(now);
	}

	/**
	 * Records that a request ended.
	 *
	 * @param outcome `refused`: asked to wait, which `Pace` handles; `trouble`: a timeout, a 5xx or a
	 * broken connection, which counts only while nothing is accepted, because a single run may be the
	 * cause; `other`: says nothing about the limit
	 */
	ended(
		now: number,
		outcome: 'accepted' | 'refused' | 'trouble' | 'other',
		startedAt: number,
	): void {
		const isFull = this.inFlight.length >= this.current;
		this.inFlight.splice(this.inFlight.indexOf(startedAt), 1);
		this.endedAt = now;
		if (outcome === 'other') return;
		if (outcome === 'trouble') {
			this.inTrouble += 1;
			if (this.inTrouble >= Math.max(LEAST_IN_ROUND, this.current)) this.searchBelow(now);
			return;
		}
		if (outcome === 'refused') {
			this.round = undefined;
			return;
		}
		this.inTrouble = 0;
		const took = now - startedAt;
		this.roundTrip ??= took;
		this.roundTrip += SMOOTHING * (took - this.roundTrip);
		if (startedAt < this.changedAt) return;
		if (!this.round) {
			this.round = { began: now, accepted: 0, full: 0 };
			return;
		}
		this.round.accepted += 1;
		if (isFull) this.round.full += 1;
		this.judge(now, this.round);
	}

	/** After a whole round of trouble with nothing accepted: searches again from a lower limit. */
	private searchBelow(now: number): void {
		this.inTrouble = 0;
		this.search = [];
		this.home = undefined;
		this.change(now, Math.max(1, Math.floor(CUT * this.current)));
	}

	private judge(now: number, { began, accepted, full }: Round): void {
		// Whole batches: if all responses arrive at once, part of a batch would look like a higher
		// rate.
		const enough = Math.ceil(LEAST_IN_ROUND / this.current) * this.current;
		if (accepted < enough || now - began < SHORTEST_ROUND) return;
		this.round = { began: now, accepted: 0, full: 0 };
		if (full < accepted / 2) return;
		const goodput = accepted / (now - began);
		if (this.search) this.grow(now, [...this.search, { limit: this.current, goodput }]);
		else if (this.home !== undefined) this.decide(now, this.home, goodput);
		else this.stay(now, goodput);
	}

	private grow(now: number, search: Found[]): void {
		const best = Math.max(...search.map(({ goodput }) => goodput));
		const before = Math.max(...search.slice(0, -FLAT_ROUNDS).map(({ goodput }) => goodput));
		const isFlat = search.length > FLAT_ROUNDS && best < WORTH_DOUBLING * before;
		if (isFlat || this.current === this.most) {
			const least = (isFlat ? NEARLY_BEST_OF_FLAT : NEARLY_BEST) * best;
			const { limit, goodput } = search.find((found) => found.goodput >= least)!;
			// At the maximum a lower limit is rarely better: it is tried later.
			const soon = limit < this.most;
			this.settle(now, limit, goodput, soon ? ROUNDS_AFTER_SUCCESS : ROUNDS_BETWEEN_TRIALS);
			return;
		}
		this.search = search;
		this.change(now, Math.min(this.most, 2 * this.current));
	}

	private settle(now: number, limit: number, goodput: number, untilTrial: number): void {
		this.search = undefined;
		this.home = undefined;
		this.usual = goodput;
		this.rounds = 0;
		this.untilTrial = untilTrial;
		this.change(now, limit);
	}

	private stay(now: number, goodput: number): void {
		this.rounds += 1;
		this.usual += (goodput - this.usual) / Math.min(this.rounds, ROUNDS_BETWEEN_TRIALS);
		if (this.rounds < this.untilTrial) return;
		if (this.current === 1) this.triesMore = true;
		if (this.current === this.most) this.triesMore = false;
		const step = Math.max(1, Math.round(TRIAL * this.current));
		this.home = this.current;
		const other = this.current + (this.triesMore ? step : -step);
		this.change(now, Math.min(this.most, other));
	}

	private decide(now: number, home: number, goodput: number): void {
		const isBetter = goodput >= (this.triesMore ? WORTH_A_QUARTER : NEARLY_BEST) * this.usual;
		if (isBetter) this.settle(now, this.current, goodput, ROUNDS_AFTER_SUCCESS);
		else {
			this.triesMore = !this.triesMore;
			this.settle(now, home, this.usual, ROUNDS_BETWEEN_TRIALS);
		}
	}

	private change(now: number, limit: number): void {
		this.current = limit;
		this.changedAt = now;
		this.round = undefined;
	}
}
