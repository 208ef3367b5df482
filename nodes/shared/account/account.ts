import type { Credential } from '../http/credential';
import { backoff, LONGEST_RETRY_AFTER } from '../http/retry';
import { Stop } from '../stop';
import { after, now, pause } from '../time';
import { AutomaticLimit } from './automaticLimit';
import { Breaker } from './breaker';
import type { End } from './end';
import { Pace } from './pace';

/** A request that is refused so often while others are accepted is refused for itself. */
const MOST_REFUSALS = 10;

/** How often requests that wait for room check again, in milliseconds. */
const RECHECK = 1_000;

/** How long an account without requests is remembered, in milliseconds. */
const LONGEST_IDLE = 600_000;

/** Which automatic limit a request counts towards: the one for jobs grows from a lower start. */
export type Kind = 'jobs' | 'others';

/**
 * How many requests may be in flight under an automatic limit, at first and at most. A job is paid for
 * each time, so jobs begin one by one.
 */
export const AUTOMATIC = {
	jobs: { start: 1, most: 10 },
	others: { start: 10, most: 100 },
} satisfies Record<Kind, { start: number; most: number }>;

/** A run, or a dropdown or poll, as seen by an account. */
export interface AccountRun {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
}

/** A request of a run. It asks for its turn before each attempt. */
export interface Entry {
	readonly run: AccountRun;
	/** The automatic limit it counts towards; undefined when "Concurrency" is set, and for a dropdown. */
	readonly automatic: Kind | undefined;
	/** Its place among the requests of its run. */
	place: number;
	/** When it came. */
	readonly at: number;
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
	pause: (milliseconds: number, stop: Stop) => PromiseLike<void>;
}

/** A request in a run's line. */
interface Waiting {
	readonly entry: Entry;
	readonly begin: (start: Start | undefined) => void;
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
	private readonly limits = {
		jobs: new AutomaticLimit(AUTOMATIC.jobs.start, AUTOMATIC.jobs.most),
		others: new AutomaticLimit(AUTOMATIC.others.start, AUTOMATIC.others.most),
	};
	/** The waiting requests, by run. The run whose turn it is comes first. */
	private readonly lines = new Map<AccountRun, Waiting[]>();
	/** Whether the latest start was urgent: the next one is not, if there is another. */
	private wasUrgent = false;
	/** Ends the wait for the next start. */
	private untilNextStart: Stop | undefined;
	private callOffRecheck: (() => void) | undefined;
	private inFlight = 0;
	private places = 0;
	/** How many requests the service accepted, and when it last did. */
	private accepted = 0;
	private acceptedAt = 0;
	private lastUsed: number;

	/** @param random returns numbers from 0 to 1 */
	constructor(
		private readonly clock: Clock = { now, after, pause },
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
	enter(run: AccountRun, automatic: Entry['automatic']): Entry {
		const [place, at] = [this.takeLastPlace(), this.clock.now()];
		return { run, automatic, place, at, refusals: 0, accepted: undefined };
	}

	/**
	 * Waits for the request's turn. A retry goes before the later requests of its run, unless it was
	 * refused twice with nothing accepted in between.
	 *
	 * @param begin called when the request may start, or with undefined if its run leaves first
	 */
	turn(entry: Entry, begin: Waiting['begin']): void {
		const line = this.lines.get(entry.run) ?? [];
		let index = line.length;
		while (index > 0 && line[index - 1]!.entry.place > entry.place) index -= 1;
		line.splice(index, 0, { entry, begin });
		this.lines.set(entry.run, line);
		this.serve();
	}

	/** How much longer all requests wait because the service asked for a pause. */
	get pauseLeft(): number {
		return this.pace.pauseLeft(this.clock.now());
	}

	/** How much longer all requests wait because the service is in trouble. */
	get troubleLeft(): number {
		return this.breaker.wait(this.clock.now());
	}

	/** Whether the service is in trouble, and has accepted nothing for two minutes while this one waited. */
	isInVain(entry: Entry): boolean {
		return this.breaker.isOpen && this.acceptedNothingFor(entry) >= LONGEST_RETRY_AFTER;
	}

	private acceptedNothingFor({ at }: Entry): number {
		return this.clock.now() - Math.max(this.acceptedAt, at);
	}

	/** Whether the service keeps refusing this request while it accepts others. */
	refusesOnly({ refusals }: Entry): boolean {
		return refusals >= MOST_REFUSALS;
	}

	/** Ends all waits of a run. A request that was already granted a start must give it back. */
	leave(run: AccountRun): void {
		const line = this.lines.get(run) ?? [];
		this.lines.delete(run);
		for (const { begin } of line) begin(undefined);
	}

	/** Takes back a start that is not used: the next request may start at once. */
	giveBack(start: Start): void {
		this.pace.giveBack();
		this.ended(start, 'other');
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
	ended(start: Start, end: End, retryAfter = 0): number | undefined {
		const time = this.clock.now();
		const { automatic } = start.entry;
		this.inFlight -= 1;
		this.lastUsed = time;
		if (automatic) this.limits[automatic].ended(time, end, start.at);
		this.breaker.ended(time, end, start.at);
		if (end === 'accepted') {
			this.accepted += 1;
			this.acceptedAt = time;
			this.pace.accept();
		}
		const wait = end === 'refused' ? this.refused(start, retryAfter, time) : undefined;
		// What the others wait for may have changed.
		this.untilNextStart?.stop();
		this.untilNextStart = undefined;
		this.serve();
		return wait;
	}

	private refused({ entry, at }: Start, retryAfter: number, time: number): number | undefined {
		const isInVain = entry.accepted === this.accepted;
		const isTooLong = retryAfter > LONGEST_RETRY_AFTER;
		// A Retry-After that is too long pauses the account only briefly: the request gives up, and the next
		// run tries again.
		const wait = Math.max(isTooLong ? 0 : retryAfter, backoff(isInVain ? 2 : 1, this.random()));
		this.pace.refuse(time, wait, at);
		// The service may refuse only this request, so the others of its run go first now.
		if (isInVain) entry.place = this.takeLastPlace();
		else entry.refusals += 1;
		entry.accepted = this.accepted;
		const isOver = this.acceptedNothingFor(entry) >= LONGEST_RETRY_AFTER;
		const givesUp = isTooLong || isOver || this.refusesOnly(entry);
		return givesUp ? undefined : wait;
	}

	private takeLastPlace(): number {
		this.places += 1;
		return this.places;
	}

	/** Starts requests as long as the pace and the limits allow it. */
	private serve(): void {
		if (this.untilNextStart) return;
		for (;;) {
			const run = this.next();
			if (!run) return this.recheckLater();
			const time = this.clock.now();
			const wait = Math.max(this.pace.wait(time), this.breaker.wait(time));
			if (wait > 0) return this.serveAfter(wait);
			this.start(run, time);
		}
	}

	private serveAfter(milliseconds: number): void {
		const wait = (this.untilNextStart = new Stop());
		void this.clock.pause(milliseconds, wait).then(() => {
			if (this.untilNextStart !== wait) return;
			this.untilNextStart = undefined;
			this.serve();
		});
	}

	/** Nothing signals that a request is overdue and leaves room, so waiting requests check again. */
	private recheckLater(): void {
		if (this.lines.size === 0 || this.callOffRecheck) return;
		this.callOffRecheck = this.clock.after(RECHECK, () => {
			this.callOffRecheck = undefined;
			this.serve();
		});
	}

	/**
	 * The next run among those whose limit has room. An urgent one goes first, at most with every other
	 * start while others wait.
	 */
	private next(): AccountRun | undefined {
		const time = this.clock.now();
		const hasRoom = {
			jobs: this.limits.jobs.hasRoom(time),
			others: this.limits.others.hasRoom(time),
		};
		const ready = [...this.lines.keys()].filter((run) => {
			const { automatic } = this.lines.get(run)![0]!.entry;
			return !automatic || hasRoom[automatic];
		});
		return ready.find(({ isUrgent }) => isUrgent !== this.wasUrgent) ?? ready[0];
	}

	private start(run: AccountRun, at: number): void {
		const line = this.lines.get(run)!;
		const { entry, begin } = line.shift()!;
		// The run goes to the end of the queue.
		this.lines.delete(run);
		if (line.length > 0) this.lines.set(run, line);
		this.wasUrgent = run.isUrgent;
		this.inFlight += 1;
		if (entry.automatic) this.limits[entry.automatic].started(at);
		this.pace.start(at);
		this.breaker.started(at);
		begin({ entry, at });
	}
}
