import { CANDIDATES, type CandidateKey } from './candidates';
import { medianOf, nodeMs } from './figures';
import type { Run, Runs } from './run';

const HTTP_REQUEST: CandidateKey[] = ['d', 'd2', 'h'];

/** Prints the figures of each candidate, with its time relative to the fastest variant of HTTP Request. */
export function printRuns(runs: Runs): void {
	const references = HTTP_REQUEST.filter((key) => runs.has(key)).map((key) => nodeMs(runs, key));
	printTable(
		[...runs].map(([key, list]) => {
			const ms = nodeMs(runs, key);
			const all = (value: (run: Run) => number) => list.map(value);
			return [
				key,
				{
					'node, ms': ms,
					lowest: Math.min(...all((run) => run.nodeMs)),
					highest: Math.max(...all((run) => run.nodeMs)),
					'per row, ms': ms / medianOf(list, (run) => run.rows),
					'÷ HTTP Request': references.length > 0 ? ms / Math.min(...references) : NaN,
					'CPU, ms': medianOf(list, (run) => run.cpuMs),
					'most in flight': Math.max(...all((run) => run.mostInFlight)),
					'one by one at first': Math.min(...all((run) => run.oneByOne ?? NaN)),
					landed: Math.min(...all((run) => run.landed)),
				},
			];
		}),
	);
}

/** Prints a line for each candidate; what is not known is left out. */
export function printTable(lines: Array<[CandidateKey, Record<string, number>]>): void {
	const shown = lines.map(([key, figures]) => {
		const known = Object.entries(figures).filter(([, figure]) => !Number.isNaN(figure));
		const rounded = known.map(([name, figure]) => [name, Number(figure.toFixed(2))]);
		return [`(${key}) ${CANDIDATES[key].title}`, Object.fromEntries(rounded)];
	});
	console.table(Object.fromEntries(shown));
}
