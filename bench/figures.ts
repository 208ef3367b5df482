import type { CandidateKey } from './candidates';
import type { Run, Runs } from './run';

/** The middle number, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

export function medianOf(runs: Run[], value: (run: Run) => number | undefined): number {
	return median(runs.map((run) => value(run) ?? NaN));
}

/** The node's own time, in milliseconds; NaN if the candidate has no runs. */
export function nodeMs(runs: Runs, key: CandidateKey): number {
	return medianOf(runs.get(key) ?? [], (run) => run.nodeMs);
}

/** The shortest possible time for this many requests at this rate, in milliseconds. */
export function limitMs(requests: number, perSecond: number): number {
	return (1000 * requests) / perSecond;
}
