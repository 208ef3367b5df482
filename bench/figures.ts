import type { Run } from './bench';
import type { CandidateKey } from './candidates';
import type { Runs } from './runs';

/** The middle number, or the mean of the two in the middle. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

export function medians(
	runs: Runs,
	value: (run: Run) => number | undefined,
): Map<CandidateKey, number> {
	return new Map([...runs].map(([key, list]) => [key, medianOf(list, value)]));
}

export function medianOf(runs: Run[], value: (run: Run) => number | undefined): number {
	return median(runs.map((run) => value(run) ?? NaN));
}

/** The node's own time, in milliseconds. */
export function nodeMs(runs: Runs, key: CandidateKey): number {
	return medianOf(runs.get(key) ?? [], (run) => run.nodeMs);
}

/** Rows per second, from the first request to the last response. */
export function perSecond(runs: Runs, key: CandidateKey): number {
	return medianOf(
		runs.get(key) ?? [],
		({ landed, recorded }) => recorded && (1000 * landed) / recorded.servedMs,
	);
}

/** The typical response time as the service sees it, in milliseconds. */
export function answerMs(runs: Runs, key: CandidateKey): number {
	return medianOf(runs.get(key) ?? [], ({ recorded }) => recorded?.answerMs);
}

/** The shortest possible time for this many requests at this rate, in milliseconds. */
export function limitMs(executions: number, perSecond: number): number {
	return (1000 * executions) / perSecond;
}
