interface Event {
	at: number;
	order: number;
	happen: (now: number) => void;
}

/** A virtual clock: events run in the order of their times, and take no time themselves. */
export class Events {
	/** A binary heap, the next event first. */
	private readonly heap: Event[] = [];
	private planned = 0;
	/** The time of the latest event. */
	now = 0;

	/** Schedules an event; events at the same time run in the order they were planned. */
	plan(at: number, happen: (now: number) => void): void {
		const { heap } = this;
		const event = { at, order: this.planned++, happen };
		let index = heap.length;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!isBefore(event, heap[parent]!)) break;
			heap[index] = heap[parent]!;
			index = parent;
		}
		heap[index] = event;
	}

	/** Runs all events before that time, including those planned meanwhile. */
	runUntil(end: number): void {
		for (let first = this.heap[0]; first && first.at < end; first = this.heap[0]) {
			this.removeFirst();
			this.now = first.at;
			first.happen(first.at);
		}
	}

	private removeFirst(): void {
		const { heap } = this;
		const moved = heap.pop()!;
		const { length } = heap;
		if (length === 0) return;
		let index = 0;
		for (let child = 1; child < length; child = 2 * index + 1) {
			if (child + 1 < length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
			if (!isBefore(heap[child]!, moved)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = moved;
	}
}

function isBefore(one: Event, other: Event): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}
