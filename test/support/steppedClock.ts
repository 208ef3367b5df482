import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

/** A requested wait, and when it ends. */
interface Wait {
	at: number;
	controller: AbortController;
}

/** It goes on from test to test, because the nodes' clock is never set back. */
let time = 1_000_000;
let waits: Wait[] = [];
/** Messages sent so far. While a node waits for a turn of the event loop, it keeps sending some. */
let messages = 0;

/**
 * Stops the clock in each test of the file: time passes only with `advance`. The nodes read
 * `performance.now` and wait with `AbortSignal.timeout`; nothing else is replaced. Messages are counted.
 */
export function useSteppedClock(): void {
	// Not spies: they keep every call, which a test for leaks would find.
	const { postMessage } = MessagePort.prototype;
	const real = { now: performance.now, random: Math.random, timeout: AbortSignal.timeout };
	beforeEach(() => {
		waits = [];
		performance.now = () => time;
		Math.random = () => 0.5;
		AbortSignal.timeout = (milliseconds) => {
			const controller = new AbortController();
			waits.push({ at: time + milliseconds, controller });
			return controller.signal;
		};
		MessagePort.prototype.postMessage = function (...sent: [message: unknown]) {
			messages += 1;
			postMessage.apply(this, sent);
		};
	});
	afterEach(() => {
		performance.now = real.now;
		Math.random = real.random;
		AbortSignal.timeout = real.timeout;
		MessagePort.prototype.postMessage = postMessage;
	});
}

/** Runs everything that does not wait for the clock. */
export async function settle(): Promise<void> {
	let before: number;
	do {
		before = messages;
		await turn();
		await turn();
	} while (messages > before);
}

/** Advances the clock. Each wait ends at its time; what it causes runs before the next one ends. */
export async function advance(milliseconds: number): Promise<void> {
	const end = time + milliseconds;
	for (;;) {
		await settle();
		const next = waits.reduce<Wait | undefined>(
			(first, wait) => (first && first.at <= wait.at ? first : wait),
			undefined,
		);
		if (!next || next.at > end) break;
		waits.splice(waits.indexOf(next), 1);
		time = next.at;
		next.controller.abort();
	}
	time = end;
}

/** How many waits still have a listener. */
export function listenedTo(): number {
	return waits.filter(({ controller: { signal } }) => getEventListeners(signal, 'abort').length > 0)
		.length;
}
