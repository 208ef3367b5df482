import { getEventListeners } from 'node:events';
import { performance as realPerformance } from 'node:perf_hooks';

import { install, type Clock } from '@sinonjs/fake-timers';

/**
 * The clock of a test. It stands still, also while HTTP requests are under way, and moves with `advance`
 * and `until` only: from timer to timer, so that no wait takes real time. The nodes, the sandbox, n8n's
 * engine and the test all use it.
 */
let clock: Clock | undefined;
/** The signals of the nodes' timers that are not due yet. */
let timeouts = new Set<AbortSignal>();

/** A wait longer than this, in milliseconds, is taken for one without an end: four hours. */
const LONGEST = 14_400_000;

/** Turns of the event loop without news from the network after which nothing more is coming. */
const CALM_TURNS = 4;

/** Stops the clock during each test, and replaces chance by its middle. */
export function useClock(): void {
	const real = { random: Math.random, timeout: AbortSignal.timeout };
	beforeEach(() => {
		clock = install({
			now: Date.UTC(2026, 0, 1),
			// Node.js's own ways to go on without waiting stay real.
			toNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
		});
		timeouts = new Set();
		Math.random = () => 0.5;
		AbortSignal.timeout = (milliseconds) => {
			const controller = new AbortController();
			timeouts.add(controller.signal);
			setTimeout(() => {
				timeouts.delete(controller.signal);
				controller.abort();
			}, milliseconds);
			return controller.signal;
		};
	});
	afterEach(() => {
		clock?.uninstall();
		clock = undefined;
		Object.assign(Math, { random: real.random });
		AbortSignal.timeout = real.timeout;
	});
}

/** Lets everything happen that does not wait for the clock. */
export async function settle(): Promise<void> {
	for (let calm = 0, before = news(); calm < CALM_TURNS;) {
		await new Promise<void>((resolve) => setImmediate(resolve));
		calm = news() === before && !isLookingUp() ? calm + 1 : 0;
		before = news();
	}
}

/** Advances the clock. Each timer fires at its time; what it causes happens before the next one. */
export async function advance(milliseconds: number): Promise<void> {
	let isOver = false;
	setTimeout(() => (isOver = true), milliseconds);
	await settle();
	while (!isOver) await step();
	running().tick(0);
	await settle();
}

/**
 * Advances the clock until a promise has settled or a condition holds.
 *
 * @returns what the promise resolves with
 * @throws Error when nothing is left that could bring it about
 */
export async function until<T>(wanted: Promise<T>): Promise<T>;
export async function until(condition: () => unknown): Promise<void>;
export async function until<T>(wanted: Promise<T> | (() => unknown)): Promise<T | void> {
	const end = performance.now() + LONGEST;
	if (typeof wanted === 'function') {
		await settle();
		while (!wanted()) await step(end, wanted);
		return;
	}
	let isOver = false;
	const over = () => (isOver = true);
	wanted.then(over, over);
	await settle();
	while (!isOver) await step(end, wanted);
	return await wanted;
}

async function step(end = Infinity, wanted?: unknown): Promise<void> {
	if (running().countTimers() === 0 || performance.now() > end) {
		throw new Error(`Nothing is left to wait for, but this has not happened: ${String(wanted)}`);
	}
	running().next();
	await settle();
}

/** As when n8n is busy: the time passes, and what was due meanwhile is late. */
export function beBusy(milliseconds: number): void {
	running().jump(milliseconds);
}

/** How many timers of the nodes still have a listener. */
export function listenedTo(): number {
	return [...timeouts].filter((signal) => getEventListeners(signal, 'abort').length > 0).length;
}

function running(): Clock {
	if (clock === undefined) throw new Error('The clock runs during tests, with useClock() only');
	return clock;
}

/** How much this process has read from and written to the network and its own message ports so far. */
function news(): number {
	return realPerformance.nodeTiming.uvMetricsInfo.events;
}

/** Names are looked up, and files read, in threads of which the event loop has no news meanwhile. */
function isLookingUp(): boolean {
	return process
		.getActiveResourcesInfo()
		.some((resource) => resource === 'GetAddrInfoReqWrap' || resource === 'FSReqCallback');
}
