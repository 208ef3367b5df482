import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

/** A wait that somebody asked for, and the moment at which it is over. */
interface Wait {
	at: number;
	controller: AbortController;
}

let time = 0;
let waits: Wait[] = [];

/**
 * Stops the clock in each test of the file: time passes only with `advance`. The nodes read
 * `Date.now` and wait with `AbortSignal.timeout`; nothing else is replaced.
 */
export function useSteppedClock(): void {
	// Not spies: those remember each call, which a test of what is left in memory would find.
	const real = { now: Date.now, random: Math.random, timeout: AbortSignal.timeout };
	beforeEach(() => {
		time = Date.UTC(2030, 0, 1);
		waits = [];
		Date.now = () => time;
		Math.random = () => 0.5;
		AbortSignal.timeout = (milliseconds) => {
			const controller = new AbortController();
			waits.push({ at: time + milliseconds, controller });
			return controller.signal;
		};
	});
	afterEach(() => {
		Date.now = real.now;
		Math.random = real.random;
		AbortSignal.timeout = real.timeout;
	});
}

/** Lets everything happen that needs no time. */
export async function settle(): Promise<void> {
	await turn();
}

/** Lets so many milliseconds pass: each wait ends at its moment, and what it causes happens first. */
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

/** How many waits somebody still listens to. */
export function listenedTo(): number {
	return waits.filter(({ controller: { signal } }) => getEventListeners(signal, 'abort').length > 0)
		.length;
}
