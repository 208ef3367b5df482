import type { Credential, RequestContext } from '../service/credential';
import { exchange, type ServiceRequest } from '../service/exchange';
import { Failure } from '../errors/failure';
import { notSentAfter, tooLate } from '../errors/notSent';
import { changesSomething, healthOf, isRetried, OUTCOMES } from '../errors/outcomes';
import type { ServiceResponse } from '../service/response';
import { backoff, DEFAULT_TIMEOUT, GRACE, MOST_ATTEMPTS } from '../time/timeLimits';
import { afterArrivals, wait } from '../time/clock';
import { OnceEvent } from '../time/onceEvent';
import { lanesOf } from './accountLanes';
import type { End, Lane, LaneName } from './lane';
import { RunInLanes, type SendingOptions } from './runInLanes';

/** Thrown when a request ends because its run has stopped. */
export class Stopped extends Error {}

/**
 * Sends the requests of one run, with retries. Each waits for its turn in a lane of its account, among those
 * of other runs.
 */
export class Requester extends RunInLanes {
	/** The lanes it has used: an expression can give each item another account. */
	private readonly usedLanes = new Set<Lane>();
	/** Ends its waits, and aborts a GET in flight. */
	private readonly stopped = new OnceEvent();
	/** Aborts a POST or DELETE in flight. */
	private readonly graceIsOver = new OnceEvent();
	/** Why it has stopped, if it has. */
	private stoppedBy: Error | undefined;
	/** What its latest request met, if it failed. */
	private failure: Failure | undefined;

	/**
	 * @param patience after how many milliseconds the run stops; the time in which n8n reads the credential counts, but
	 * cannot be cut short
	 */
	constructor(isUrgent?: boolean, patience?: number, sending?: SendingOptions) {
		super(isUrgent, sending);
		if (patience !== undefined) afterArrivals(patience, () => this.stop(tooLate(this.failure)));
	}

	/**
	 * Ends all waits at once; nothing more is sent. A GET in flight is aborted; a POST or DELETE is
	 * allowed to finish, because the service would carry it out anyway.
	 *
	 * @param reason what its requests end with
	 */
	stop(reason: Error = new Stopped()): void {
		this.stoppedBy = reason;
		this.stopped.happen();
		for (const lane of this.usedLanes) lane.turnAway(this, reason);
	}

	/** Stops as n8n's Stop does: a POST or DELETE in flight gets ten seconds more. */
	cancel(): void {
		this.stop();
		afterArrivals(GRACE, () => this.graceIsOver.happen());
	}

	/**
	 * Sends a request, and retries it where that is safe.
	 *
	 * @param context where in n8n the request comes from
	 * @param request as `exchange` takes it
	 * @param name the lane of its account that the request belongs to
	 * @throws Failure if it failed, could not be sent, or was not sent because another request failed
	 * @throws the reason, Stopped by default, when the run stopped before it was sent, while it waited for another
	 * attempt, or while a GET was in flight
	 */
	async request(
		context: RequestContext,
		request: ServiceRequest,
		credential: Credential,
		name: LaneName = 'others',
	): Promise<ServiceResponse> {
		if (this.stoppedBy) throw this.stoppedBy;
		const { method = 'GET', timeout = DEFAULT_TIMEOUT } = request;
		const abandon = changesSomething(method) ? this.graceIsOver : this.stopped;
		const lanes = lanesOf(credential, request.proxy);
		const lane = lanes[name];
		this.usedLanes.add(lane);
		const entry = lane.enter(this);
		let failures = 0;
		let failure: Failure | undefined;
		for (;;) {
			const sending = lane.send(entry, async () => {
				const result = await exchange(context, { ...request, timeout }, credential, abandon);
				return { result, ...endOf(result, timeout) };
			});
			const { result, pause } = await sending.catch((error: unknown) => {
				// Why the request failed tells the user more than why it was not sent again.
				throw error instanceof Stopped ? error : (failure ?? error);
			});
			this.failure = result instanceof Failure ? result : undefined;
			if (!(result instanceof Failure)) return result;
			const { reason } = result.facts;
			if (reason === undefined) throw result;
			if (this.stoppedBy && !changesSomething(method)) throw this.stoppedBy;
			// The lane makes it wait for its next turn.
			if (pause !== undefined) continue;
			// The other requests of the run would end in the same way, in every lane.
			if (OUTCOMES[reason].isOfAccount && !this.stoppedBy) {
				for (const each of Object.values(lanes)) each.turnAway(this, notSentAfter(result));
			}
			failure = result;
			if (!isRetried(reason, method)) throw failure;
			failures += 1;
			if (failures >= MOST_ATTEMPTS) throw failure;
			// A run that has stopped meanwhile gets no other turn.
			await wait(backoff(failures, Math.random()), this.stopped);
		}
	}
}

/** @param timeout of the request, in milliseconds */
function endOf(result: ServiceResponse | Failure, timeout: number): End {
	if (!(result instanceof Failure)) return { health: 'answered' };
	const { reason } = result.facts;
	return { health: reason ? healthOf(reason, timeout) : 'nothing', failure: result };
}
