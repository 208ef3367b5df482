import { readFile, writeFile } from 'node:fs/promises';
import { startSandbox, type Sandbox } from '../sandbox';
import type { Report } from './report';

/** What credentials and published triggers know of the sandbox. */
interface Kept {
	port?: number;
	key?: string;
}

/**
 * Starts the sandbox with the port and the key of the last start. They are stored in a file, readable by its
 * user only.
 */
export async function startKeptSandbox(file: string, report: Report): Promise<Sandbox> {
	const { port, key } = await readKept(file);
	const sandbox = await startSandbox({ port, key }).catch(async (error: Error) => {
		if (port === undefined) throw error;
		report(
			`Port ${port} cannot be used: the sandbox has a new address. Change Base URL in the credentials you made.`,
		);
		return await startSandbox({ key });
	});
	const kept: Kept = { port: Number(new URL(sandbox.address).port), key: sandbox.key };
	await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
	return sandbox;
}

async function readKept(file: string): Promise<Kept> {
	try {
		const { port, key } = JSON.parse(await readFile(file, 'utf8')) as Kept;
		const isPort = Number.isInteger(port) && port! > 0 && port! < 65_536;
		if (isPort && typeof key === 'string' && key !== '') return { port, key };
	} catch {
		// Not there, or not JSON.
	}
	// The sandbox gets a new port and key.
	return {};
}
