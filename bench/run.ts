import type { CandidateKey } from './candidates';

/** The figures of one run of one candidate. */
export interface Run {
	rows: number;
	/** The node's own time, as n8n stores it; the total time for the plain client. */
	nodeMs: number;
	/** CPU time of the process that runs the executions, from the webhook call to its response. */
	cpuMs?: number;
	/** How many rows the account has afterwards. */
	landed: number;
	requests: number;
	/** Milliseconds from the first request to the last. */
	requestsMs: number;
	mostInFlight: number;
	/** Undefined if the requests were not recorded. */
	recorded?: Recorded;
	/** The error that stopped the run. */
	error?: string;
}

/** What the recorded requests of a run show. */
export interface Recorded {
	/** How many got a 429. */
	refused: number;
	/** How many requests, from the first, came only after the previous one was answered. */
	oneByOne: number;
}

/** The figures of many executions at once, each with one row. */
export interface Burst {
	executions: number;
	succeeded: number;
	/** From the first webhook call to the last response, which n8n sends when an execution ends. */
	ms: number;
	/** How many of the rows have a job. */
	landed: number;
	/** How many jobs are duplicates. */
	twice: number;
	requests: number;
	refused: number;
}

/** The counted runs of each candidate, in the order of the rounds. */
export type Runs = Map<CandidateKey, Run[]>;
