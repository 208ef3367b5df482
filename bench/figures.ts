import type { RecordedRequest } from '../sandbox';
import type { CandidateKey } from './candidates';
import type { Run, Runs } from './run';

/** The middle number, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

export function medianOf<R extends Run>(runs: R[], value: (run: R) => number | undefined): number {
	return median(runs.map((run) => value(run) ?? NaN));
}

/** The node's own time, in milliseconds; NaN if the candidate has no runs. */
export function nodeMs(runs: Runs, key: CandidateKey): number {
	return medianOf(runs.get(key) ?? [], (run) => run.nodeMs);
}

/**
 * How many requests, from the first, came only after the previous one was answered.
 * @param requests in order of arrival
 */
export function oneByOne(requests: ReadonlyArray<Pick<RecordedRequest, 'at' | 'endedAt'>>): number {
	const first = requests.findIndex(({ at }, index) => {
		const before = requests[index - 1];
		return before !== undefined && !(before.endedAt !== undefined && before.endedAt <= at);
	});
	// This request overlaps the previous one, so neither of them counts.
	return first === -1 ? requests.length : first - 1;
}
