import type { Events } from './events';

/** What decides when a request may start, as `Pace` does. */
export interface Pacing {
	ask(now: number): number;
	accept(): void;
	hold(now: number, wait: number, startedAt: number): void;
	perSecond(now: number): number | undefined;
}

/** What decides how many may be in flight, as `AutomaticLimit` does. */
export interface Limiting {
	limit(perSecond?: number): number;
	started(now: number): void;
	ended(now: number, outcome: 'accepted' | 'refused', startedAt: number): void;
}

/** The service's answer: the request is taken, or told to wait so many milliseconds, or just to wait. */
export type Reply = 'taken' | { retryAfter: number | undefined };

/** The way to the service and back. */
export type Send = (now: number, answer: (at: number, reply: Reply) => void) => void;

/** The rules of nodes/shared/account/account.ts and of the backoff in nodes/shared/http/retry.ts. */
const MOST_PAUSES = 5;
const LONGEST_RETRY_AFTER = 120_000;
const FIRST_BACKOFF = 1_000;

const PATIENCE = 120_000;

/** What a request costs n8n's main thread, in milliseconds: one request after the other. */
const CPU = 1.5;
/** How often that thread collects garbage within half a request, and for how long at most. */
const COLLECTIONS = 0.001;
const COLLECTION = 50;
/** One timer in ten is late by up to 30 ms, the others by up to 2. */
const LATE_TIMERS = 0.1;

/** One n8n process that sends the requests of one account, as the account's object does. */
export class Client {
	sent = 0;
	refused = 0;
	/** How often a request would give up: nothing taken in five pauses in a row and two minutes. It goes on. */
	failed = 0;
	mostInFlight = 0;
	/** When the last request was taken. */
	endedAt = 0;
	/** From each start to its answer. */
	readonly answerTimes: number[] = [];

	private inFlight = 0;
	private pauses = 0;
	private pausesInARow = 0;
	private takenAt = -Infinity;
	private busyUntil = 0;
	private wakesAt = Infinity;

	/** @param work how many requests there are left; when it is set to 0, no more start */
	constructor(
		private readonly events: Events,
		private readonly random: () => number,
		private readonly send: Send,
		private readonly pace: Pacing,
		private readonly limit: Limiting,
		public work: number,
	) {}

	/** Starts what may start. */
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
				if (reply === 'taken') this.accept(now, startedAt);
				else this.hold(now, reply.retryAfter ?? 0, startedAt, pause);
				this.pump(now);
			});
		});
	}

	/** @returns when half of a request's work is done */
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
		// It is sent again.
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
