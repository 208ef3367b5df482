import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Asks again until the answer is as wanted, or the time is up.
 * @returns the last answer
 */
export async function poll<T>(
	ask: () => Promise<T>,
	isWanted: (answer: T) => boolean,
	withinMs: number,
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const answer = await ask();
		if (isWanted(answer) || Date.now() > deadline) return answer;
		await sleep(POLL_MS);
	}
}
