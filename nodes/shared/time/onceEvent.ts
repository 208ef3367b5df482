/**
 * An event that happens once, such as the end of a run. It is no AbortSignal, because Node.js warns if more than ten
 * requests listen to one.
 */
export class OnceEvent {
	private readonly listeners = new Set<() => void>();
	private isSet = false;

	get hasHappened(): boolean {
		return this.isSet;
	}

	happen(): void {
		this.isSet = true;
		for (const listener of this.listeners) listener();
		this.listeners.clear();
	}

	/**
	 * @param listener called when it happens, or at once if it already has
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
