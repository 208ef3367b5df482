import { OnceEvent } from '../../nodes/shared/time/onceEvent';
import { nextLoop, now, wait } from '../../nodes/shared/time/clock';
import { advance, listenedTo, until, useClock } from '../support/clock';

useClock();

it('goes by the clock of the timers, not by the time of day, which can be set', async () => {
	await advance(1_234);
	expect(now()).toBe(1_234);
});

it('a pause ends in time, or when it is stopped, and leaves no timer behind', async () => {
	await until(wait(4_000));
	expect(now()).toBe(4_000);
	const stop = new OnceEvent();
	const paused = wait(60_000, stop);
	stop.happen();
	await paused;
	expect(now()).toBe(4_000);
	expect(listenedTo()).toBe(0);
});

it('calls back at most twice per turn of the event loop, in the order of the calls', async () => {
	let turns = 0;
	const countTurn = () => {
		turns += 1;
		counter = setImmediate(countTurn);
	};
	let counter = setImmediate(countTurn);
	const order: number[] = [];
	const turnsOf = async (caller: number) => {
		const gotAt: number[] = [];
		for (let call = 0; call < 30; call++) {
			await new Promise<void>((resolve) => nextLoop(resolve));
			gotAt.push(turns);
			order.push(caller);
		}
		return gotAt;
	};
	const all = await Promise.all([turnsOf(0), turnsOf(1)]);
	clearImmediate(counter);
	for (const gotAt of all) expect(new Set(gotAt).size).toBeGreaterThanOrEqual(15);
	expect(order).toEqual(Array.from({ length: 60 }, (_, index) => index % 2));
});
