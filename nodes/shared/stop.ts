import { changesSomething } from './errors/outcomes';
import { afterArrivals } from './time';

/** How long a POST or DELETE in flight gets after n8n's Stop, in milliseconds. */
const GRACE = 10_000;

/**
 * An event that happens once: a run stops. It is no AbortSignal, because Node.js warns if more than ten requests
 * listen to one.
 */
export class Stop {
	private readonly listeners = new Set<() => void>();
	private isSet = false;

	get isStopped(): boolean {
		return this.isSet;
	}

	stop(): void {
		this.isSet = true;
		for (const listener of this.listeners) listener();
		this.listeners.clear();
	}

	/**
	 * @param listener called when the run stops, or at once if it already has
	 * @returns a function that removes the listener
	 */
	listen(listener: () => void): () => void {
		if (this.isSet) {
			listener();
			return () => {};
		}
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}

/** How a run ends before all is sent: nothing more starts. */
export class RunStop extends Stop {
	private readonly afterGrace = new Stop();

	/** n8n's Stop: also ends what is in flight, a GET at once, a POST or DELETE after ten seconds. */
	cancel(): void {
		this.stop();
		afterArrivals(GRACE, () => this.afterGrace.stop());
	}

	/** What aborts a request. A stop alone lets a change finish: the service would carry it out anyway. */
	abortOf(method: string): Stop {
		return changesSomething(method) ? this.afterGrace : this;
	}
}
