import { parseArgs } from 'node:util';
import { CANDIDATES, type CandidateKey } from './candidates';

export const SECTIONS = ['silence', 'speed', 'growth', 'defaults'] as const;

export type Section = (typeof SECTIONS)[number];

/** How much a section measures. */
export interface Scope {
	rows: number;
	rounds: number;
	only: CandidateKey[];
	/** Response times of the sandbox in milliseconds, for the section on speed. */
	delays: number[];
}

/** The benchmark's command line. */
export interface BenchOptions extends Scope {
	sections: Section[];
}

const KEYS = Object.keys(CANDIDATES) as CandidateKey[];
const DEFAULTS = {
	rows: '5000',
	rounds: '5',
	delays: '0,5,50',
	only: KEYS.join(),
	sections: SECTIONS.join(),
};

export const USAGE = `Usage: npm run bench -- [options]

  --rows <number>      rows of a run (default ${DEFAULTS.rows})
  --rounds <number>    counted rounds; the median is shown (default ${DEFAULTS.rounds})
  --delays <list>      milliseconds until the sandbox responds (default ${DEFAULTS.delays})
  --only <list>        candidates: ${KEYS.join(', ')} (default: all)
  --sections <list>    ${SECTIONS.join(', ')} (default: all)
  --help               show this text

The full benchmark takes about 50 minutes. To run only parts of it, use --only, --delays and --sections.`;

/**
 * Reads the command line.
 * @returns undefined for `--help`
 * @throws Error with a sentence about the invalid option
 */
export function readOptions(args: string[]): BenchOptions | undefined {
	const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
	const { values } = parseArgs({
		args,
		options: {
			rows: text(DEFAULTS.rows),
			rounds: text(DEFAULTS.rounds),
			delays: text(DEFAULTS.delays),
			only: text(DEFAULTS.only),
			sections: text(DEFAULTS.sections),
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	return {
		rows: wholeNumber('--rows', values.rows, 1),
		rounds: wholeNumber('--rounds', values.rounds, 1),
		delays: values.delays.split(',').map((delay) => wholeNumber('--delays', delay, 0)),
		sections: listOf('--sections', values.sections, SECTIONS),
		only: listOf('--only', values.only, KEYS),
	};
}

function wholeNumber(option: string, text: string, lowest: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= lowest) return value;
	throw new Error(`${option} must be a whole number from ${lowest}, not "${text}".`);
}

function listOf<T extends string>(option: string, text: string, known: readonly T[]): T[] {
	const chosen = text.split(',').filter((entry) => entry !== '');
	const unknown = chosen.find((entry) => !(known as readonly string[]).includes(entry));
	if (unknown !== undefined) {
		throw new Error(`${option} takes ${known.join(', ')}, not "${unknown}".`);
	}
	// In display order, not in that of the command line.
	return known.filter((entry) => chosen.includes(entry));
}
