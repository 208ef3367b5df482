/** How a person wants a run to send. "Concurrency" replaces the automatic limit of the lanes. */
export interface SendingOptions {
	/** How many of its requests may be in flight: "Concurrency". */
	concurrency?: number;
	/** How many start together, and the time between batches, in milliseconds: "Batching". */
	batching?: { size: number; interval: number };
}

/** A run, or a dropdown or poll, as its lanes see it. All times are in milliseconds. */
export class RunInLanes {
	private inFlight = 0;
	/** The lanes that wait until a request of the run has ended, in whichever lane or account. */
	private readonly waiting = new Set<() => void>();
	/** The batch: how many of it have started, and when the first did. */
	private batch = { started: 0, since: -Infinity };

	/**
	 * @param isUrgent whether the user is waiting for it: a dropdown, or a test in the editor
	 * @param sending what is set for it; of a run, once its options are read
	 */
	constructor(
		readonly isUrgent = false,
		public sending: SendingOptions = {},
	) {}

	/** Whether it keeps to the automatic limit: not with "Concurrency". */
	get isAutomatic(): boolean {
		return this.sending.concurrency === undefined;
	}

	/** @returns how long the next request waits; `Infinity` until another one has ended: `whenRoom` tells when */
	waitLeft(now: number): number {
		const { concurrency = Infinity, batching } = this.sending;
		if (this.inFlight >= concurrency) return Infinity;
		if (!batching || this.batch.started < batching.size) return 0;
		return Math.max(0, this.batch.since + batching.interval - now);
	}

	started(now: number): void {
		this.inFlight += 1;
		const { interval = 0 } = this.sending.batching ?? {};
		if (now - this.batch.since >= interval) this.batch = { started: 0, since: now };
		this.batch.started += 1;
	}

	/** Calls back once, when the next request of the run has ended. */
	whenRoom(callback: () => void): void {
		this.waiting.add(callback);
	}

	ended(): void {
		this.inFlight -= 1;
		for (const callback of this.waiting) callback();
		this.waiting.clear();
	}
}
