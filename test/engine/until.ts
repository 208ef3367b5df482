import { sleep } from 'n8n-workflow';

/** Waits until something is so, for five seconds at most. */
export async function until(isSo: () => boolean): Promise<void> {
	for (const end = Date.now() + 5_000; !isSo() && Date.now() < end;) await sleep(10);
	expect(isSo()).toBe(true);
}
