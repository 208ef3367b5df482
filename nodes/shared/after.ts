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

/** Node.js may deliver this many messages without a look at the network in between. */
const MOST_IN_A_ROW = 20;

const waiting: Array<() => void> = [];
let inARow = 0;
const { port1: inbox, port2: outbox } = new MessageChannel();
const askForTurn = () => outbox.postMessage(undefined);
inbox.on('message', () => {
	waiting.shift()?.();
	inARow = waiting.length > 0 ? inARow + 1 : 0;
	if (waiting.length === 0) return;
	if (inARow % MOST_IN_A_ROW === 0) after(1, askForTurn);
	else askForTurn();
});
// It does not keep the process alive.
inbox.unref();

/**
 * Resolves in a turn of the event loop that no other caller gets: answers and other executions are
 * served in between. Requests that start in one turn are connected together and answered together,
 * with n8n idle until then.
 */
export async function turnOfTheLoop(): Promise<void> {
	await new Promise<void>((resolve) => {
		waiting.push(resolve);
		if (waiting.length === 1) askForTurn();
	});
}
