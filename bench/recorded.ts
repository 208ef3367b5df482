import type { RecordedRequest } from '../sandbox';
import { median } from './figures';

/** What the recorded requests of a run show. */
export interface Recorded {
	/** How many got a 429. */
	refused: number;
	/** How many requests, from the first, came only after the previous one was answered. */
	oneByOne: number;
	/** The typical time from the arrival of a request to the end of its response, in milliseconds. */
	answerMs: number;
	/** From the arrival of the first request to the end of the last response, in milliseconds. */
	servedMs: number;
}

type Times = Pick<RecordedRequest, 'at' | 'endedAt' | 'status'>;

/** @param requests in order of arrival */
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
	// This request overlaps the previous one, so neither of them counts.
	return first === -1 ? requests.length : first - 1;
}
