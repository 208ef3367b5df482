import type { Stop } from '../stop';
import { afterArrivals, now } from '../time';
import { Failure } from './failure';
import type { Reason } from './outcomes';

/**
 * The time that one request may take, from its start to the last byte of the response. When it is
 * over, `race` rejects at once, whatever the promise is waiting for. A response that arrived in time is
 * still read, however busy n8n was meanwhile: it can contain the id of a paid job.
 */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly callOffs: Array<() => void> = [];
	private readonly expired: Promise<never>;
	private expire: (failure: Failure) => void = () => {};
	private until = Infinity;

	/**
	 * @param timeout in milliseconds
	 * @param abandon aborts the request before that
	 */
	constructor(timeout: number, abandon?: Stop) {
		this.expired = new Promise((_resolve, reject) => (this.expire = reject));
		this.expired.catch(() => {});
		this.shorten(timeout);
		if (abandon) this.callOffs.push(abandon.listen(() => this.end('abandoned')));
	}

	/** For n8n's request helper: aborted when the time is over, which closes the connection. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** In milliseconds. */
	get timeLeft(): number {
		return Math.max(0, this.until - now());
	}

	/** Leaves the request at most this many milliseconds from now. */
	shorten(milliseconds: number): void {
		if (milliseconds >= this.timeLeft) return;
		this.until = now() + milliseconds;
		this.callOffs.push(afterArrivals(milliseconds, () => this.end('timedOut')));
	}

	/** Settles as the promise does. @throws Failure when the time is over first */
	async race<T>(promise: Promise<T>): Promise<T> {
		return await Promise.race([promise, this.expired]);
	}

	/** Closes the connection of a response that is not read to its end. */
	close(): void {
		this.controller.abort();
	}

	/** Removes the timers and the listener. */
	release(): void {
		for (const callOff of this.callOffs) callOff();
	}

	private end(reason: Reason): void {
		this.expire(new Failure(reason));
		this.close();
	}
}
