import { Stop } from '../../nodes/shared/stop';

it('calls all listeners once, in order', () => {
	const stop = new Stop();
	const told: string[] = [];
	for (const name of ['a', 'b', 'c']) stop.listen(() => told.push(name));
	expect([stop.isStopped, told]).toEqual([false, []]);
	stop.stop();
	stop.stop();
	expect([stop.isStopped, told]).toEqual([true, ['a', 'b', 'c']]);
});

it('calls late listeners at once', () => {
	const stop = new Stop();
	stop.stop();
	let told = 0;
	const remove = stop.listen(() => (told += 1));
	expect(told).toBe(1);
	remove();
	stop.stop();
	expect(told).toBe(1);
});
