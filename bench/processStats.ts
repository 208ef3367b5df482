import { readFile, writeFile } from 'node:fs/promises';

/** What the system counts of a process: Linux only, undefined elsewhere. */
export interface ProcessStats {
	/** Time on a processor since it started, in milliseconds, to 10 ms. */
	cpuMs: number;
	/** The most memory it had in RAM since the last `resetPeak`, in MB. */
	peakMb: number;
	/** The memory it has in RAM now, in MB. */
	nowMb: number;
}

/** The kernel counts in hundredths of a second on every machine that Node.js runs on. */
const TICK_MS = 10;

export async function processStats(pid: number): Promise<ProcessStats | undefined> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		// The name in brackets may hold blanks; user and system time are the 12th and 13th after it.
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

/** Lets the kernel take the peak of the memory anew: exact, where sampling can miss it. */
export async function resetPeak(pid: number): Promise<void> {
	try {
		await writeFile(`/proc/${pid}/clear_refs`, '5');
	} catch {
		// Not Linux, where there are no such numbers at all.
	}
}
