/**
 * The sandbox in its own process, so that it does not share an event loop with what is measured. By
 * default it only counts requests: recording them takes memory and time.
 */
import { randomUUID } from 'node:crypto';
import { startSandbox, type FaultRule } from '../sandbox';
import { BLACKLIST } from './candidates';
import { answerQuestions } from './child';
import { oneByOne } from './figures';

/** Empties the account and sets new faults. */
export interface Reset {
	faults: FaultRule[];
	/** Whether to record the requests from now on. */
	record?: boolean;
	/** Whether to change the key, which makes it a new account to n8n. */
	newKey?: boolean;
}

/** `read` changes nothing. */
export type SandboxQuestion = { reset: Reset } | 'read';

export interface SandboxAnswer {
	address: string;
	key: string;
	/** How many rows are on the blacklist or have a job. */
	landed: number;
	/** The most that were in flight at once. */
	mostInFlight: number;
	/** Undefined if the requests were not recorded. */
	oneByOne?: number;
	/** When the first request came, in milliseconds since 1970; undefined if they were not recorded. */
	firstAt?: number;
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
	const { address, key, state, maxInFlight: mostInFlight } = sandbox;
	const keywords = new Set(state.jobs.map(({ keyword }) => keyword)).size;
	return {
		address,
		key,
		landed: (state.blacklists.get(BLACKLIST)?.size ?? 0) + keywords,
		mostInFlight,
		...(sandbox.record && {
			oneByOne: oneByOne(sandbox.requests),
			firstAt: performance.timeOrigin + (sandbox.requests[0]?.at ?? NaN),
		}),
	};
});
