import { now, pause } from '../after';
import type { Credential } from '../http/credential';
import { backoff, LONGEST_RETRY_AFTER } from '../http/retry';
import { AutomaticLimit } from './automaticLimit';
import { Pace } from './pace';

/** How often in a row the service may take nothing at all before a request gives up. */
const MOST_PAUSES = 5;

/**
 * And how long ago it took one at least, in milliseconds: where other n8n processes use up the limit,
 * five short pauses may well miss every free place. As long as the longest wait a service may ask for.
 */
const PATIENCE = LONGEST_RETRY_AFTER;

/** How long what was learned about an account is kept when it has no requests, in milliseconds. */
const LONGEST_IDLE = 600_000;

/** What requests an automatic limit is for: creating jobs is tried out more carefully than the rest. */
export type Kind = 'jobs' | 'others';

/** How many requests an automatic limit lets be in flight at most. */
export const MOST_AUTOMATIC: Record<Kind, number> = { jobs: 10, others: 50 };

/** A run, as an account knows it. */
export interface Turns {
	/** Whether a person waits for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	/** The automatic limit that its requests keep to; undefined where a person set "Concurrency". */
	readonly automatic: Kind | undefined;
}

/** A request that may start. */
export interface Start {
	readonly at: number;
	/** How many pauses there had been; a refusal of a request from before the last pause is not news. */
	readonly pauses: number;
	readonly automatic: Kind | undefined;
}

/**
 * How a request ended: `accepted`, the service answered, whatever it said; `refused`, it told the
 * request to wait; `trouble`, a timeout, a broken connection, or a failure of the service; `unsent`,
 * nothing that says something about the service.
 */
export type End = 'accepted' | 'refused' | 'trouble' | 'unsent';

const accounts = new Map<string, Account>();

/** The account of a credential, which all runs of this process share. It is kept in memory only. */
export function accountOf({ sender }: Credential): Account {
	for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
	const account = accounts.get(sender) ?? new Account();
	accounts.set(sender, account);
	return account;
}

/**
 * The limits of an account that all its runs in this process keep together: how fast requests start,
 * how many are in flight, and whose turn it is. Times are in milliseconds.
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
	/** How many pauses there were since the service last took a request. */
	private pausesInARow = 0;
	/** When it last took a request, if it ever did. */
	private takenAt = -Infinity;
	private lastUsed = now();

	/** Whether nothing of it is needed any more. */
	isIdle(): boolean {
		return this.lines.size === 0 && this.inFlight === 0 && now() - this.lastUsed > LONGEST_IDLE;
	}

	/**
	 * Resolves when a request of the run may start; with undefined when the run leaves meanwhile.
	 *
	 * @param isAgain whether it was sent before: then it goes before the run's other requests
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

	/** How long all requests wait because the service told one to. */
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
	 * Notes that a request ended. When it was refused, all requests of the account are held back.
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
		// The rest of a burst is refused together with its first.
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

	/** Lets requests start for as long as the pace and the limits allow it. */
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

	/** The run whose turn it is, of those whose limit has room. Every other start may be urgent. */
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
