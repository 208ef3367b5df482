/** The limits that a run sets itself. */
export interface RunOptions {
	/** How many of its requests may be in flight: "Concurrency". */
	concurrency?: number;
	/** How many start together, and the time between batches, in milliseconds: "Batching". */
	batching?: { size: number; interval: number };
}

/** Keeps a run to its own limits, besides those of its lanes. All times are in milliseconds. */
export class RunLimit {
	private inFlight = 0;
	/** The lanes that wait until a request of the run has ended, in whichever lane or account. */
	private readonly waiting = new Set<() => void>();
	/** The batch: how many of it have started, and when the first did. */
	private batch = { started: 0, since: -Infinity };

	constructor(public limits: RunOptions) {}

	/** @returns how long the next request waits; `Infinity` until another one has ended: `whenRoom` tells when */
	waitLeft(now: number): number {
		const { concurrency = Infinity, batching } = this.limits;
		if (this.inFlight >= concurrency) return Infinity;
		if (!batching || this.batch.started < batching.size) return 0;
		return Math.max(0, this.batch.since + batching.interval - now);
	}

	started(now: number): void {
		this.inFlight += 1;
		const { interval = 0 } = this.limits.batching ?? {};
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

/** A run, or a dropdown or poll, as seen by a lane. */
export interface Sender {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	readonly runLimit: RunLimit;
	/** Whether it keeps to the automatic limit: not with "Concurrency", nor a dropdown. */
	readonly isAutomatic: boolean;
}
