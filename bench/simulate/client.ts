import type { Events } from './events';

/** Decides when a request may start, like `Pace`. */
export interface Pacing {
	ask(now: number): number;
	accept(): void;
	hold(now: number, wait: number, startedAt: number): void;
	perSecond(now: number): number | undefined;
}

/** Decides how many may be in flight, like `AutomaticLimit`. */
export interface Limiting {
	limit(perSecond?: number): number;
	started(now: number): void;
	ended(now: number, outcome: 'accepted' | 'refused', startedAt: number): void;
}

/** The service's response: accepted, or refused with or without Retry-After, in milliseconds. */
export type Reply = 'accepted' | { retryAfter: number | undefined };

/** The network and the service. */
export type Send = (now: number, answer: (at: number, reply: Reply) => void) => void;

/** The rules of nodes/shared/account/account.ts and of the backoff in nodes/shared/http/retry.ts. */
const MOST_PAUSES = 5;
const LONGEST_RETRY_AFTER = 120_000;
const FIRST_BACKOFF = 1_000;

const PATIENCE = 120_000;

/** CPU time of a request on n8n's main thread, in milliseconds. */
const CPU = 1.5;
/** The probability of a garbage collection within half a request, and its longest duration. */
const COLLECTIONS = 0.001;
const COLLECTION = 50;
/** One timer in ten is late by up to 30 ms, the others by up to 2. */
const LATE_TIMERS = 0.1;

/** One n8n process that sends the requests of one account, like `Account`. */
export class Client {
	sent = 0;
	refused = 0;
	/** How often a request would give up: nothing taken in five pauses in a row and two minutes. It goes on. */
	failed = 0;
	mostInFlight = 0;
	/** When the last request was accepted. */
	endedAt = 0;
	/** From each start to its response. */
	readonly answerTimes: number[] = [];

	private inFlight = 0;
	private pauses = 0;
	private pausesInARow = 0;
	private takenAt = -Infinity;
	private busyUntil = 0;
	private wakesAt = Infinity;

	/** @param work how many requests are left; set it to 0 to start no more */
	constructor(
		private readonly events: Events,
		private readonly random: () => number,
		private readonly send: Send,
		private readonly pace: Pacing,
		private readonly limit: Limiting,
		public work: number,
	) {}

	/** Starts the requests that may start. */
	pump(now: number): void {
		while (this.work > 0 && this.inFlight < this.limit.limit(this.pace.perSecond(now))) {
			const wait = this.pace.ask(now);
			if (wait > 0) {
				this.wakeAt(now + wait);
				return;
			}
			this.start(now);
		}
	}

	private wakeAt(at: number): void {
		if (this.wakesAt <= at) return;
		this.wakesAt = at;
		const late = (this.random() < LATE_TIMERS ? 30 : 2) * this.random();
		// Timers are whole milliseconds, and never early.
		this.events.plan(Math.ceil(at) + late, (now) => {
			if (this.wakesAt !== at) return;
			this.wakesAt = Infinity;
			this.pump(now);
		});
	}

	private start(startedAt: number): void {
		this.work -= 1;
		this.sent += 1;
		this.inFlight += 1;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		this.limit.started(startedAt);
		const pause = this.pauses;
		this.send(this.compute(startedAt), (at, reply) => {
			this.events.plan(this.compute(at), (now) => {
				this.inFlight -= 1;
				if (reply === 'accepted') this.accept(now, startedAt);
				else this.hold(now, reply.retryAfter ?? 0, startedAt, pause);
				this.pump(now);
			});
		});
	}

	/** @returns when half of a request's CPU work is done */
	private compute(now: number): number {
		const collection = this.random() < COLLECTIONS ? COLLECTION * this.random() : 0;
		this.busyUntil = Math.max(this.busyUntil, now) + CPU / 2 + collection;
		return this.busyUntil;
	}

	private accept(now: number, startedAt: number): void {
		this.endedAt = now;
		this.pausesInARow = 0;
		this.takenAt = now;
		this.answerTimes.push(now - startedAt);
		this.limit.ended(now, 'accepted', startedAt);
		this.pace.accept();
	}

	private hold(now: number, retryAfter: number, startedAt: number, pause: number): void {
		this.refused += 1;
		// It will be retried.
		this.work += 1;
		this.limit.ended(now, 'refused', startedAt);
		if (pause === this.pauses) {
			this.pauses += 1;
			this.pausesInARow += 1;
		}
		const isInVain = this.pausesInARow >= MOST_PAUSES && now - this.takenAt >= PATIENCE;
		if (retryAfter > LONGEST_RETRY_AFTER || isInVain) this.failed += 1;
		const doublings = Math.min(this.pausesInARow, MOST_PAUSES - 1) - 1;
		const backoff = FIRST_BACKOFF * 2 ** doublings * (0.5 + 0.5 * this.random());
		this.pace.hold(now, Math.max(retryAfter, backoff), startedAt);
	}
}
