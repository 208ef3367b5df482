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
