import { readFile, writeFile } from 'node:fs/promises';

/** A process's CPU time and memory: Linux only, undefined elsewhere. */
export interface ProcessStats {
	/** CPU time since its start, in milliseconds, with a resolution of 10 ms. */
	cpuMs: number;
	/** Peak RSS since the last `resetPeak`, in MB. */
	peakMb: number;
	/** Current RSS, in MB. */
	nowMb: number;
}

/** The kernel counts in hundredths of a second on all platforms of Node.js. */
const TICK_MS = 10;

export async function processStats(pid: number): Promise<ProcessStats | undefined> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		// The name in brackets may contain spaces; user and system time are the 12th and 13th field
		// after it.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const status = await readFile(`/proc/${pid}/status`, 'utf8');
		const megabytes = (name: string) =>
			Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
		return {
			cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
			peakMb: megabytes('VmHWM'),
			nowMb: megabytes('VmRSS'),
		};
	} catch {
		return undefined;
	}
}

/** Resets the kernel's peak of the RSS, which is exact where sampling could miss it. */
export async function resetPeak(pid: number): Promise<void> {
	try {
		await writeFile(`/proc/${pid}/clear_refs`, '5');
	} catch {
		// Not Linux.
	}
}
