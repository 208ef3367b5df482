/**
 * Reports to the user, one line at a time. A `passing` line shows the progress of a long step and may
 * be overwritten.
 */
export type Report = (line: string, passing?: boolean) => void;

const QUIET_MS = 15_000;

/**
 * Reports on stdout. On a terminal a passing line overwrites the previous one; elsewhere (a file, a
 * CI log) at most one is written every 15 seconds.
 */
export function consoleReport(): Report {
	const terminal = process.stdout.isTTY;
	let overwrite = false;
	let lastPassing = 0;
	return (line, passing = false) => {
		if (terminal) {
			const clear = overwrite ? '\r\x1b[2K' : '';
			// Only a line that is not wrapped can be overwritten.
			const shown = passing ? line.slice(0, (process.stdout.columns || 80) - 1) : `${line}\n`;
			process.stdout.write(clear + shown);
			overwrite = passing;
			return;
		}
		if (passing && Date.now() - lastPassing < QUIET_MS) return;
		if (passing) lastPassing = Date.now();
		process.stdout.write(`${line}\n`);
	};
}
