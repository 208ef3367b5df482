import {
	askedToWaitTooLong,
	keepsAskingToWait,
	noTurn,
	serviceInTrouble,
	type LaneName,
} from '../errors/notSent';
import type { Health } from '../errors/outcomes';
import { backoff, LONGEST_RETRY_AFTER } from '../waits';
import { after, nextLoop, now } from '../time';
import { AutomaticLimit } from './automaticLimit';
import { Breaker } from './breaker';
import { Pace } from './pace';
import type { RunLimit } from './runLimit';

/** A request gives up after this many refusals while others are accepted: its pace is not the reason. */
const MOST_REFUSALS = 10;

/**
 * A lane with waiting requests looks at least this often whether one may start, in milliseconds. Nothing
 * tells it that a request in flight has become overdue, or that a run has room again because its request in
 * another lane ended.
 */
const RECHECK = 1_000;

/**
 * How many requests may be in flight under the automatic limit, at first and at most. Each job costs money,
 * so jobs begin one by one.
 */
export const IN_FLIGHT: Record<LaneName, { start: number; most: number }> = {
	jobs: { start: 1, most: 10 },
	others: { start: 10, most: 100 },
};

/** A run, or a dropdown or poll, as seen by a lane. */
export interface AccountRun {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	readonly runLimit: RunLimit;
	/** From this time on, no request starts. */
	readonly tooLateAt: number;
}

/** A request of a run. It asks for its turn before each attempt. */
export interface Entry {
	readonly run: AccountRun;
	/** Whether it counts towards the automatic limit: not with "Concurrency", for a guard, or for a dropdown. */
	readonly isAutomatic: boolean;
	/** Its place among the requests of its run. */
	position: number;
	readonly cameAt: number;
	/** How often it was refused. Refusals with nothing accepted in between count as one. */
	refusals: number;
	/** How many requests the lane had accepted when this one was last refused; undefined if it never was. */
	acceptedBefore: number | undefined;
}

/** A request whose turn has come. */
export interface Start {
	readonly entry: Entry;
	readonly at: number;
}

/** A lane's clock: that of `shared/time.ts`, or a simulation's. */
export interface Clock {
	now: typeof now;
	after: typeof after;
	nextLoop: typeof nextLoop;
}

/** A request in a run's queue. */
interface Waiting {
	readonly entry: Entry;
	readonly onStart: (start: Start) => void;
	readonly onLeave: (reason: unknown) => void;
}

/**
 * A lane of an account: all requests that create a job, or all others, because the service can limit each by
 * itself. All runs of this process share it: it decides how fast requests start, how many are in flight, and
 * whose turn it is. Times are in milliseconds.
 */
export class Lane {
	private readonly pace: Pace;
	private readonly automaticLimit: AutomaticLimit;
	private readonly breaker = new Breaker();
	/** The waiting requests, by run. The run whose turn it is comes first. */
	private readonly queues = new Map<AccountRun, Waiting[]>();
	/** Whether the latest start was urgent: the next one is not, if there is another. */
	private wasUrgent = false;
	/** Whether `serve` is called in the next turn of the event loop. */
	private isServeDue = false;
	private cancelNextLook: (() => void) | undefined;
	/** The runs that left, each with the reason. */
	private readonly hasLeft = new WeakMap<AccountRun, unknown>();
	private inFlight = 0;
	private positions = 0;
	/** How many requests the service accepted. */
	private accepted = 0;
	/** The time in which it accepted none, from the first refusal or trouble to the latest. */
	private stalled: { since: number; until: number; isTrouble: boolean } | undefined;
	private lastUsed: number;

	/** @param random returns numbers from 0 to 1 */
	constructor(
		private readonly name: LaneName,
		private readonly clock: Clock = { now, after, nextLoop },
		private readonly random: () => number = Math.random,
	) {
		const { start, most } = IN_FLIGHT[name];
		this.automaticLimit = new AutomaticLimit(start, most);
		this.pace = new Pace(random);
		this.lastUsed = clock.now();
	}

	/** 0 while a request waits or is in flight. */
	get idleTime(): number {
		const isUsed = this.queues.size > 0 || this.inFlight > 0;
		return isUsed ? 0 : this.clock.now() - this.lastUsed;
	}

	/** Gives a request its place in the lane. It then asks for its turn, before each attempt. */
	enter(run: AccountRun, isAutomatic: boolean): Entry {
		const [position, cameAt] = [this.nextPosition(), this.clock.now()];
		return { run, isAutomatic, position, cameAt, refusals: 0, acceptedBefore: undefined };
	}

	/**
	 * Waits for the request's turn. A retry goes before the later requests of its run, unless it was
	 * refused twice with nothing accepted in between.
	 *
	 * @param onStart called when the request may start; if it throws, the request does not start, and leaves
	 * @param onLeave called with the reason if the request or its run leaves before its turn
	 */
	turn(entry: Entry, onStart: Waiting['onStart'], onLeave: Waiting['onLeave']): void {
		const { run } = entry;
		if (this.hasLeft.has(run)) return onLeave(this.hasLeft.get(run));
		const queue = this.queues.get(run) ?? [];
		let index = queue.length;
		while (index > 0 && queue[index - 1]!.entry.position > entry.position) index -= 1;
		queue.splice(index, 0, { entry, onStart, onLeave });
		this.queues.set(run, queue);
		// Behind others of its run, it cannot start next.
		if (index === 0) this.serve();
	}

	/**
	 * Ends all waits of a run, and those it asks for later. They get the reason in the next turn of the event
	 * loop, so that a run that stops because of the same failure can still replace it: its other requests then
	 * count as stopped, not as failed.
	 */
	leave(run: AccountRun, reason: unknown): void {
		this.hasLeft.set(run, reason);
		const queue = this.queues.get(run) ?? [];
		this.queues.delete(run);
		this.clock.nextLoop(() => {
			for (const { onLeave } of queue) onLeave(this.hasLeft.get(run));
		});
	}

	/** Whether the service has accepted nothing of the lane for two minutes while this request waited. */
	private isStalled({ cameAt }: Entry): boolean {
		const { since, until } = this.stalled ?? { since: 0, until: 0 };
		return until - Math.max(since, cameAt) >= LONGEST_RETRY_AFTER;
	}

	/**
	 * Records that a request ended. A refusal pauses the lane, and so does trouble that goes on.
	 *
	 * @param retryAfter how long the service asked to wait, if it refused the request
	 * @returns how long a refused request waits before its next turn. Undefined for any other end, and when the
	 * request gives up: if the service asks for more than two minutes, has accepted nothing of the lane for two
	 * minutes while the request waited, or keeps refusing it while it accepts others. In the first two cases its
	 * run leaves the lane
	 */
	ended(start: Start, health: Health, retryAfter = 0): number | undefined {
		const time = this.clock.now();
		const { isAutomatic, run } = start.entry;
		this.inFlight -= 1;
		this.lastUsed = time;
		run.runLimit.ended();
		if (isAutomatic) this.automaticLimit.ended(time, health, start.at);
		this.breaker.ended(time, health, start.at);
		if (health === 'answered') {
			this.accepted += 1;
			this.stalled = undefined;
			this.pace.accept();
		} else if (health !== 'nothing')
			this.stalled = {
				since: this.stalled?.since ?? time,
				until: time,
				isTrouble: health === 'trouble',
			};
		// Trouble now and then slows nothing down.
		if (this.breaker.isOpen) this.pace.meetTrouble();
		const wait = health === 'throttled' ? this.refused(start, retryAfter, time) : undefined;
		// Another request may start now. Not before the next turn of the event loop: this end may stop its run.
		this.serveSoon();
		return wait;
	}

	private refused({ entry, at }: Start, retryAfter: number, time: number): number | undefined {
		const isAgain = entry.acceptedBefore === this.accepted;
		const isTooLong = retryAfter > LONGEST_RETRY_AFTER;
		// A Retry-After that is too long pauses the lane only briefly: the request gives up, and the next
		// run tries again.
		const wait = Math.max(isTooLong ? 0 : retryAfter, backoff(isAgain ? 2 : 1, this.random()));
		this.pace.refuse(time, wait, at);
		// The service may refuse only this request, so the others of its run go first now.
		if (isAgain) entry.position = this.nextPosition();
		else entry.refusals += 1;
		entry.acceptedBefore = this.accepted;
		const isInVain = isTooLong || this.isStalled(entry);
		if (isInVain && !this.hasLeft.has(entry.run)) {
			const why = isTooLong ? askedToWaitTooLong(retryAfter) : keepsAskingToWait(this.name);
			this.leave(entry.run, why);
		}
		return isInVain || entry.refusals >= MOST_REFUSALS ? undefined : wait;
	}

	private nextPosition(): number {
		this.positions += 1;
		return this.positions;
	}

	/** Starts one request if one may start now, and otherwise sets a timer for when one may. */
	private serve(): void {
		if (this.isServeDue) return;
		this.cancelNextLook?.();
		this.cancelNextLook = undefined;
		const untilLate = this.leaveLate();
		const wait = this.queues.size > 0 ? Math.min(untilLate, this.startNext()) : Infinity;
		// One request per turn of the event loop. Requests that start together are answered together, with n8n idle
		// until then. And if `onStart` refused this one, its run may stop before the next one starts.
		if (wait === 0) return this.serveSoon();
		this.automaticLimit.idle(this.clock.now());
		if (wait < Infinity) this.cancelNextLook = this.clock.after(wait, () => this.serve());
	}

	private serveSoon(): void {
		if (this.isServeDue) return;
		this.isServeDue = true;
		this.clock.nextLoop(() => {
			this.isServeDue = false;
			this.serve();
		});
	}

	/**
	 * Lets the runs leave for which it is too late, or will be when the pause of the lane is over.
	 *
	 * @returns how long until it is too late for another one
	 */
	private leaveLate(): number {
		const time = this.clock.now();
		const asked = this.pace.pauseLeft(time);
		const pause = Math.max(asked, this.breaker.pauseLeft(time));
		let wait = Infinity;
		for (const run of this.queues.keys()) {
			const left = run.tooLateAt - time;
			if (left > pause) wait = Math.min(wait, left);
			else this.leave(run, noTurn(this.name, asked, this.breaker.isOpen));
		}
		return wait;
	}

	/** @returns 0 when a request has started or a run has left; otherwise how long until a request may start */
	private startNext(): number {
		const time = this.clock.now();
		const { run, wait: untilRoom } = this.next(time);
		if (!run) return untilRoom;
		const [{ entry }] = this.queues.get(run) as [Waiting];
		if (this.isStalled(entry)) {
			const why = this.stalled?.isTrouble ? serviceInTrouble : keepsAskingToWait;
			this.leave(run, why(this.name));
			return 0;
		}
		const wait = Math.max(this.pace.waitLeft(time), this.breaker.waitLeft(time));
		if (wait === 0) this.start(run, time);
		return wait;
	}

	/**
	 * The next run among those whose limits have room. An urgent one goes first, at most with every other start
	 * while others wait. If no limit has room, `wait` is how long until one may have.
	 */
	private next(time: number): { run?: AccountRun; wait: number } {
		const hasRoom = this.automaticLimit.hasRoom(time);
		let first: AccountRun | undefined;
		let wait = RECHECK;
		for (const [run, queue] of this.queues) {
			const { isAutomatic } = queue[0]!.entry;
			const own = run.runLimit.waitLeft(time);
			wait = Math.min(wait, own || RECHECK);
			if (own > 0 || (isAutomatic && !hasRoom)) continue;
			if (run.isUrgent !== this.wasUrgent) return { run, wait };
			first ??= run;
		}
		return { run: first, wait };
	}

	private start(run: AccountRun, at: number): void {
		const queue = this.queues.get(run)!;
		const { entry, onStart, onLeave } = queue.shift()!;
		// Now it is the turn of the other runs.
		this.queues.delete(run);
		if (queue.length > 0) this.queues.set(run, queue);
		try {
			onStart({ entry, at });
		} catch (error) {
			return onLeave(error);
		}
		this.wasUrgent = run.isUrgent;
		this.inFlight += 1;
		run.runLimit.started(at);
		if (entry.isAutomatic) this.automaticLimit.started(at);
		this.pace.start(at);
		this.breaker.started(at);
	}
}
