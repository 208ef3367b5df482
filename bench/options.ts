import { parseArgs } from 'node:util';
import { CANDIDATES, type CandidateKey } from './candidates';

export type Section =
	'speed' | 'limit' | 'growth' | 'executions' | 'defaults' | 'capacity' | 'queue';

/** How much a section measures. */
export interface Scope {
	rows: number;
	rounds: number;
	only: CandidateKey[];
}

/** The benchmark's command line. */
export interface BenchOptions extends Scope {
	/** Response times of the sandbox in milliseconds; one table for each. */
	delays: number[];
	sections: Section[];
	/** The candidate to profile; nothing else is measured then. */
	profile?: CandidateKey;
	/** The file for the tables; undefined in a trial. */
	output?: string;
}

export const SECTIONS: Section[] = [
	'speed',
	'limit',
	'growth',
	'executions',
	'defaults',
	'capacity',
	'queue',
];
const FULL = { rows: '5000', rounds: '5', delays: '0,5,50', sections: SECTIONS.join() };
const QUICK = { rows: '500', rounds: '2', delays: '5', sections: 'speed,limit' };

export const USAGE = `Usage: npm run bench -- [options]

  --rows <number>      rows of a run (default ${FULL.rows})
  --rounds <number>    counted rounds; the median is shown (default ${FULL.rounds})
  --delays <list>      milliseconds until the sandbox responds (default ${FULL.delays})
  --only <list>        candidates: ${Object.keys(CANDIDATES).join(', ')} (default: all)
  --sections <list>    ${SECTIONS.join(', ')} (default: all)
  --quick              a small trial: ${QUICK.rows} rows, ${QUICK.rounds} rounds, ${QUICK.delays} ms, ${QUICK.sections}; prints the tables and writes no file
  --profile <one>      one profiled run of a candidate instead of the measurements
  --output <file>      the file for the tables (default bench/RESULTS.md); sections of an existing
                       file that are not measured are kept, unless you measure all of them
  --help               show this text

The full benchmark takes about 75 minutes. To run only parts of it, use --only, --delays and --sections.`;

/**
 * Reads the command line.
 * @returns undefined for `--help`
 * @throws Error with a sentence about the invalid option
 */
export function readOptions(args: string[]): BenchOptions | undefined {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		args,
		options: {
			rows: text,
			rounds: text,
			delays: text,
			only: text,
			sections: text,
			quick: { type: 'boolean', default: false },
			profile: text,
			output: text,
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const defaults = values.quick ? QUICK : FULL;
	const keys = Object.keys(CANDIDATES) as CandidateKey[];
	const [profile] = listOf('--profile', values.profile ?? '', keys);
	return {
		rows: wholeNumber('--rows', values.rows ?? defaults.rows, 1),
		rounds: wholeNumber('--rounds', values.rounds ?? defaults.rounds, 1),
		delays: (values.delays ?? defaults.delays)
			.split(',')
			.map((delay) => wholeNumber('--delays', delay, 0)),
		sections: listOf('--sections', values.sections ?? defaults.sections, SECTIONS),
		only: listOf('--only', values.only ?? keys.join(), keys),
		profile,
		output: values.output ?? (values.quick ? undefined : 'bench/RESULTS.md'),
	};
}

function wholeNumber(option: string, text: string, lowest: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= lowest) return value;
	throw new Error(`${option} must be a whole number from ${lowest}, not "${text}".`);
}

function listOf<T extends string>(option: string, text: string, known: T[]): T[] {
	const chosen = text.split(',').filter((entry) => entry !== '');
	const unknown = chosen.find((entry) => !(known as string[]).includes(entry));
	if (unknown !== undefined) {
		throw new Error(`${option} takes ${known.join(', ')}, not "${unknown}".`);
	}
	// In display order, not in that of the command line.
	return known.filter((entry) => chosen.includes(entry));
}
