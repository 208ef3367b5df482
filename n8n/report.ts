/**
 * Tells the user what happens, one line at a time. A line with `passing` only says how far a long
 * step has come: the next line may take its place.
 */
export type Report = (line: string, passing?: boolean) => void;

const QUIET_MS = 15_000;

/**
 * Reports on stdout. On a terminal a passing line is written over the one before; elsewhere (a file,
 * a CI log) one is written every 15 seconds at most.
 */
export function consoleReport(): Report {
	const terminal = process.stdout.isTTY;
	let overwrite = false;
	let lastPassing = 0;
	return (line, passing = false) => {
		if (terminal) {
			const clear = overwrite ? '\r\x1b[2K' : '';
			process.stdout.write(`${clear}${line}${passing ? '' : '\n'}`);
			overwrite = passing;
			return;
		}
		if (passing && Date.now() - lastPassing < QUIET_MS) return;
		if (passing) lastPassing = Date.now();
		process.stdout.write(`${line}\n`);
	};
}
