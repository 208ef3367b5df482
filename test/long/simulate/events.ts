interface Event {
	at: number;
	happen: (now: number) => void;
}

/** A virtual clock: events run in the order of their times, and take no time themselves. */
export class Events {
	/** The latest first, so that the next event can be popped. */
	private readonly planned: Event[] = [];
	/** The time of the latest event. */
	now = 0;

	/** Schedules an event; events at the same time run in the order they were planned. */
	plan(at: number, happen: (now: number) => void): void {
		const { planned } = this;
		let [from, to] = [0, planned.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (planned[middle]!.at > at) from = middle + 1;
			else to = middle;
		}
		planned.splice(from, 0, { at, happen });
	}

	/** Runs all events before that time, including those planned meanwhile, each with what follows from it. */
	async runUntil(end: number): Promise<void> {
		for (let next = this.planned.at(-1); next && next.at < end; next = this.planned.at(-1)) {
			this.planned.pop();
			this.now = next.at;
			next.happen(next.at);
			// The promises that it settles, as in a turn of the event loop.
			await new Promise((resolve) => setImmediate(resolve));
		}
	}
}
