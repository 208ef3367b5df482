import type { Report } from '../n8n/report';
import type { FaultRule } from '../sandbox';
import type { Bench, Run } from './bench';
import type { CandidateKey } from './candidates';
import type { Scope } from './options';
import { chosen, inRounds, line, type Runs } from './runs';

export interface CapacityResult {
	atOnce: number;
	ms: number;
	runs: Runs;
}

const AT_ONCE = 8;
const MS = 20;
const ROWS = 3000;
/** Enough rows for the typical response time of an idle service. */
const IDLE_ROWS = 200;
const ROUNDS = 3;
/** The plain client at full speed and one by one, for comparison; then the nodes. */
const CAPACITY: CandidateKey[] = ['e50', 'e1', 'a0', 'b0', 'b50', 'd2'];

/**
 * Measures how much of a service's capacity each candidate uses. The service works on a few requests
 * at a time and queues the others. Each run uses a new account.
 * @param rows the maximum, for a trial
 */
export async function measureCapacity(
	bench: Bench,
	{ rows, rounds, only }: Scope,
	report: Report,
): Promise<CapacityResult | undefined> {
	if (chosen(CAPACITY, only).length === 0) return undefined;
	// The others are compared with these two.
	const keys = chosen(CAPACITY, [...only, 'e50', 'e1']);
	const size = Math.min(rows, ROWS);
	report(`Capacity: ${size} rows, the service works on ${AT_ONCE} at a time, ${MS} ms each`);
	await bench.restartN8n();
	await bench.warmUp(
		keys.filter((key) => key !== 'e1'),
		size,
	);
	const faults: FaultRule[] = [{ fault: { kind: 'capacity', atOnce: AT_ONCE, ms: MS } }];
	const run = async (key: CandidateKey) => {
		const count = key === 'e1' ? Math.min(size, IDLE_ROWS) : size;
		return await bench.run(key, count, { faults, record: true, newKey: true });
	};
	const runs = await inRounds(Math.min(rounds, ROUNDS), keys, run, report, shown);
	return { atOnce: AT_ONCE, ms: MS, runs };
}

function shown(key: CandidateKey, run: Run): string {
	const { answerMs, servedMs } = run.recorded!;
	const perSecond = Math.round((1000 * run.landed) / servedMs);
	return `${line(key, run)}, ${perSecond} per second, typical response ${answerMs.toFixed(0)} ms`;
}
