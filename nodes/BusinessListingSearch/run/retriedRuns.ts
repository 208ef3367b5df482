/** What several retries of an execution have in common. */
export interface Shared<RunRecord> {
	record: RunRecord;
	/** The tasks that one of them has sent, except those that can be sent again. */
	claimed: Set<string>;
	/** How many tasks the record has, and one more for the run. */
	size: number;
}

/** How many tasks are remembered, in about 60 MB: all that fail in an outage, however a workflow retries them. */
const MOST_TASKS = 200_000;

/**
 * The runs that were loaded from a stored execution, the latest last. n8n lets a person, or a workflow, retry
 * the same execution several times, at once or one after the other, and loads what is stored of it each time.
 */
export class RetriedRuns<RunRecord> {
	private readonly runs = new Map<string, Shared<RunRecord>>();
	private size = 0;

	get(key: string): Shared<RunRecord> | undefined {
		return this.runs.get(key);
	}

	/** Keeps a run that is retried. Those whose latest retry is oldest go, if there are too many tasks; this one stays. */
	keep(key: string, shared: Shared<RunRecord>): void {
		if (!this.runs.delete(key)) this.size += shared.size;
		this.runs.set(key, shared);
		for (const [oldest, { size }] of this.runs) {
			if (this.size <= MOST_TASKS || oldest === key) return;
			this.runs.delete(oldest);
			this.size -= size;
		}
	}

	/** Counts a new task of a run, if that is retried. */
	grow(key: string): void {
		const shared = this.runs.get(key);
		if (!shared) return;
		shared.size += 1;
		this.size += 1;
	}
}
