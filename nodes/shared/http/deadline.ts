import type { Stop } from '../stop';
import { afterArrivals, now } from '../time';
import { Failure, type Trouble } from './failure';

/**
 * The time that one request may take, from its start to the last byte of the response. When it is
 * over, `race` rejects at once, whatever the promise is waiting for. A response that arrived in time is
 * still read, however busy n8n was meanwhile: it can contain the id of a paid job.
 */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly until: number;
	private readonly callOffs: Array<() => void>;
	private readonly expired: Promise<never>;
	private expire: (failure: Failure) => void = () => {};

	/**
	 * @param timeout in milliseconds
	 * @param abandon aborts the request before that
	 */
	constructor(timeout: number, abandon?: Stop) {
		this.until = now() + timeout;
		this.expired = new Promise((_resolve, reject) => (this.expire = reject));
		this.expired.catch(() => {});
		const onTimeout = () => this.end({ kind: 'connection', code: 'ETIMEDOUT', what: 'timedOut' });
		const onAbandon = () => this.end({ kind: 'abandoned' });
		this.callOffs = [afterArrivals(timeout, onTimeout)];
		if (abandon) this.callOffs.push(abandon.listen(onAbandon));
	}

	/** For n8n's request helper: aborted when the time is over. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** In milliseconds. */
	get timeLeft(): number {
		return Math.max(0, this.until - now());
	}

	/** Settles as the promise does. @throws Failure when the time is over first */
	async race<T>(promise: Promise<T>): Promise<T> {
		return await Promise.race([promise, this.expired]);
	}

	/** Removes the timer and the listener. */
	release(): void {
		for (const callOff of this.callOffs) callOff();
	}

	private end(trouble: Trouble): void {
		this.expire(new Failure(trouble));
		this.controller.abort();
	}
}
