/** Runs tasks in the order they were added, a limited number at a time. */
export class Queue {
	private readonly tasks: Array<() => Promise<void>> = [];
	private next = 0;
	private active = 0;
	private isStopped = false;
	private readonly whenIdle: Array<() => void> = [];

	/** @param concurrency how many tasks run at once */
	constructor(private readonly concurrency: number) {}

	/** @param task must not reject */
	add(task: () => Promise<void>): void {
		this.tasks.push(task);
		if (this.active < this.concurrency) void this.work();
	}

	/** Starts no further task; those in progress continue. */
	stop(): void {
		this.isStopped = true;
	}

	/** Resolves when no task is in progress. */
	async idle(): Promise<void> {
		if (this.active > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
	}

	private async work(): Promise<void> {
		this.active += 1;
		for (;;) {
			const task = this.isStopped ? undefined : this.tasks[this.next];
			if (!task) break;
			this.next += 1;
			await task();
		}
		this.active -= 1;
		if (this.active === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
	}
}
