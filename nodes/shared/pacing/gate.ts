import type { Health } from '../errors/outcomes';

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
/** A longer pause than this is not for a limit per second, but for a quota that all have used up. */
const QUOTA_PAUSE = 5_000;
/**
 * Limits are per second or longer, so what was accepted is counted over at least a second. Trouble pauses for as long
 * at first, for a short outage.
 */
const SECOND = 1_000;
/** After so many requests in a row that met trouble, the service is taken to be in trouble. */
const TROUBLES_IN_A_ROW = 3;
/** The longest pause for trouble, in milliseconds: rare requests in a long outage. */
const LONGEST_PAUSE = 30_000;

/**
 * When the next request of a lane may start: at once until the service first asks for a pause or is in trouble.
 * If it asks for a pause, all wait for as long as it asks, and from then on they start one by one, at a rate:
 *
 * 1. Slow start: the rate begins at what was accepted before the pause, and doubles again and again until
 *    the next refusal. Then it begins at what was accepted meanwhile, and is known.
 * 2. Known: a refusal lowers the rate a little. It then grows with the cube of the time: hardly at first,
 *    so that those who share a limit come to equal parts of it. After twice the rate it is unknown again.
 * 3. After the pause for a quota that is used up, all begin at one per second, with a slow start.
 *
 * The rate grows only while requests start.
 *
 * If a few in a row meet trouble, all pause as well (a circuit breaker), so that a long run does not send everything into
 * an outage. Then one request probes the service: if it meets trouble too, the next pause is twice as long. When the
 * service answers, all go on.
 *
 * All times are in milliseconds, by the caller's clock, and rates in requests per millisecond.
 */
export class Gate {
	/** The rate as it was last set; it has grown since. Undefined: no limit. */
	private rate: number | undefined;
	private isKnown = false;
	/** For how long requests have been starting at the rate, since it was set. */
	private active = 0;
	/**
	 * The same, but of the time before each start, up to a second counts, or up to the interval if that is longer. Trouble
	 * begins it anew.
	 */
	private sending = 0;
	/** How many of them the service answered, without asking to wait. */
	private answered = 0;
	/** How many requests in a row met trouble. */
	private troubles = 0;
	private startedAt = -SECOND;
	private nextAt = 0;
	/** Until then nothing starts, because the service asked for it. */
	private pausedUntil = 0;
	/** Until then nothing starts, because the service is in trouble, or a request probes it. */
	private troubledUntil = 0;
	/** When the latest pause ended, or ends. What started before says nothing new about trouble, or about the rate. */
	private resumedAt = 0;
	/** How long the service asked to wait; undefined once that pause is over. */
	private asked: number | undefined;

	/** @param random returns numbers from 0 to 1 */
	constructor(private readonly random: () => number) {}

	/** @returns how long the next request waits for its start */
	waitLeft(now: number): number {
		const until = Math.max(this.pausedUntil, this.troubledUntil);
		if (now < until) return until - now;
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
		// This one probes the service: the others wait for its end.
		if (this.isInTrouble) this.troubledUntil = now + LONGEST_PAUSE;
	}

	/** @param pause how long nothing starts now, if the service refused the request */
	ended(now: number, health: Health, startedAt: number, pause = 0): void {
		const isStale = startedAt < this.resumedAt;
		if (health === 'trouble') return isStale ? undefined : this.meetTrouble(now);
		if (this.isInTrouble && (health !== 'nothing' || !isStale)) this.resumeFromTrouble(now);
		if (health === 'nothing') return;
		this.troubles = 0;
		if (health === 'answered') this.answered += 1;
		else {
			this.pausedUntil = Math.max(this.pausedUntil, now + pause);
			if (!isStale) this.asked = Math.max(this.asked ?? 0, pause);
		}
	}

	private get isInTrouble(): boolean {
		return this.troubles >= TROUBLES_IN_A_ROW;
	}

	private meetTrouble(now: number): void {
		this.troubles += 1;
		// Trouble now and then slows nothing down.
		if (!this.isInTrouble) return;
		const pause = Math.min(SECOND * 2 ** (this.troubles - TROUBLES_IN_A_ROW), LONGEST_PAUSE);
		this.troubledUntil = this.resumedAt = now + pause;
		// Trouble says nothing about the rate, so what was answered is counted anew.
		this.sending = this.answered = 0;
	}

	/** Ends the pause. After a request that said nothing about the service, the next one probes it; else all go on. */
	private resumeFromTrouble(now: number): void {
		this.resumedAt = Math.min(this.resumedAt, now);
		this.troubledUntil = now;
	}

	private resume(now: number, pause: number): void {
		this.onThrottled(pause);
		this.asked = undefined;
		this.resumedAt = now;
		// Without chance, all processes would start at the same moment.
		this.nextAt = now + this.random() * this.interval;
		// The pause does not count as time in which requests start.
		this.startedAt = this.nextAt - this.interval;
	}

	private onThrottled(pause: number): void {
		const { rate, isKnown, answered, sending } = this;
		const measured = Math.max(1, answered) / Math.max(sending, SECOND);
		// Nothing was answered since the pause: it was too short, which says nothing about the rate.
		if (rate !== undefined && answered === 0) return;
		if (pause > QUOTA_PAUSE) this.setRate(1 / SECOND, false);
		else if (isKnown) this.setRate(BETA * this.currentRate, true);
		else if (rate !== undefined) this.setRate(measured, true);
		// At least one per second: if trouble kept requests from being accepted, that says nothing about the rate.
		else this.setRate(Math.max(measured, 1 / SECOND), false);
	}

	private setRate(rate: number, isKnown: boolean): void {
		Object.assign(this, { rate, isKnown, active: 0, sending: 0, answered: 0 });
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
