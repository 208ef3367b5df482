/**
 * Something that happens once: a run stops. An AbortSignal would do, but for the warning that Node.js
 * prints when more than ten requests listen to one.
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
	 * @param listener is called when it happens, at once if it has happened
	 * @returns a function that calls it off
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
