/**
 * The sandbox in its own process, so that it shares no event loop with the benchmark. It only counts
 * requests: recording them would cost memory and time.
 */
import { startSandbox, type FaultRule } from '../sandbox';
import { BLACKLIST } from './candidates';
import { answerQuestions } from './child';

/** `reset` empties the account and sets new faults; `read` changes nothing. */
export type SandboxQuestion = { reset: FaultRule[] } | 'read';

export interface SandboxAnswer {
	address: string;
	key: string;
	/** How many items the blacklist holds. */
	landed: number;
	/** Requests since the last reset. */
	requests: number;
	/** Milliseconds from the arrival of the first to that of the last. */
	requestsMs: number;
	/** The most that were in flight at once. */
	mostInFlight: number;
}

const started = startSandbox({ record: false, remaining: Number.MAX_SAFE_INTEGER });

answerQuestions<SandboxQuestion, SandboxAnswer>(async (question) => {
	const sandbox = await started;
	if (question !== 'read') {
		sandbox.reset();
		for (const rule of question.reset) sandbox.faults.add(rule);
	}
	const { address, key, state, requestCount: requests, lasted: requestsMs } = sandbox;
	const { maxInFlight: mostInFlight } = sandbox;
	const landed = state.blacklists.get(BLACKLIST)?.size ?? 0;
	return { address, key, landed, requests, requestsMs, mostInFlight };
});
