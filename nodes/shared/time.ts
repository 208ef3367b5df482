import type { Stop } from './stop';

let latest = 0;
let setBack = 0;

/** Milliseconds of a monotonic clock. */
export function now(): number {
	const time = Date.now();
	setBack += Math.max(0, latest - time);
	latest = time;
	return time + setBack;
}

/**
 * Calls back once after a delay. Unlike a plain timer, it does not keep the process alive.
 *
 * @param milliseconds at most 2,147,483,647, the longest delay of a timer
 * @returns a function that cancels it
 */
export function after(milliseconds: number, callback: () => void): () => void {
	const signal = AbortSignal.timeout(Math.ceil(milliseconds));
	signal.addEventListener('abort', callback, { once: true });
	return () => signal.removeEventListener('abort', callback);
}

/** Waits, at most until `stop`, without keeping the process alive. */
export async function pause(milliseconds: number, stop?: Stop): Promise<void> {
	let callOffs: Array<(() => void) | undefined> = [];
	await new Promise<void>((resolve) => {
		callOffs = [after(milliseconds, resolve), stop?.listen(resolve)];
	});
	for (const callOff of callOffs) callOff?.();
}

const waiting: Array<() => void> = [];
const { port1, port2 } = new MessageChannel();
for (const port of [port1, port2]) {
	port.on('message', () => {
		waiting.shift()?.();
		// Back and forth, because Node.js delivers up to a thousand messages to the same port before it
		// looks at the network again.
		if (waiting.length > 0) port.postMessage(undefined);
	});
	// So that it does not keep the process alive.
	port.unref();
}

/**
 * Resolves in a turn of the event loop shared with at most one other caller: responses and other
 * executions are handled in between. If many requests started in the same turn, they would connect
 * and be answered together, with n8n idle until then. Two per turn cost less than one, because
 * everything on the way to the service wakes up for both at once.
 */
export async function turnOfTheLoop(): Promise<void> {
	await new Promise<void>((resolve) => {
		waiting.push(resolve);
		if (waiting.length === 1) port1.postMessage(undefined);
	});
}
