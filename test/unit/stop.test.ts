import { Stop } from '../../nodes/shared/stop';

it('tells all who listen, once, in the order they came', () => {
	const stop = new Stop();
	const told: string[] = [];
	for (const name of ['a', 'b', 'c']) stop.listen(() => told.push(name));
	expect([stop.isStopped, told]).toEqual([false, []]);
	stop.stop();
	stop.stop();
	expect([stop.isStopped, told]).toEqual([true, ['a', 'b', 'c']]);
});

it('tells at once who comes too late', () => {
	const stop = new Stop();
	stop.stop();
	let told = 0;
	const callOff = stop.listen(() => (told += 1));
	expect(told).toBe(1);
	callOff();
	stop.stop();
	expect(told).toBe(1);
});

it('does not tell who called it off, also while others are told', () => {
	const stop = new Stop();
	const told: string[] = [];
	let callOffLast = () => {};
	stop.listen(() => callOffLast());
	const callOff = stop.listen(() => told.push('called off'));
	callOffLast = stop.listen(() => told.push('called off while others were told'));
	stop.listen(() => told.push('last'));
	callOff();
	stop.stop();
	expect(told).toEqual(['last']);
});

it('has stopped by the time anybody is told, and takes listeners then', () => {
	const stop = new Stop();
	const told: string[] = [];
	stop.listen(() => {
		told.push(String(stop.isStopped));
		stop.listen(() => told.push('late'));
	});
	stop.stop();
	expect(told).toEqual(['true', 'late']);
});
