import type { Health } from '../errors/outcomes';
import { OVERDUE } from '../time/timeLimits';

/** A round has at least this many responses, so that one slow response does not decide. */
const LEAST_IN_ROUND = 8;
/** The shortest round, in milliseconds: n8n's timers can be late by tens of milliseconds. */
const SHORTEST_ROUND = 100;
/** A doubled limit must raise the goodput by a tenth. BBR asks for a quarter, but n8n's own work hides a part of the rise. */
const WORTH_DOUBLING = 1.1;
/**
 * BBR ends its start-up after three rounds without a rise. Here it is two, so that a service gets at most
 * four times what it can take.
 */
const FLAT_ROUNDS = 2;
/** How long a limit that was found is kept, in milliseconds: services change. */
const KEPT = 60_000;

/**
 * How many requests of a lane may be in flight when "Concurrency" is not set. It is found as in the start-up
 * of BBR: the limit doubles with each round of responses while that raises the goodput (accepted requests per
 * second). When it no longer does, the service or n8n itself is saturated, and more requests would only
 * queue: the limit goes back to the last one that raised the goodput. After a while, or when a whole round fails, the
 * search begins again at half the limit.
 *
 * A round counts only responses that come while the limit is used up: a refusal, or room that nothing uses,
 * begins a new round. All times are in milliseconds, by the caller's clock.
 */
export class AutomaticLimit {
	private limit: number;
	/** When the requests in flight started. */
	private readonly inFlight: number[] = [];
	private round = { began: 0, responses: 0, answered: 0 };
	/** The limit with the highest goodput so far, in requests per millisecond. */
	private best = { limit: 0, goodput: 0 };
	/** Rounds since the goodput last rose. */
	private flatRounds = 0;
	/** When the next search begins; undefined during a search. */
	private keptUntil: number | undefined;

	constructor(
		start: number,
		private readonly most: number,
	) {
		this.limit = start;
	}

	hasRoom(now: number): boolean {
		return this.inFlight.length < this.most && this.counted(now) < this.limit;
	}

	started(now: number): void {
		this.inFlight.push(now);
	}

	ended(now: number, health: Health, startedAt: number): void {
		this.inFlight.splice(this.inFlight.indexOf(startedAt), 1);
		if (health === 'nothing') return;
		if (health === 'throttled') return this.beginRound(now);
		const { round } = this;
		// The time before the first request of the round does not count.
		if (round.responses === 0) round.began = Math.max(round.began, startedAt);
		round.responses += 1;
		if (health === 'answered') round.answered += 1;
		const isOver =
			round.responses >= Math.max(LEAST_IN_ROUND, this.limit) &&
			now - round.began >= SHORTEST_ROUND;
		if (isOver) this.endRound(now);
	}

	/** Begins a new round if the limit is not used up: there is room, and no request starts. */
	idle(now: number): void {
		if (this.hasRoom(now)) this.beginRound(now);
	}

	private counted(now: number): number {
		return this.inFlight.filter((startedAt) => now - startedAt <= OVERDUE).length;
	}

	private beginRound(now: number): void {
		this.round = { began: now, responses: 0, answered: 0 };
	}

	private endRound(now: number): void {
		const { began, answered } = this.round;
		this.beginRound(now);
		if (answered === 0 || now >= (this.keptUntil ?? Infinity)) this.search();
		else if (this.keptUntil === undefined) this.judge(answered / (now - began), now);
	}

	private search(): void {
		this.limit = Math.ceil(this.limit / 2);
		this.best = { limit: this.limit, goodput: 0 };
		this.flatRounds = 0;
		this.keptUntil = undefined;
	}

	private judge(goodput: number, now: number): void {
		if (goodput >= WORTH_DOUBLING * this.best.goodput) {
			this.best = { limit: this.limit, goodput };
			this.flatRounds = 0;
		} else this.flatRounds += 1;
		if (this.flatRounds < FLAT_ROUNDS) this.limit = Math.min(2 * this.limit, this.most);
		else {
			this.limit = this.best.limit;
			this.keptUntil = now + KEPT;
		}
	}
}
