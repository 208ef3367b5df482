import type { CandidateKey } from './candidates';

/** The figures of one run of one candidate. */
export interface Run {
	rows: number;
	/** When the node started, in milliseconds since 1970. */
	startedAt: number;
	/** The node's own time, as n8n stores it. */
	nodeMs: number;
	/** n8n's CPU time, from the webhook call to its response. */
	cpuMs?: number;
	/** How many rows the account has afterwards. */
	landed: number;
	mostInFlight: number;
	/**
	 * How many requests, from the first, came only after the previous one was answered; undefined if the
	 * requests were not recorded.
	 */
	oneByOne?: number;
	/** The error that stopped the run. */
	error?: string;
}

/** A run during which n8n was asked all the time whether it is healthy. */
export interface SilentRun extends Run {
	/** The longest time without an answer while the node ran. */
	silentMs: number;
	/** n8n's CPU time from the start of the node to the first request. */
	cpuToFirstMs: number;
}

/** The counted runs of each candidate, in the order of the rounds. */
export type Runs = Map<CandidateKey, Run[]>;
