import type { RecordedRequest } from '../sandbox';
import type { Recorded } from './run';

type Times = Pick<RecordedRequest, 'at' | 'endedAt' | 'status'>;

/** @param requests in order of arrival */
export function summed(requests: readonly Times[]): Recorded {
	return {
		refused: requests.filter(({ status }) => status === 429).length,
		oneByOne: oneByOne(requests),
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
