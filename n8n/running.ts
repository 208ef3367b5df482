import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from './package';

/** What the running start says of itself. */
interface Running {
	pid: number;
	address: string;
}

const file = join(dataFolder, 'running.json');
let isOurs = false;

/** @throws Error when another start is running: two instances of n8n cannot share a data folder */
export async function refuseSecond(): Promise<void> {
	const other = await otherStart();
	if (other === undefined) return;
	throw new Error(
		`It is already running at ${other.address} (process ${other.pid}). Use that one, or press Ctrl-C where it was started.`,
	);
}

async function otherStart(): Promise<Running | undefined> {
	try {
		const other = JSON.parse(await readFile(file, 'utf8')) as Running;
		process.kill(other.pid, 0);
		await fetch(`${other.address}/healthz`);
		return other;
	} catch {
		// No such file, process or server: the other start has ended.
		return undefined;
	}
}

/** Makes `refuseSecond` of another start fail from now on. */
export async function noteRunning(address: string): Promise<void> {
	await writeFile(file, JSON.stringify({ pid: process.pid, address } satisfies Running));
	isOurs = true;
}

/** Takes back `noteRunning`, if this process called it. */
export async function noteEnded(): Promise<void> {
	if (isOurs) await rm(file, { force: true });
}
