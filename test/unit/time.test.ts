import { Stop } from '../../nodes/shared/stop';
import { now, pause, turnOfTheLoop } from '../../nodes/shared/time';
import { advance, listenedTo, until, useClock } from '../support/clock';

useClock();

it('goes by the clock of the timers, not by the time of day, which can be set', async () => {
	await advance(1_234);
	expect(now()).toBe(1_234);
});

it('a pause ends in time, or when it is stopped, and leaves no timer behind', async () => {
	await until(pause(4_000));
	expect(now()).toBe(4_000);
	const stop = new Stop();
	const paused = pause(60_000, stop);
	stop.stop();
	await paused;
	expect(now()).toBe(4_000);
	expect(listenedTo()).toBe(0);
});

it('lets at most two callers continue per turn of the event loop, in the order of their calls', async () => {
	let turns = 0;
	const countTurn = () => {
		turns += 1;
		counter = setImmediate(countTurn);
	};
	let counter = setImmediate(countTurn);
	const order: number[] = [];
	const gotAt = await Promise.all(
		Array.from({ length: 30 }, async (_, caller) => {
			await turnOfTheLoop();
			order.push(caller);
			return turns;
		}),
	);
	clearImmediate(counter);
	for (const turn of gotAt) expect(gotAt.filter((at) => at === turn).length).toBeLessThanOrEqual(2);
	expect(order).toEqual(gotAt.map((_turn, caller) => caller));
});
