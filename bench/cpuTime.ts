import { readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second on all platforms of Node.js. */
const TICK_MS = 10;

/** The CPU time of a process since its start, in milliseconds: Linux only, undefined elsewhere. */
export async function cpuTime(pid: number): Promise<number | undefined> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		// The name in brackets may contain spaces; user and system time are the 12th and 13th field
		// after it.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
	} catch {
		return undefined;
	}
}
