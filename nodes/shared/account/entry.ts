import type { RunLimit } from './runLimit';

/** A run, or a dropdown or poll, as seen by a lane. */
export interface AccountRun {
	/** Whether the user is waiting for it: a dropdown, or a test in the editor. */
	readonly isUrgent: boolean;
	readonly runLimit: RunLimit;
	/** Whether it keeps to the automatic limit: not with "Concurrency", nor a dropdown. */
	readonly isAutomatic: boolean;
	/** From this time on, no request starts. */
	readonly tooLateAt: number;
}

/** A request of a run, as a lane knows it. It asks for its turn before each attempt. */
export interface Entry {
	readonly run: AccountRun;
	readonly cameAt: number;
	/** When its latest attempt started. */
	startedAt: number;
	/** Whether its next turn comes before those of the later requests of its run. */
	goesFirst: boolean;
	/** How often it was refused. Refusals with nothing accepted in between count as one. */
	refusals: number;
	/** How many requests the lane had accepted when this one was last refused. */
	acceptedBefore?: number;
}

/** A request that waits for its turn. */
export interface Waiting {
	readonly entry: Entry;
	readonly onStart: () => void;
	readonly onLeave: (reason: unknown) => void;
}
