import { Breaker } from '../../nodes/shared/pacing/breaker';
import type { Health } from '../../nodes/shared/errors/outcomes';

/** Ends requests one after another, each started at once. */
function breakerAfter(...healths: Health[]): Breaker {
	const breaker = new Breaker();
	for (const health of healths) breaker.ended(0, health, 0);
	return breaker;
}

it('pauses for a second after three requests in a row that met trouble', () => {
	expect(breakerAfter('trouble', 'trouble').waitLeft(0)).toBe(0);
	expect(breakerAfter('trouble', 'trouble', 'trouble').waitLeft(0)).toBe(1_000);
});

it.each<Health>(['answered', 'throttled'])('counts again after one that was %s', (health) => {
	expect(breakerAfter('trouble', 'trouble', health, 'trouble', 'trouble').waitLeft(0)).toBe(0);
});

it('counts on after one that says nothing', () => {
	expect(breakerAfter('trouble', 'trouble', 'nothing', 'trouble').waitLeft(0)).toBe(1_000);
});

it('is not longer for requests that were in flight at its start', () => {
	const breaker = breakerAfter('trouble', 'trouble', 'trouble', 'trouble', 'trouble');
	expect(breaker.waitLeft(0)).toBe(1_000);
});

it('lets one request go ahead after the pause', () => {
	const breaker = breakerAfter('trouble', 'trouble', 'trouble');
	expect(breaker.waitLeft(1_000)).toBe(0);
	breaker.started(1_000);
	expect(breaker.waitLeft(1_000)).toBe(30_000);
});

it('doubles the pause each time that request meets trouble, up to 30 seconds', () => {
	const breaker = breakerAfter('trouble', 'trouble', 'trouble');
	let now = 0;
	const pauses = Array.from({ length: 7 }, () => {
		const pause = breaker.waitLeft(now);
		now += pause;
		breaker.started(now);
		breaker.ended(now, 'trouble', now);
		return pause;
	});
	expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it.each<Health>(['answered', 'throttled'])('ends when one was %s, for all', (health) => {
	const breaker = breakerAfter('trouble', 'trouble', 'trouble');
	breaker.started(1_000);
	breaker.ended(1_500, health, 1_000);
	expect(breaker.waitLeft(1_500)).toBe(0);
	breaker.started(1_500);
	expect(breaker.waitLeft(1_500)).toBe(0);
});

it('lets the next request go ahead if the first one says nothing about the service', () => {
	const breaker = breakerAfter('trouble', 'trouble', 'trouble');
	breaker.started(1_000);
	breaker.ended(1_200, 'nothing', 1_000);
	expect(breaker.waitLeft(1_200)).toBe(0);
});
