/**
 * The sandbox in a process of its own, so that it shares no event loop with what it is measured by.
 * Unless it is told otherwise it keeps the counts of requests only: recording them costs it memory and
 * time.
 */
import { randomUUID } from 'node:crypto';
import { startSandbox, type FaultRule } from '../sandbox';
import { BLACKLIST } from './candidates';
import { answerQuestions } from './child';
import { summed, type Recorded } from './recorded';

/** Empties the account and sets new faults. */
export interface Reset {
	faults: FaultRule[];
	/** Whether the requests from now on are recorded. */
	record?: boolean;
	/** Whether another key is taken from now on: to who uses it, the account is one it never used. */
	newKey?: boolean;
}

/** `read` changes nothing. */
export type SandboxQuestion = { reset: Reset } | 'read';

export interface SandboxAnswer {
	address: string;
	key: string;
	/** How many of the rows are there: on the blacklist, or as jobs, whose keywords differ. */
	landed: number;
	/** How many jobs there are that have the keyword of another. */
	twice: number;
	/** Requests since the last reset. */
	requests: number;
	/** Milliseconds from the arrival of the first to that of the last. */
	requestsMs: number;
	/** The most that were in flight at once. */
	mostInFlight: number;
	/** What the requests say that were recorded; undefined when they were not. */
	recorded?: Recorded;
}

const started = startSandbox({ record: false, remaining: Number.MAX_SAFE_INTEGER });

answerQuestions<SandboxQuestion, SandboxAnswer>(async (question) => {
	const sandbox = await started;
	if (question !== 'read') {
		const { faults, record = false, newKey = false } = question.reset;
		sandbox.reset();
		sandbox.record = record;
		if (newKey) sandbox.key = randomUUID();
		for (const rule of faults) sandbox.faults.add(rule);
	}
	const { address, key, state, requestCount: requests, lasted: requestsMs } = sandbox;
	const { maxInFlight: mostInFlight } = sandbox;
	const keywords = new Set(state.jobs.map(({ keyword }) => keyword)).size;
	return {
		address,
		key,
		landed: (state.blacklists.get(BLACKLIST)?.size ?? 0) + keywords,
		twice: state.jobs.length - keywords,
		requests,
		requestsMs,
		mostInFlight,
		...(sandbox.record && { recorded: summed(sandbox.requests) }),
	};
});
