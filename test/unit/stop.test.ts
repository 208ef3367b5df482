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

it('does not call removed listeners, even if they are removed during the calls', () => {
	const stop = new Stop();
	const told: string[] = [];
	let removeLast = () => {};
	stop.listen(() => removeLast());
	const remove = stop.listen(() => told.push('called off'));
	removeLast = stop.listen(() => told.push('called off while others were told'));
	stop.listen(() => told.push('last'));
	remove();
	stop.stop();
	expect(told).toEqual(['last']);
});

it('has stopped before the first call, and accepts listeners during the calls', () => {
	const stop = new Stop();
	const told: string[] = [];
	stop.listen(() => {
		told.push(String(stop.isStopped));
		stop.listen(() => told.push('late'));
	});
	stop.stop();
	expect(told).toEqual(['true', 'late']);
});
