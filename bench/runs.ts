import type { Report } from '../n8n/report';
import type { FaultRule } from '../sandbox';
import { CANDIDATES, type CandidateKey } from './candidates';
import type { Run, Runs } from './run';

export function chosen(keys: CandidateKey[], only: CandidateKey[]): CandidateKey[] {
	return keys.filter((key) => only.includes(key));
}

/**
 * Runs every candidate once per round.
 * @param run runs a candidate once
 */
export async function inRounds(
	rounds: number,
	keys: CandidateKey[],
	run: (key: CandidateKey) => Promise<Run>,
	report: Report,
): Promise<Runs> {
	const runs: Runs = new Map(keys.map((key) => [key, []]));
	for (let round = 0; round < rounds; round++) {
		for (const key of rotated(keys, round)) {
			const result = await run(key);
			runs.get(key)!.push(result);
			report(`  round ${round + 1} ${line(key, result)}`);
		}
	}
	return runs;
}

/** Each round starts with another candidate, so that none always follows the same one. */
export function rotated<T>(list: T[], by: number): T[] {
	const start = by % (list.length || 1);
	return [...list.slice(start), ...list.slice(0, start)];
}

export function delaying(ms: number): FaultRule[] {
	return ms === 0 ? [] : [{ fault: { kind: 'delay', ms } }];
}

/** The line to report for a run. */
function line(key: CandidateKey, run: Run): string {
	const { rows, nodeMs, cpuMs, landed, mostInFlight, error } = run;
	return [
		`(${key}) ${CANDIDATES[key].title}: ${Math.round(nodeMs)} ms for ${rows} rows`,
		landed !== rows && key !== 'n' && `${landed} landed`,
		cpuMs !== undefined && `CPU ${Math.round(cpuMs)} ms`,
		`most in flight ${mostInFlight}`,
		error !== undefined && `stopped: ${error}`,
	]
		.filter(Boolean)
		.join(', ');
}
