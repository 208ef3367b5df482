/**
 * An event that happens once, such as the end of a run. It is no AbortSignal: Node.js warns at the 11th listener of one,
 * and many requests listen to the end of a run.
 */
export class OnceEvent {
	private readonly listeners = new Set<() => void>();
	hasHappened = false;

	happen(): void {
		this.hasHappened = true;
		for (const listener of this.listeners) listener();
		this.listeners.clear();
	}

	/**
	 * @param listener called when it happens, or at once if it already has
	 * @returns a function that removes the listener
	 */
	listen(listener: () => void): () => void {
		if (this.hasHappened) listener();
		else this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
