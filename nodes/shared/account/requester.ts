import { readCredential, type Credential, type RequestContext } from '../http/credential';
import { DEFAULT_TIMEOUT, exchange, type ServiceRequest } from '../http/exchange';
import { Failure, toldToWait } from '../http/failure';
import { asksToWait, changesSomething, isRetried, nodeFailureOf, OUTCOMES } from '../http/outcomes';
import type { ServiceResponse } from '../http/response';
import { backoff, MOST_ATTEMPTS } from '../http/retry';
import { Refusal } from '../refusal';
import { Stop } from '../stop';
import { after, afterArrivals, now, pause, turnOfTheLoop } from '../time';
import { accountOf, type Account, type AccountRun, type Entry, type Start } from './account';
import type { End } from './end';

/** The retry budget of a run over all its requests; waits the service asked for do not count. */
const MOST_RETRIES = 50;

/** How long a cancelled run waits for a POST or DELETE in flight, in milliseconds. */
const GRACE = 10_000;

/** Thrown when a request ends because its run has stopped. */
export class Stopped extends Error {}

/**
 * Sends the requests of one run with retries. They keep to the account's limits, take turns with
 * those of other runs, and share a retry budget.
 */
export class Requester implements AccountRun {
	readonly isUrgent: boolean;
	/** The automatic limit for requests that change something; undefined when the run limits itself. */
	automatic: Entry['automatic'];
	private readonly until: number;
	private retries = 0;
	private readonly stopped = new Stop();
	private readonly abandoned = new Stop();
	/** Why nothing more is sent to an account: an expression can give each item another one. */
	private readonly gaveUpOn = new Map<Account, Refusal>();

	/**
	 * `automatic` as in `Entry`: without it the run limits itself. `patience` is how long the run may
	 * take in total, in milliseconds: waits, requests and their responses.
	 */
	constructor({
		isUrgent = false,
		automatic,
		patience = Infinity,
	}: Partial<AccountRun> & { automatic?: Entry['automatic']; patience?: number }) {
		this.isUrgent = isUrgent;
		this.automatic = automatic;
		this.until = now() + patience;
	}

	/**
	 * Ends all waits at once; nothing more is sent. A GET in flight is aborted; a POST or DELETE is
	 * allowed to finish, because the service would carry it out anyway.
	 */
	stop(): void {
		this.stopped.stop();
	}

	/** Stops, and aborts what is still in flight after ten seconds. */
	cancel(): void {
		this.stop();
		afterArrivals(GRACE, () => this.abandoned.stop());
	}

	/**
	 * Reads the credential within the run's patience.
	 *
	 * @throws Refusal as `readCredential` does, and when reading takes longer
	 */
	async readCredential(context: RequestContext): Promise<Credential> {
		return await this.inTime(
			readCredential(context),
			() =>
				new Refusal(
					'The credential could not be read in time',
					'Nothing was sent, because n8n did not provide the credential. Try again later.',
					{ cause: 'temporarily-unavailable' },
				),
		);
	}

	/**
	 * Sends a request, and retries it where that is safe.
	 *
	 * @param context where in n8n the request comes from
	 * @param request as `exchange` takes it
	 * @param onStart called when the request's first turn has come; throws if it must not be sent
	 * @throws Failure, with the number of its attempts
	 * @throws Refusal when it could not be sent, or its turn did not come in time
	 * @throws Stopped when the run stopped before it was sent, while it waited for another attempt, or
	 * while a GET was in flight
	 */
	async request(
		context: RequestContext,
		request: ServiceRequest,
		credential: Credential,
		onStart?: () => void,
	): Promise<ServiceResponse> {
		const method = request.method ?? 'GET';
		const abandon = changesSomething(method) ? this.abandoned : this.stopped;
		const account = accountOf(credential);
		const entry = account.enter(this, this.limitOf(method));
		let failures = 0;
		let failure: Failure | undefined;
		for (let attempts = 1; ; attempts++) {
			const start = await this.turn(account, entry, failure);
			if (attempts === 1) this.check(account, start, onStart);
			const timeout = Math.min(request.timeout ?? DEFAULT_TIMEOUT, this.timeLeft);
			const result = await exchange(context, { ...request, timeout }, credential, abandon);
			const end = endOf(result, {
				hasProxy: request.proxy !== undefined,
				isShort: timeout < DEFAULT_TIMEOUT,
			});
			const retryAfter = result instanceof Failure ? result.facts.retryAfter : undefined;
			const wait = account.ended(start, end, retryAfter);
			if (result instanceof Refusal) throw result;
			if (!(result instanceof Failure)) return result;
			result.attempts = attempts;
			if (this.stopped.isStopped && !changesSomething(method)) throw new Stopped();
			if (wait !== undefined && this.canWait(wait)) continue;
			const isForAll = end !== 'refused' || !account.refusesOnly(entry);
			if (isForAll) this.giveUp(account, notSentAfter(result));
			if (!isRetried(result.reason, method)) throw result;
			failure = result;
			failures += 1;
			if (failures >= MOST_ATTEMPTS || this.retries >= MOST_RETRIES) throw result;
			const again = backoff(failures, Math.random());
			if (!this.canWait(again)) throw result;
			this.retries += 1;
			await this.pause(again);
		}
	}

	/** Reading the usage does not count towards the limit for jobs, which starts at one. */
	private limitOf(method: string): Entry['automatic'] {
		return this.automatic && !changesSomething(method) ? 'others' : this.automatic;
	}

	private canWait(milliseconds: number): boolean {
		return milliseconds <= this.timeLeft;
	}

	private get timeLeft(): number {
		return Math.max(0, this.until - now());
	}

	/** @param failure of the attempt before: thrown if no turn comes, because the request was sent */
	private async turn(account: Account, entry: Entry, failure?: Failure): Promise<Start> {
		for (;;) {
			const gaveUp = this.gaveUpOn.get(account);
			if (gaveUp) throw failure ?? gaveUp;
			if (!this.canWait(Math.max(account.pauseLeft, account.troubleLeft))) {
				throw failure ?? noTurn(account);
			}
			const turn = new Promise<Start | undefined>((begin) => account.turn(entry, begin));
			const leave = () => account.leave(this);
			const callOffs = [this.stopped.listen(leave)];
			if (this.until < Infinity) callOffs.push(after(this.timeLeft, leave));
			const start = await turn;
			for (const callOff of callOffs) callOff();
			await turnOfTheLoop();
			if (account.isInVain(entry)) this.giveUp(account, inTrouble());
			const mayStart = account.pauseLeft === 0 && !this.gaveUpOn.has(account);
			if (start && mayStart && !this.stopped.isStopped) return start;
			// Granted just before the run stopped, or the service asked for a pause.
			if (start) account.giveBack(start);
			if (this.stopped.isStopped) throw new Stopped();
			if (!start && !this.gaveUpOn.has(account)) throw failure ?? noTurn(account);
		}
	}

	/** Ends what the run waits for at the account: its other requests would end in the same way. */
	private giveUp(account: Account, why: Refusal | undefined): void {
		if (!why) return;
		this.gaveUpOn.set(account, why);
		account.leave(this);
	}

	/** Calls `onStart`, and gives the start back if it throws. */
	private check(account: Account, start: Start, onStart?: () => void): void {
		// Not caught and thrown again: n8n's linter allows only its own errors in a catch.
		let mayStart = false;
		try {
			onStart?.();
			mayStart = true;
		} finally {
			if (!mayStart) account.giveBack(start);
		}
	}

	/** Waits, at most until the run stops. @throws Stopped when it does */
	async pause(milliseconds: number): Promise<void> {
		await pause(milliseconds, this.stopped);
		if (this.stopped.isStopped) throw new Stopped();
	}

	/** @param late returns the error to throw if the patience is over first */
	private async inTime<T>(promise: Promise<T>, late: () => Error): Promise<T> {
		if (this.until === Infinity) return await promise;
		let callOff = () => {};
		const expired = new Promise<never>((_resolve, reject) => {
			callOff = after(this.timeLeft, () => reject(late()));
		});
		try {
			return await Promise.race([promise, expired]);
		} finally {
			callOff();
		}
	}
}

/** Why the rest of a run is not sent after this failure, which concerns the account; else undefined. */
function notSentAfter({ reason }: Failure): Refusal | undefined {
	const { rest } = OUTCOMES[reason];
	return rest && new Refusal(rest.message, rest.whatToDo, nodeFailureOf(reason));
}

/** The error for a request whose turn does not come in time. */
function noTurn({ pauseLeft, troubleLeft }: Account): Error {
	if (pauseLeft > 0) return toldToWait(pauseLeft);
	if (troubleLeft > 0) return inTrouble();
	return new Refusal(
		'The request waited too long for its turn',
		'Nothing was sent. Other requests of the account come first. Try again later.',
		{ cause: 'temporarily-unavailable' },
	);
}

function inTrouble(): Refusal {
	return new Refusal(
		'Not sent: the service keeps failing, or cannot be reached',
		'The latest requests of the account failed. Run the workflow again later for what is missing.',
		{ cause: 'temporarily-unavailable' },
	);
}

/** What the end of a request says: not what the run brought on itself by its proxy or a short timeout. */
function endOf(
	result: ServiceResponse | Failure | Refusal,
	{ hasProxy, isShort }: { hasProxy: boolean; isShort: boolean },
): End {
	if (result instanceof Refusal) return 'other';
	if (!(result instanceof Failure)) return 'accepted';
	const { reason } = result;
	if (asksToWait(reason)) return 'refused';
	const { says } = OUTCOMES[reason];
	if (says !== 'trouble') return says === 'nothing' ? 'other' : 'accepted';
	return hasProxy || (isShort && reason === 'timedOut') ? 'other' : 'trouble';
}
