import { readdir, readFile } from 'node:fs/promises';

/**
 * The RSS of this process's children, in MB, on Linux.
 *
 * @returns undefined on other systems
 */
export async function memoryOfChildren(): Promise<number | undefined> {
	const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	const held = await Promise.all(ids.map(memoryOfChild));
	return held.reduce((sum, size) => (size === undefined ? sum : (sum ?? 0) + size), undefined);
}

async function memoryOfChild(id: string): Promise<number | undefined> {
	const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
	if (/^PPid:\s*(\d+)$/m.exec(status)?.[1] !== String(process.pid)) return undefined;
	const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
	return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
