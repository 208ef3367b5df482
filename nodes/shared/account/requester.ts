import { after, now, pause, turnOfTheLoop } from '../after';
import type { Credential, RequestContext } from '../http/credential';
import { exchange, type ServiceRequest } from '../http/exchange';
import { Failure } from '../http/failure';
import type { ServiceResponse } from '../http/response';
import { backoff, isRetried, MOST_ATTEMPTS, toldToWait } from '../http/retry';
import { changesSomething, verdictOf } from '../http/verdict';
import { Refusal } from '../refusal';
import { Stop } from '../stop';
import { accountOf, type Account, type End, type Start, type Turns } from './account';

/** How many retries one run spends on an outage, over all its requests. */
const MOST_RETRIES = 50;

/** How long a cancelled run waits for a request in flight that changes something, in milliseconds. */
const GRACE = 10_000;

/** Thrown where a request ends because its run does; nothing more of it is sent. */
export class Stopped extends Error {}

/**
 * Sends the requests of one run, patiently: they keep to the limits of the account, take turns with
 * those of other runs, and share the number of retries that an outage is worth.
 */
export class Requester implements Turns {
	readonly isUrgent: boolean;
	automatic: Turns['automatic'];
	private readonly until: number;
	private retries = 0;
	private readonly stopped = new Stop();
	private readonly abandoned = new Stop();

	/**
	 * @param turns how the run takes its turns; without `automatic` it limits itself. `patience`, in
	 * milliseconds, is how long it waits in all
	 */
	constructor({
		isUrgent = false,
		automatic,
		patience = Infinity,
	}: Partial<Turns> & { patience?: number }) {
		this.isUrgent = isUrgent;
		this.automatic = automatic;
		this.until = now() + patience;
	}

	/**
	 * Ends all waits at once; from now on nothing is sent. A GET in flight is broken off; what changes
	 * something is allowed to finish, because it would be carried out all the same.
	 */
	stop(): void {
		this.stopped.stop();
	}

	/** Stops, and gives up what is still in flight after ten seconds. */
	cancel(): void {
		this.stop();
		after(GRACE, () => this.abandoned.stop());
	}

	/**
	 * Sends a request, and again where that is safe.
	 *
	 * @param context where in n8n the request comes from
	 * @param request as `exchange` takes it
	 * @param onStart looks, when the request's turn has come, whether it may start; throws if not
	 * @throws Failure, with the number of its attempts
	 * @throws Refusal when it could not be sent
	 * @throws Stopped when the run ended before it was sent, or while it waited for another attempt
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
		let failures = 0;
		for (let attempts = 1; ; attempts++) {
			const start = await this.turn(account, attempts > 1);
			if (attempts === 1) this.check(account, start, onStart);
			const result = await exchange(context, request, credential, abandon);
			const wait = account.ended(start, outcomeOf(result, method), retryAfterOf(result));
			if (result instanceof Refusal) throw result;
			if (!(result instanceof Failure)) return result;
			result.attempts = attempts;
			if (this.stopped.isStopped && !changesSomething(method)) throw new Stopped();
			if (wait !== undefined && this.canWait(wait)) continue;
			failures += 1;
			const again = backoff(failures, Math.random());
			if (failures >= MOST_ATTEMPTS || !isRetried(result, method)) throw result;
			if (this.retries >= MOST_RETRIES || !this.canWait(again)) throw result;
			this.retries += 1;
			await this.pause(again);
		}
	}

	private canWait(milliseconds: number): boolean {
		return now() + milliseconds <= this.until;
	}

	private async turn(account: Account, isAgain: boolean): Promise<Start> {
		const { pauseLeft } = account;
		if (!this.canWait(pauseLeft)) throw toldToWait(pauseLeft);
		const turn = account.turn(this, isAgain);
		const start = await this.unlessStopped(turn, () => account.leave(this));
		await turnOfTheLoop();
		if (!this.stopped.isStopped) return start;
		account.ended(start, 'unsent');
		throw new Stopped();
	}

	private check(account: Account, start: Start, onStart?: () => void): void {
		let mayStart = false;
		try {
			onStart?.();
			mayStart = true;
		} finally {
			if (!mayStart) account.ended(start, 'unsent');
		}
	}

	/** Waits no longer than the run goes on. @throws Stopped when it does not */
	async pause(milliseconds: number): Promise<void> {
		await pause(milliseconds, this.stopped);
		if (this.stopped.isStopped) throw new Stopped();
	}

	private async unlessStopped<T>(promise: Promise<T>, onStop = () => {}): Promise<T> {
		let callOff = () => {};
		const stopped = new Promise<never>((_resolve, reject) => {
			callOff = this.stopped.listen(() => {
				onStop();
				reject(new Stopped());
			});
		});
		try {
			return await Promise.race([promise, stopped]);
		} finally {
			callOff();
		}
	}
}

/** What a request's end says about the service. */
function outcomeOf(result: ServiceResponse | Failure | Refusal, method: string): End {
	if (result instanceof Refusal) return 'unsent';
	if (!(result instanceof Failure)) return 'accepted';
	// Given up by its run: that says nothing about the service.
	if (result.trouble.kind === 'abandoned') return 'unsent';
	const verdict = verdictOf(result.trouble, method);
	if (verdict === 'toldToWait') return 'refused';
	return verdict === 'rejected' ? 'accepted' : 'trouble';
}

function retryAfterOf(result: ServiceResponse | Failure | Refusal): number | undefined {
	if (!(result instanceof Failure) || result.trouble.kind !== 'status') return undefined;
	return result.trouble.retryAfter;
}
