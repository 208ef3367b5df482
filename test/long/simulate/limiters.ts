import { SlidingWindow } from '../../../sandbox/rateLimit';
import type { Send } from './client';
import type { Events } from './events';

/** How a service limits the requests of an account. */
export interface Limiter {
	/** @returns 0 when it accepts the request, else the milliseconds until it would accept one */
	take(now: number): number;
}

/** Token bucket: refills at a steady rate, up to a burst; starts full. */
class TokenBucket implements Limiter {
	private tokens: number;
	private at = 0;

	constructor(
		private readonly perSecond: number,
		private readonly burst: number,
	) {
		this.tokens = burst;
	}

	take(now: number): number {
		const refilled = ((now - this.at) / 1000) * this.perSecond;
		this.tokens = Math.min(this.burst, this.tokens + refilled);
		this.at = now;
		// Tolerates rounding errors of many additions.
		if (this.tokens < 1 - 1e-9) return ((1 - this.tokens) / this.perSecond) * 1000;
		this.tokens -= 1;
		return 0;
	}
}

/** Fixed window: a new allowance with each minute, or second, of the clock. */
export class FixedWindow implements Limiter {
	private window = 0;
	private taken = 0;

	/** @param length of a window, in milliseconds */
	constructor(
		private readonly perWindow: number,
		private readonly length: number,
	) {}

	take(now: number): number {
		const window = Math.floor(now / this.length);
		if (window !== this.window) this.taken = 0;
		this.window = window;
		if (this.taken >= this.perWindow) return (window + 1) * this.length - now;
		this.taken += 1;
		return 0;
	}
}

/** The simulated limiters, by the number of requests per second. */
export const LIMITERS = {
	'bucket, burst of 1 s': (perSecond) => new TokenBucket(perSecond, Math.max(1, perSecond)),
	'bucket, burst of 10 s': (perSecond) => new TokenBucket(perSecond, 10 * perSecond),
	'sliding window of 1 s': (perSecond) => new SlidingWindow(perSecond),
	'fixed minute': (perSecond) => new FixedWindow(60 * perSecond, 60_000),
} satisfies Record<string, (perSecond: number) => Limiter>;

export type LimiterKind = keyof typeof LIMITERS;

/**
 * What a client reads as Retry-After, in milliseconds.
 *
 * @param until when the service would accept a request
 * @param at when it refuses one
 * @param back when the refusal arrives
 */
type ReadRetryAfter = (until: number, at: number, back: number) => number | undefined;

/** How a service can send Retry-After. Both forms have whole seconds; a date counts from when it arrives. */
export const RETRY_AFTER = {
	seconds: (until, at) => Math.ceil((until - at) / 1_000) * 1_000,
	date: (until, _at, back) => Math.max(0, Math.ceil(until / 1_000) * 1_000 - back),
	none: () => undefined,
} satisfies Record<string, ReadRetryAfter>;

export type RetryAfter = keyof typeof RETRY_AFTER;

/**
 * The way to a service with a limit, and back.
 *
 * @param way returns how long one direction takes, in milliseconds
 * @param read what the client reads as Retry-After
 * @param onTake called with the time and the service's answer to each request, as `take` returns it
 */
export function sendTo(
	service: Limiter,
	events: Events,
	way: () => number,
	read: ReadRetryAfter,
	onTake?: (at: number, wait: number) => void,
): Send {
	return (now, answer) =>
		events.plan(now + way(), (at) => {
			const wait = service.take(at);
			onTake?.(at, wait);
			events.plan(at + way(), (back) => {
				const refusal = { retryAfter: read(at + wait, at, back) };
				answer(back, wait === 0 ? 'answered' : refusal);
			});
		});
}
