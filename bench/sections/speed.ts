import type { Report } from '../../n8n/report';
import type { Bench } from '../bench';
import type { CandidateKey } from '../candidates';
import { medianOf, nodeMs } from '../figures';
import {
	landed,
	mostInFlight,
	named,
	range,
	rounds,
	table,
	times,
	whole,
	type Part,
} from '../layout';
import type { Scope } from '../options';
import type { Runs } from '../run';
import { chosen, delaying, inRounds } from '../runs';

const SPEED: CandidateKey[] = ['a', 'b', 'c', 'd', 'd2', 'e'];

/** Measures how long the rows take; every round runs every candidate. One part for each delay. */
export async function* measureSpeed(
	bench: Bench,
	{ rows, rounds, only, delays }: Scope,
	report: Report,
): AsyncGenerator<Part> {
	const keys = chosen(SPEED, only);
	if (keys.length === 0) return;
	for (const delay of delays) {
		report(`Speed: ${rows} rows, ${rounds} rounds, the service responds after ${delay} ms`);
		await bench.restartN8n();
		const reset = { faults: delaying(delay) };
		await bench.warmUp(keys, rows, reset);
		const runs = await inRounds(
			rounds,
			keys,
			async (key) => await bench.run(key, rows, reset),
			report,
		);
		const title = `${rows} rows, the service responds ${delay === 0 ? 'at once' : `after ${delay} ms`}`;
		yield { title, body: bodyOf(rows, runs) };
	}
}

function bodyOf(rows: number, runs: Runs): string[] {
	const reference = (['d', 'd2'] as const)
		.filter((key) => runs.has(key))
		.sort((a, b) => nodeMs(runs, a) - nodeMs(runs, b))[0];
	const compared: CandidateKey[] = [
		...(reference ? [reference] : []),
		...(runs.has('e') ? (['e'] as const) : []),
	];
	const header = [
		'Candidate',
		'Node, ms',
		'lowest to highest',
		'per row, ms',
		...compared.map((key) => `÷ (${key})`),
		'CPU, ms',
		'most in flight',
		'rows landed',
	];
	const lines = [...runs].map(([key, list]) => [
		named(key),
		whole(nodeMs(runs, key)),
		range(list.map((run) => run.nodeMs)),
		(nodeMs(runs, key) / rows).toFixed(2),
		...compared.map((other) => times(nodeMs(runs, key) / nodeMs(runs, other))),
		whole(medianOf(list, ({ cpuMs }) => cpuMs)),
		mostInFlight(list),
		landed(list),
	]);
	const comparison = reference
		? ` Compared with (${reference}), the faster variant of the HTTP Request node${runs.has('e') ? ', and with (e)' : ''}: below 1 means less time.`
		: '';
	return [`The time is ${rounds(runs)}.${comparison}`, table(header, lines)];
}
