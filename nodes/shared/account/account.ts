import type { Credential } from '../http/credential';
import { backoff, LONGEST_RETRY_AFTER } from '../http/waits';
import { after, nextTurn, now } from '../time';
import { AutomaticLimit } from './automaticLimit';
import { Breaker } from './breaker';
import type { Sign } from './sign';
import { inTrouble } from '../errors/notSent';
import type { RunLimit } from './runLimit';
import { Pace } from './pace';

/** A request that is refused ten times while others are accepted is not refused for its pace. */
const MOST_REFUSALS = 10;

/**
 * How often waiting requests check again for room, in milliseconds: nothing signals that another one is
 * overdue, or that one of their run has ended at another account.
 */
const RECHECK = 1_000;

/** How long an account without requests is remembered, in milliseconds: longer than any pause. */
const LONGEST_IDLE = 600_000;

/** Which automatic limit a request counts towards: the one for jobs grows from a lower start. */
export type Lane = 'jobs' | 'others';

/**
 * How many requests may be in flight under an automatic limit, at first and at most. A job is paid for
 * each time, so jobs begin one by one.
 */
export const AUTOMATIC_LIMITS = {
	jobs: { start: 1, most: 10 },
	others: { start: 10, most: 100 },
} satisfies Record<Lane, { start: number; most: number }>;

/** A run, or a dropdown or poll, as seen by an account. */
export interface AccountRun {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	/** Its own limits. */
	readonly runLimit: RunLimit;
}

/** A request of a run. It asks for its turn before each attempt. */
export interface Entry {
	readonly run: AccountRun;
	/** The automatic limit it counts towards; undefined when "Concurrency" is set, and before a run starts. */
	readonly lane: Lane | undefined;
	/** Its place among the requests of its run. */
	order: number;
	/** When it came. */
	readonly cameAt: number;
	/** How often it was refused. If nothing was accepted between two refusals, they count as one. */
	refusals: number;
	/** How many requests the account had accepted when this one was last refused, if it was. */
	accepted: number | undefined;
}

/** A request that may start. */
export interface Start {
	readonly entry: Entry;
	readonly at: number;
}

/** An account's clock: that of `shared/time.ts`, or a simulation's. */
interface Clock {
	now: typeof now;
	after: typeof after;
	nextTurn: typeof nextTurn;
}

/** A request in a run's line. */
interface Waiting {
	readonly entry: Entry;
	readonly begin: (start: Start) => void;
	readonly leave: (why: unknown) => void;
}

const accounts = new Map<string, Account>();

/** The account of a credential, shared by all runs of this process. It is kept in memory only. */
export function accountOf({ idInMemory }: Credential): Account {
	for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
	const account = accounts.get(idInMemory) ?? new Account();
	accounts.set(idInMemory, account);
	return account;
}

/**
 * The limits of an account, shared by all its runs in this process: how fast requests start, how many
 * are in flight, and whose turn it is. Times are in milliseconds.
 */
export class Account {
	private readonly pace: Pace;
	private readonly breaker = new Breaker();
	private readonly automaticLimits = {
		jobs: new AutomaticLimit(AUTOMATIC_LIMITS.jobs.start, AUTOMATIC_LIMITS.jobs.most),
		others: new AutomaticLimit(AUTOMATIC_LIMITS.others.start, AUTOMATIC_LIMITS.others.most),
	};
	/** The waiting requests, by run. The run whose turn it is comes first. */
	private readonly lines = new Map<AccountRun, Waiting[]>();
	/** Whether the latest start was urgent: the next one is not, if there is another. */
	private wasUrgent = false;
	/** Whether the next start follows in another turn of the event loop. */
	private isYielding = false;
	private callOffNextLook: (() => void) | undefined;
	/** The runs that left, and why. */
	private readonly hasLeft = new WeakMap<AccountRun, unknown>();
	private inFlight = 0;
	private orders = 0;
	/** How many requests the service accepted. */
	private accepted = 0;
	/** Since when it has accepted none of those it received. */
	private inVainSince: number | undefined;
	private lastUsed: number;

	/** @param random returns numbers from 0 to 1 */
	constructor(
		private readonly clock: Clock = { now, after, nextTurn },
		private readonly random: () => number = Math.random,
	) {
		this.pace = new Pace(random);
		this.lastUsed = clock.now();
	}

	/** Whether it has been without requests for so long that it can be dropped. */
	isIdle(): boolean {
		return (
			this.lines.size === 0 &&
			this.inFlight === 0 &&
			this.clock.now() - this.lastUsed > LONGEST_IDLE
		);
	}

	/** Registers a request of a run, which then asks for its turn. */
	enter(run: AccountRun, lane: Entry['lane']): Entry {
		const [order, cameAt] = [this.takeLastOrder(), this.clock.now()];
		return { run, lane, order, cameAt, refusals: 0, accepted: undefined };
	}

	/**
	 * Waits for the request's turn. A retry goes before the later requests of its run, unless it was
	 * refused twice with nothing accepted in between.
	 *
	 * @param begin called when the request may start; if it throws, the request does not start, and leaves
	 * @param leave called with the reason if the request, or its run, leaves before
	 */
	turn(entry: Entry, begin: Waiting['begin'], leave: Waiting['leave']): void {
		const { run } = entry;
		if (this.hasLeft.has(run)) return leave(this.hasLeft.get(run));
		const line = this.lines.get(run) ?? [];
		let index = line.length;
		while (index > 0 && line[index - 1]!.entry.order > entry.order) index -= 1;
		line.splice(index, 0, { entry, begin, leave });
		this.lines.set(run, line);
		// Behind others of its run, it changes nothing.
		if (index === 0) this.serve();
	}

	/**
	 * Ends all waits of a run, and those it asks for later. The reason reaches them in the next turn of the
	 * event loop: if the run stops because of the same failure, they were not started.
	 */
	leave(run: AccountRun, why: unknown): void {
		this.hasLeft.set(run, why);
		const line = this.lines.get(run) ?? [];
		this.lines.delete(run);
		this.clock.nextTurn(() => {
			for (const { leave } of line) leave(this.hasLeft.get(run));
		});
	}

	/** How much longer all requests wait because the service asked for a pause. */
	get pauseLeft(): number {
		return this.pace.pauseLeft(this.clock.now());
	}

	/** How much longer all requests wait because the service is in trouble. */
	get troubleLeft(): number {
		return this.breaker.wait(this.clock.now());
	}

	/** Whether the service has accepted nothing for two minutes while this request waited. */
	private hasWaitedInVain({ cameAt }: Entry): boolean {
		const { inVainSince = Infinity } = this;
		return this.clock.now() - Math.max(inVainSince, cameAt) >= LONGEST_RETRY_AFTER;
	}

	/** Whether the service keeps refusing this request while it accepts others. */
	refusesOnlyThis({ refusals }: Entry): boolean {
		return refusals >= MOST_REFUSALS;
	}

	/**
	 * Records that a request ended. A refusal pauses all requests of the account, and so does trouble that
	 * goes on.
	 *
	 * @param retryAfter what the service asked for when it refused the request
	 * @returns how long a refused request waits before its next turn. Undefined for any other end, and
	 * when the request gives up: the service asks for more than two minutes, has accepted nothing for two
	 * minutes while the request waited, or keeps refusing it while it accepts others
	 */
	ended(start: Start, sign: Sign, retryAfter = 0): number | undefined {
		const time = this.clock.now();
		const { lane, run } = start.entry;
		this.inFlight -= 1;
		this.lastUsed = time;
		run.runLimit.ended();
		if (lane) this.automaticLimits[lane].ended(time, sign, start.at);
		this.breaker.ended(time, sign, start.at);
		if (sign === 'accepted') {
			this.accepted += 1;
			this.inVainSince = undefined;
			this.pace.accept();
		} else if (sign !== 'other') this.inVainSince ??= time;
		const wait = sign === 'refused' ? this.refused(start, retryAfter, time) : undefined;
		// What the others wait for may have changed. Not at once: its run may stop because of this end.
		this.serveNextTurn();
		return wait;
	}

	private refused({ entry, at }: Start, retryAfter: number, time: number): number | undefined {
		const isAgain = entry.accepted === this.accepted;
		const isTooLong = retryAfter > LONGEST_RETRY_AFTER;
		// A Retry-After that is too long pauses the account only briefly: the request gives up, and the next
		// run tries again.
		const wait = Math.max(isTooLong ? 0 : retryAfter, backoff(isAgain ? 2 : 1, this.random()));
		this.pace.refuse(time, wait, at);
		// The service may refuse only this request, so the others of its run go first now.
		if (isAgain) entry.order = this.takeLastOrder();
		else entry.refusals += 1;
		entry.accepted = this.accepted;
		const givesUp = isTooLong || this.hasWaitedInVain(entry) || this.refusesOnlyThis(entry);
		return givesUp ? undefined : wait;
	}

	private takeLastOrder(): number {
		this.orders += 1;
		return this.orders;
	}

	/** Starts the next request if one may start, and looks again when another may. */
	private serve(): void {
		if (this.isYielding) return;
		this.callOffNextLook?.();
		this.callOffNextLook = undefined;
		const wait = this.lines.size > 0 ? this.startNext() : Infinity;
		// All at once would connect and be answered together, with n8n idle until then. And if the request
		// was refused, its run may stop.
		if (wait === 0) return this.serveNextTurn();
		for (const limit of Object.values(this.automaticLimits)) limit.idle(this.clock.now());
		if (wait < Infinity) this.callOffNextLook = this.clock.after(wait, () => this.serve());
	}

	private serveNextTurn(): void {
		if (this.isYielding) return;
		this.isYielding = true;
		this.clock.nextTurn(() => {
			this.isYielding = false;
			this.serve();
		});
	}

	/** @returns 0 when a request has started, or was refused; else how long until one may start */
	private startNext(): number {
		const time = this.clock.now();
		const { run, wait: untilRoom } = this.next(time);
		if (!run) return untilRoom;
		const wait = Math.max(this.pace.wait(time), this.breaker.wait(time));
		if (wait > 0) return wait;
		const [{ entry }] = this.lines.get(run) as [Waiting];
		if (this.breaker.isOpen && this.hasWaitedInVain(entry)) this.leave(run, inTrouble());
		else this.start(run, time);
		return 0;
	}

	/**
	 * The next run among those whose limits have room. An urgent one goes first, at most with every other
	 * start while others wait. Without any, how long until one may have room.
	 */
	private next(time: number): { run?: AccountRun; wait: number } {
		const hasRoom = {
			jobs: this.automaticLimits.jobs.hasRoom(time),
			others: this.automaticLimits.others.hasRoom(time),
		};
		let first: AccountRun | undefined;
		let wait = RECHECK;
		for (const [run, line] of this.lines) {
			const { lane } = line[0]!.entry;
			const own = run.runLimit.wait(time);
			wait = Math.min(wait, own || RECHECK);
			if (own > 0 || (lane && !hasRoom[lane])) continue;
			if (run.isUrgent !== this.wasUrgent) return { run, wait };
			first ??= run;
		}
		return { run: first, wait };
	}

	private start(run: AccountRun, at: number): void {
		const line = this.lines.get(run)!;
		const { entry, begin, leave } = line.shift()!;
		// The run goes to the end of the queue.
		this.lines.delete(run);
		if (line.length > 0) this.lines.set(run, line);
		try {
			begin({ entry, at });
		} catch (error) {
			return leave(error);
		}
		this.wasUrgent = run.isUrgent;
		this.inFlight += 1;
		run.runLimit.started(at);
		if (entry.lane) this.automaticLimits[entry.lane].started(at);
		this.pace.start(at);
		this.breaker.started(at);
	}
}
