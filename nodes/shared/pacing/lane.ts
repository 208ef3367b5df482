import type { Failure } from '../errors/failure';
import { notSentAfter } from '../errors/notSent';
import type { Health } from '../errors/outcomes';
import { backoff, LONGEST_RETRY_AFTER } from '../time/timeLimits';
import * as realTime from '../time/clock';
import { AutomaticLimit } from './automaticLimit';
import { Gate } from './gate';
import type { RunInLanes } from './runInLanes';

/** A request gives up after this many refusals while others are accepted: its pace is not the reason. */
const MOST_REFUSALS = 10;

/**
 * A lane without room looks this often whether there is some, in milliseconds: nothing tells it that a request in
 * flight has become overdue.
 */
const RECHECK = 1_000;

/**
 * The lanes of an account: the requests that create a job, and all others. `start` and `most` are the automatic limit,
 * at first and at most: each job costs money, so jobs begin one by one.
 */
export const LANES = {
	jobs: { start: 1, most: 10 },
	others: { start: 10, most: 100 },
};

export type LaneName = keyof typeof LANES;

/** A request in a lane, with all its attempts. */
interface Entry {
	readonly run: RunInLanes;
	readonly cameAt: number;
	/** When its latest attempt started. */
	startedAt: number;
	/** Whether it goes before the requests of its run that have not been sent yet. */
	goesFirst: boolean;
	/** How often it was refused. Without an answer to another request in between, refusals count as one. */
	refusals: number;
	/** How many requests of the lane were answered when this one was last refused. */
	answeredBefore?: number;
	/** Starts it: set while it waits for its turn. */
	begin?: () => void;
	/** Ends its wait without a start. */
	reject?: (reason: Error) => void;
}

/** What the end of a request says about the service. */
export interface End {
	health: Health;
	/** Of a request that the service refused, or that met trouble. */
	failure?: Failure;
}

/** A lane's clock: that of `shared/time/clock.ts`, or a simulation's. */
export type Clock = Pick<typeof realTime, 'now' | 'after' | 'nextLoop'>;

/**
 * A lane of an account: all requests that create a job, or all others, because the service can limit each by
 * itself. All runs of this process share it: it decides how fast requests start, how many are in flight, and
 * whose turn it is. Times are in milliseconds.
 */
export class Lane {
	private readonly gate: Gate;
	private readonly automaticLimit: AutomaticLimit;
	/** The waiting requests, by run. The run whose turn it is comes first. */
	private readonly queues = new Map<RunInLanes, Entry[]>();
	/** Whether the latest start was urgent. If so, another request goes next. */
	private wasUrgent = false;
	/** Whether `serve` is called in the next turn of the event loop. */
	private isServeDue = false;
	private cancelNextLook: (() => void) | undefined;
	/** The runs that left, each with the reason. */
	private readonly turnedAway = new WeakMap<RunInLanes, Error>();
	private inFlight = 0;
	/** How many requests the service answered, without asking to wait. */
	private answered = 0;
	/** Since when the service has accepted nothing, and its last refusal or trouble. */
	private stalled: { since: number; until: number; failure: Failure } | undefined;
	private lastUsed: number;

	/** @param random returns numbers from 0 to 1 */
	constructor(
		name: LaneName,
		private readonly clock: Clock = realTime,
		private readonly random: () => number = Math.random,
	) {
		const { start, most } = LANES[name];
		this.automaticLimit = new AutomaticLimit(start, most);
		this.gate = new Gate(random);
		this.lastUsed = clock.now();
	}

	/** 0 while a request waits or is in flight. */
	get idleTime(): number {
		const isUsed = this.queues.size > 0 || this.inFlight > 0;
		return isUsed ? 0 : this.clock.now() - this.lastUsed;
	}

	enter(run: RunInLanes): Entry {
		const cameAt = this.clock.now();
		return { run, cameAt, startedAt: cameAt, goesFirst: false, refusals: 0 };
	}

	/**
	 * Sends a request when its turn has come. A retry goes before the later requests of its run, unless it was
	 * refused twice with nothing accepted in between. A refusal pauses the lane, and so does trouble that goes on.
	 *
	 * @returns what `exchange` returns, with a `pause`, the wait before its next turn, if the request was refused. It gives
	 * up if the service asks for more than two minutes, has given the lane nothing but refusals and trouble for two minutes
	 * while it waited, or keeps refusing it while it answers others. In the first two cases its run leaves the lane
	 * @throws the reason if the request or its run leaves before its turn
	 */
	async send<Sent extends End>(
		entry: Entry,
		exchange: () => Promise<Sent>,
	): Promise<Sent & { pause?: number }> {
		await new Promise<void>((begin, reject) => this.queue(Object.assign(entry, { begin, reject })));
		let sent: Sent | undefined;
		let pause: number | undefined;
		try {
			sent = await exchange();
		} finally {
			pause = this.ended(entry, sent ?? { health: 'nothing' });
		}
		return { ...sent, pause };
	}

	private queue(entry: Entry): void {
		const { run, goesFirst } = entry;
		const queue = this.queues.get(run) ?? [];
		const behind = goesFirst ? queue.findIndex((other) => !other.goesFirst) : -1;
		const index = behind < 0 ? queue.length : behind;
		queue.splice(index, 0, entry);
		this.queues.set(run, queue);
		// A request behind others of its run cannot start next.
		if (index === 0) this.serve();
	}

	/**
	 * Ends all waits of a run, in the next turn of the event loop; its later ones end in the same way. If the failure stops
	 * the run before that turn, `Stopped` replaces the reason: its other requests count as not started, not as failed.
	 */
	turnAway(run: RunInLanes, reason: Error): void {
		this.turnedAway.set(run, reason);
		this.serveSoon();
	}

	private ended(entry: Entry, { health, failure }: End): number | undefined {
		const time = this.clock.now();
		const { run, startedAt } = entry;
		this.inFlight -= 1;
		this.lastUsed = time;
		run.ended();
		if (run.isAutomatic) this.automaticLimit.ended(time, health, startedAt);
		if (health === 'answered') {
			this.answered += 1;
			this.stalled = undefined;
		} else if (failure && health !== 'nothing') {
			this.stalled = { since: this.stalled?.since ?? time, until: time, failure };
		}
		const wait = failure && health === 'throttled' ? this.refused(entry, failure) : undefined;
		this.gate.ended(time, health, startedAt, wait?.pause);
		// Another request may start, but only in the next turn of the event loop: this failure may stop its run.
		this.serveSoon();
		return wait?.isLast ? undefined : wait?.pause;
	}

	/** @returns how long the lane waits, and whether the request gives up */
	private refused(entry: Entry, failure: Failure): { pause: number; isLast: boolean } {
		const { retryAfter = 0 } = failure.facts;
		const isAgain = entry.answeredBefore === this.answered;
		const isTooLong = retryAfter > LONGEST_RETRY_AFTER;
		// A Retry-After that is too long pauses the lane only briefly: the request gives up, and the next
		// run tries again.
		const pause = Math.max(isTooLong ? 0 : retryAfter, backoff(isAgain ? 2 : 1, this.random()));
		// The service may refuse only this request, so the others of its run go first now.
		if (isAgain) entry.goesFirst = false;
		else entry.refusals += 1;
		entry.answeredBefore = this.answered;
		const why = isTooLong ? notSentAfter(failure) : this.stalledFor(entry);
		if (why && !this.turnedAway.has(entry.run)) this.turnAway(entry.run, why);
		return { pause, isLast: why !== undefined || entry.refusals >= MOST_REFUSALS };
	}

	/** Why a request is not sent if the service has accepted nothing of the lane for two minutes while it waited. */
	private stalledFor({ cameAt }: Entry): Failure | undefined {
		const { stalled } = this;
		if (!stalled || stalled.until - Math.max(stalled.since, cameAt) < LONGEST_RETRY_AFTER) return;
		return notSentAfter(stalled.failure);
	}

	/** Starts one request if one may start now, and otherwise sets a timer for when one may. */
	private serve(): void {
		if (this.isServeDue) return;
		this.cancelNextLook?.();
		this.cancelNextLook = undefined;
		const time = this.clock.now();
		this.endWaits();
		const wait = this.startNext(time);
		// One request per turn of the event loop: if they started together, they would be answered together, and n8n
		// would be idle until then.
		if (wait === 0) return this.serveSoon();
		this.automaticLimit.idle(time);
		if (wait < Infinity) this.cancelNextLook = this.clock.after(wait, () => this.serve());
	}

	private readonly serveSoon = (): void => {
		if (this.isServeDue) return;
		this.isServeDue = true;
		this.clock.nextLoop(() => {
			this.isServeDue = false;
			this.serve();
		});
	};

	/** Ends the waits of the runs that have left. */
	private endWaits(): void {
		for (const [run, queue] of this.queues) {
			const reason = this.turnedAway.get(run);
			if (!reason) continue;
			this.queues.delete(run);
			for (const { reject } of queue) reject?.(reason);
		}
	}

	/** @returns how long until a request may start; 0 when one has started, or a run has left */
	private startNext(time: number): number {
		const { next, untilRoom } = this.firstWithRoom(time);
		if (!next) return untilRoom;
		const why = this.stalledFor(next);
		if (why) {
			this.turnAway(next.run, why);
			return 0;
		}
		const wait = this.gate.waitLeft(time);
		if (wait === 0) this.start(next, time);
		return wait;
	}

	/**
	 * The next request of the first run that may have one more in flight. While both wait, an urgent run and another one
	 * take turns. If no run may, `untilRoom` is how long until the lane looks again.
	 */
	private firstWithRoom(time: number): { next?: Entry; untilRoom: number } {
		const hasRoom = this.automaticLimit.hasRoom(time);
		let next: Entry | undefined;
		let untilRoom = Infinity;
		for (const [run, [first]] of this.queues) {
			const own = run.waitLeft(time);
			if (own === Infinity) run.whenRoom(this.serveSoon);
			untilRoom = Math.min(untilRoom, own || RECHECK);
			if (own > 0 || (run.isAutomatic && !hasRoom)) continue;
			next ??= first;
			if (run.isUrgent !== this.wasUrgent) return { next: first, untilRoom };
		}
		return { next, untilRoom };
	}

	private start(entry: Entry, time: number): void {
		const { run } = entry;
		const queue = this.queues.get(run)!;
		queue.shift();
		// Its run goes behind the other runs.
		this.queues.delete(run);
		if (queue.length > 0) this.queues.set(run, queue);
		entry.startedAt = time;
		entry.goesFirst = true;
		this.wasUrgent = run.isUrgent;
		this.inFlight += 1;
		run.started(time);
		if (run.isAutomatic) this.automaticLimit.started(time);
		this.gate.start(time);
		entry.begin?.();
	}
}
