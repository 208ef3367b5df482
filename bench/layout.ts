import { CANDIDATES, type CandidateKey } from './candidates';
import type { Run, Runs } from './run';

/** A section of the page of results. */
export interface Part {
	title: string;
	/** Its paragraphs, tables and lists. */
	body: string[];
}

export function named(key: CandidateKey): string {
	return `(${key}) ${CANDIDATES[key].title}`;
}

export function range(numbers: number[]): string {
	return `${whole(Math.min(...numbers))} to ${whole(Math.max(...numbers))}`;
}

export function whole(number: number): string {
	return Number.isNaN(number) ? '–' : Math.round(number).toLocaleString('en');
}

/** How many rows landed in the worst of the runs, of how many. */
export function landed(runs: Run[]): string {
	const rows = Math.max(...runs.map((run) => run.rows));
	return `${whole(Math.min(...runs.map((run) => run.landed)))} of ${whole(rows)}`;
}

/** The most requests in flight in any of the runs. */
export function mostInFlight(runs: Run[]): string {
	return whole(Math.max(...runs.map((run) => run.mostInFlight)));
}

/** The number of rounds, in words. */
export function rounds(runs: Runs): string {
	const count = Math.max(...[...runs.values()].map((list) => list.length));
	return count === 1 ? 'one round' : `the median of ${count} alternating rounds`;
}

/** The first column is text; the others are numbers. */
export function table(header: string[], lines: string[][]): string {
	const alignment = header.map((_, index) => (index === 0 ? '---' : '--:'));
	return [header, alignment, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A factor; a dash if there is nothing to compare with. */
export function times(factor: number): string {
	return Number.isNaN(factor) ? '–' : factor.toFixed(2);
}
