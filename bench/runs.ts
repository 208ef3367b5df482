import type { FaultRule } from '../sandbox';
import type { Run } from './bench';
import { CANDIDATES, type CandidateKey } from './candidates';

/** The counted runs of each candidate, in the order of the rounds. */
export type Runs = Map<CandidateKey, Run[]>;

export function chosen(keys: CandidateKey[], only: CandidateKey[]): CandidateKey[] {
	return keys.filter((key) => only.includes(key));
}

/** Each round starts with another candidate, so that none always follows the same one. */
export function rotated<T>(list: T[], by: number): T[] {
	const start = by % (list.length || 1);
	return [...list.slice(start), ...list.slice(0, start)];
}

export function delaying(ms: number): FaultRule[] {
	return ms === 0 ? [] : [{ fault: { kind: 'delay', ms } }];
}

export function note(runs: Runs, key: CandidateKey, run: Run): void {
	runs.set(key, [...(runs.get(key) ?? []), run]);
}

/** A run in one line, for who watches. */
export function line(
	key: CandidateKey,
	{ rows, nodeMs, cpuMs, landed, peakMb, error }: Run,
): string {
	return [
		`(${key}) ${CANDIDATES[key].title}: ${Math.round(nodeMs)} ms for ${rows} rows`,
		landed !== rows && key !== 'n' && `${landed} landed`,
		cpuMs !== undefined && `CPU ${Math.round(cpuMs)} ms`,
		peakMb !== undefined && `peak ${Math.round(peakMb)} MB`,
		error !== undefined && `stopped: ${error}`,
	]
		.filter(Boolean)
		.join(', ');
}
