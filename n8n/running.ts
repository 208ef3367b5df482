import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a start writes about itself: the port of its n8n, and both processes. If a start is killed, its n8n
 * goes on.
 */
interface Running {
	port: number;
	pids: number[];
}

/** The claim of this process on a folder. */
export interface Claim {
	addN8n(pid: number): void;
	release(): void;
}

/**
 * Claims a folder: no two instances of n8n can share their data, and no two starts the install and the
 * build.
 * @param port of the n8n to be started
 * @throws Error with a sentence when another start runs, or its n8n alone
 */
export function claim(folder: string, port: number): Claim {
	const file = join(folder, 'running.json');
	const write = (flag: string, ...n8n: number[]) => {
		const running: Running = { port, pids: [process.pid, ...n8n] };
		writeFileSync(file, JSON.stringify(running), { flag });
	};
	try {
		write('wx');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		refuseSecond(file);
		write('w');
	}
	return { addN8n: (pid) => write('w', pid), release: () => rmSync(file, { force: true }) };
}

function refuseSecond(file: string): void {
	let other: Partial<Running> = {};
	try {
		other = JSON.parse(readFileSync(file, 'utf8')) as Partial<Running>;
	} catch {
		// Killed before it had written.
	}
	const pid = other.pids?.find((pid) => pid !== process.pid && isRunning(pid));
	if (pid === undefined) return;
	const end = process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill ${pid}`;
	throw new Error(
		`An earlier start is still running, with n8n on port ${other.port}. End it with \`${end}\`, then run the command again. If process ${pid} is another program, delete ${file} instead.`,
	);
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		// The system reuses the id of an ended process. Only Linux shows what for.
		const command = `/proc/${pid}/cmdline`;
		return !existsSync(command) || readFileSync(command, 'utf8').includes('n8n');
	} catch {
		return false;
	}
}
