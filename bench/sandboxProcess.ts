/**
 * The sandbox in a process of its own, so that it shares no event loop with what it is measured by.
 * It keeps the counts of requests only: recording them would cost it memory and time.
 */
import { startSandbox, type FaultRule } from '../sandbox';
import { BLACKLIST } from './candidates';
import { answerQuestions } from './child';

/** `reset` empties the account and sets new faults; `look` changes nothing. */
export type SandboxQuestion = { reset: FaultRule[] } | 'look';

export interface SandboxAnswer {
	address: string;
	key: string;
	/** How many items the blacklist holds. */
	landed: number;
	/** How many requests came since the last reset. */
	requests: number;
	/** How long it was from the arrival of the first to that of the last, in milliseconds. */
	requestsMs: number;
	/** The most that were in flight at once. */
	mostInFlight: number;
}

const started = startSandbox({ record: false, remaining: Number.MAX_SAFE_INTEGER });

answerQuestions<SandboxQuestion, SandboxAnswer>(async (question) => {
	const sandbox = await started;
	if (question !== 'look') {
		sandbox.reset();
		for (const rule of question.reset) sandbox.faults.add(rule);
	}
	const { address, key, state, requestCount: requests, lasted: requestsMs } = sandbox;
	const { maxInFlight: mostInFlight } = sandbox;
	const landed = state.blacklists.get(BLACKLIST)?.size ?? 0;
	return { address, key, landed, requests, requestsMs, mostInFlight };
});
