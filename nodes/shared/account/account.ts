import { now, pause } from '../after';
import type { Credential } from '../http/credential';
import { backoff, LONGEST_RETRY_AFTER } from '../http/retry';
import { AutomaticLimit } from './automaticLimit';
import { Pace } from './pace';

/** How many pauses in a row without an accepted request until a request gives up. */
const MOST_PAUSES = 5;

/**
 * And how long ago it took one at least, in milliseconds: where other n8n processes use up the limit,
 * five short pauses may well miss every free place. As long as the longest wait a service may ask for.
 */
const PATIENCE = LONGEST_RETRY_AFTER;

/** How long what was learned about an account is kept when it has no requests, in milliseconds. */
const LONGEST_IDLE = 600_000;

/** Which automatic limit a request counts towards: the one for jobs grows from a lower start. */
export type Kind = 'jobs' | 'others';

/** The most requests in flight under an automatic limit. */
export const MOST_AUTOMATIC: Record<Kind, number> = { jobs: 10, others: 50 };

/** A run, as seen by an account. */
export interface Turns {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	/** The automatic limit for its requests; undefined when "Concurrency" is set. */
	readonly automatic: Kind | undefined;
}

/** A request that may start. */
export interface Start {
	readonly at: number;
	/** How many pauses there had been; a refusal of a request from before the last pause is ignored. */
	readonly pauses: number;
	readonly automatic: Kind | undefined;
}

/**
 * How a request ended: `accepted`, the service answered, whatever it said; `refused`, it asked for a
 * pause; `trouble`, a timeout, a broken connection, or a failure of the service; `unsent`, nothing
 * that says anything about the service.
 */
export type End = 'accepted' | 'refused' | 'trouble' | 'unsent';

const accounts = new Map<string, Account>();

/** The account of a credential, shared by all runs of this process. It is kept in memory only. */
export function accountOf({ sender }: Credential): Account {
	for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
	const account = accounts.get(sender) ?? new Account();
	accounts.set(sender, account);
	return account;
}

/**
 * The limits of an account, shared by all its runs in this process: how fast requests start, how many
 * are in flight, and whose turn it is. Times are in milliseconds.
 */
export class Account {
	private readonly pace = new Pace();
	private readonly limits = {
		jobs: new AutomaticLimit(1, MOST_AUTOMATIC.jobs),
		others: new AutomaticLimit(5, MOST_AUTOMATIC.others),
	};
	/** The requests that wait, by run. The run whose turn it is stands first. */
	private readonly lines = new Map<Turns, Array<(start: Start | undefined) => void>>();
	private wasUrgent = false;
	private isPausing = false;
	private pausedUntil = 0;
	private inFlight = 0;
	private pauses = 0;
	/** How many pauses there were since the service last accepted a request. */
	private pausesInARow = 0;
	/** When it last took a request, if it ever did. */
	private takenAt = -Infinity;
	private lastUsed = now();

	/** Whether it can be dropped. */
	isIdle(): boolean {
		return this.lines.size === 0 && this.inFlight === 0 && now() - this.lastUsed > LONGEST_IDLE;
	}

	/**
	 * Resolves when a request of the run may start; with undefined when the run leaves meanwhile.
	 *
	 * @param isAgain whether it is a retry, which goes before the run's other requests
	 */
	async turn(run: Turns, isAgain: boolean): Promise<Start | undefined> {
		return await new Promise((resolve) => {
			const line = this.lines.get(run) ?? [];
			if (isAgain) line.unshift(resolve);
			else line.push(resolve);
			this.lines.set(run, line);
			this.serve();
		});
	}

	/** How long all requests wait because the service asked for a pause. */
	get pauseLeft(): number {
		return Math.max(0, this.pausedUntil - now());
	}

	/** Ends the waits of a run that has stopped. What has been granted a start has to give it back. */
	leave(run: Turns): void {
		const line = this.lines.get(run) ?? [];
		this.lines.delete(run);
		for (const begin of line) begin(undefined);
	}

	/**
	 * Records that a request ended. A refusal pauses all requests of the account.
	 *
	 * @param retryAfter what the service asked for when it refused the request
	 * @returns how long a refused request waits, for another turn; undefined when it gives up, because
	 * the service asks for more than two minutes, or took nothing in five pauses in a row and as long
	 */
	ended(start: Start, end: End, retryAfter = 0): number | undefined {
		const time = now();
		const { automatic } = start;
		this.inFlight -= 1;
		this.lastUsed = time;
		if (automatic) this.limits[automatic].ended(time, end === 'unsent' ? 'refused' : end, start.at);
		if (end === 'accepted') {
			this.pausesInARow = 0;
			this.takenAt = time;
			this.pace.accept();
		}
		const wait = end === 'refused' ? this.hold(start, retryAfter, time) : undefined;
		this.serve();
		return wait;
	}

	private hold(start: Start, retryAfter: number, time: number): number | undefined {
		// A burst is refused as a whole, which counts as one refusal.
		if (start.pauses === this.pauses) {
			this.pauses += 1;
			this.pausesInARow += 1;
		}
		const isInVain = this.pausesInARow >= MOST_PAUSES && time - this.takenAt >= PATIENCE;
		if (retryAfter > LONGEST_RETRY_AFTER || isInVain) return undefined;
		// Where the service keeps refusing, what it asks for is not enough.
		const doublings = Math.min(this.pausesInARow, MOST_PAUSES - 1);
		const wait = Math.max(retryAfter, backoff(doublings, Math.random()));
		this.pace.hold(time, wait, start.at);
		this.pausedUntil = Math.max(this.pausedUntil, time + wait);
		return wait;
	}

	/** Starts requests as long as the pace and the limits allow it. */
	private serve(): void {
		if (this.isPausing) return;
		for (;;) {
			const run = this.next();
			if (!run) return;
			const time = now();
			const wait = this.pace.ask(time);
			if (wait > 0) {
				this.isPausing = true;
				void pause(wait).then(() => {
					this.isPausing = false;
					this.serve();
				});
				return;
			}
			this.start(run, time);
		}
	}

	/** The next run among those whose limit has room. At most every other start is urgent. */
	private next(): Turns | undefined {
		const perSecond = this.pace.perSecond(now());
		const ready = [...this.lines.keys()].filter(
			({ automatic }) => !automatic || this.limits[automatic].hasRoom(perSecond),
		);
		const urgent = this.wasUrgent ? undefined : ready.find(({ isUrgent }) => isUrgent);
		return urgent ?? ready.find(({ isUrgent }) => !isUrgent) ?? ready[0];
	}

	private start(run: Turns, at: number): void {
		const line = this.lines.get(run) ?? [];
		const begin = line.shift();
		// To the end of the line of runs.
		this.lines.delete(run);
		if (line.length > 0) this.lines.set(run, line);
		this.wasUrgent = run.isUrgent;
		this.inFlight += 1;
		if (run.automatic) this.limits[run.automatic].started(at);
		begin?.({ at, pauses: this.pauses, automatic: run.automatic });
	}
}
