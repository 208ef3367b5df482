import { sleep } from 'n8n-workflow';

/** Waits until something is so, for five seconds at most unless told otherwise. */
export async function until(isSo: () => boolean, withinMs = 5_000): Promise<void> {
	for (const end = Date.now() + withinMs; !isSo() && Date.now() < end;) await sleep(10);
	expect(isSo()).toBe(true);
}
