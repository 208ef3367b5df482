import type { RecordedRequest } from '../sandbox';
import { median } from './figures';

/** What the requests that the sandbox recorded say about a run. */
export interface Recorded {
	/** How many were told to wait, with 429. */
	refused: number;
	/** How many there were from the first on that each came only after the one before had its answer. */
	oneByOne: number;
	/** The typical time from the arrival of a request to the end of its answer, in milliseconds. */
	answerMs: number;
	/** From the arrival of the first request to the end of the last answer, in milliseconds. */
	servedMs: number;
}

type Times = Pick<RecordedRequest, 'at' | 'endedAt' | 'status'>;

/** @param requests in the order they came in */
export function summed(requests: readonly Times[]): Recorded {
	const ended = requests.flatMap(({ at, endedAt }) =>
		endedAt === undefined ? [] : { at, endedAt },
	);
	const last = ended.reduce((latest, { endedAt }) => Math.max(latest, endedAt), -Infinity);
	return {
		refused: requests.filter(({ status }) => status === 429).length,
		oneByOne: oneByOne(requests),
		answerMs: median(ended.map(({ at, endedAt }) => endedAt - at)),
		servedMs: last - (requests[0]?.at ?? NaN),
	};
}

function oneByOne(requests: readonly Times[]): number {
	const first = requests.findIndex(({ at }, index) => {
		const before = requests[index - 1];
		return before !== undefined && !(before.endedAt !== undefined && before.endedAt <= at);
	});
	// The one that did not wait is not alone, nor is the one that it did not wait for.
	return first === -1 ? requests.length : first - 1;
}
