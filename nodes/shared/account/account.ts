import type { Credential } from '../http/credential';
import { after, nextLoop, now } from '../time';
import { Breaker } from './breaker';
import { Lane, type AccountRun, type Clock, type Entry, type LaneName, type Start } from './lane';
import type { Sign } from './sign';

/** How long an account without requests is remembered, in milliseconds: longer than any pause. */
const LONGEST_IDLE = 600_000;

const accounts = new Map<string, Account>();

/** The account of a credential, shared by all runs of this process. It is kept in memory only. */
export function accountOf({ idInMemory }: Credential): Account {
	for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
	const account = accounts.get(idInMemory) ?? new Account();
	accounts.set(idInMemory, account);
	return account;
}

/**
 * The limits of an account: those of its two lanes, and the breaker, because trouble concerns both. Times are
 * in milliseconds.
 */
export class Account {
	private readonly breaker = new Breaker();
	private readonly lanes: Record<LaneName, Lane>;

	/** @param random returns numbers from 0 to 1 */
	constructor(
		private readonly clock: Clock = { now, after, nextLoop },
		random: () => number = Math.random,
	) {
		this.lanes = {
			jobs: new Lane('jobs', this.breaker, clock, random),
			others: new Lane('others', this.breaker, clock, random),
		};
	}

	/** Whether it has been without requests for so long that it can be dropped. */
	isIdle(): boolean {
		return Object.values(this.lanes).every((lane) => lane.idleTime > LONGEST_IDLE);
	}

	/** Registers a request of a run, which then asks for its turn. */
	enter(run: AccountRun, lane: LaneName, isAutomatic: boolean): Entry {
		return this.lanes[lane].enter(run, isAutomatic);
	}

	/**
	 * Waits for the request's turn. A retry goes before the later requests of its run, unless it was
	 * refused twice with nothing accepted in between.
	 *
	 * @param begin called when the request may start; if it throws, the request does not start, and leaves
	 * @param leave called with the reason if the request, or its run, leaves before
	 */
	turn(entry: Entry, begin: (start: Start) => void, leave: (reason: unknown) => void): void {
		this.lanes[entry.lane].turn(entry, begin, leave);
	}

	/**
	 * Records that a request ended. A refusal pauses its lane, and trouble that goes on pauses the account.
	 *
	 * @param retryAfter what the service asked for when it refused the request
	 * @returns how long a refused request waits before its next turn. Undefined for any other end, and
	 * when the request gives up: the service asks for more than two minutes, has accepted nothing of its lane
	 * for two minutes while the request waited, or keeps refusing it while it accepts others. In the first two
	 * cases its run leaves the lane
	 */
	ended(start: Start, sign: Sign, retryAfter?: number): number | undefined {
		return this.lanes[start.entry.lane].ended(start, sign, retryAfter);
	}

	/**
	 * Ends all waits of a run, and those it asks for later. The reason reaches them in the next turn of the
	 * event loop: if the run stops because of the same failure, they were not started.
	 */
	leave(run: AccountRun, reason: unknown): void {
		for (const lane of Object.values(this.lanes)) lane.leave(run, reason);
	}

	/** How much longer the requests of a lane wait because the service asked for a pause. */
	pauseLeft(lane: LaneName): number {
		return this.lanes[lane].pauseLeft;
	}

	/** How much longer all requests wait because the service is in trouble. */
	get troubleLeft(): number {
		return this.breaker.waitLeft(this.clock.now());
	}
}
