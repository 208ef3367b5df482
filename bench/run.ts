import type { CandidateKey } from './candidates';

/** The figures of one run of one candidate. */
export interface Run {
	rows: number;
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

/** The counted runs of each candidate, in the order of the rounds. */
export type Runs = Map<CandidateKey, Run[]>;
