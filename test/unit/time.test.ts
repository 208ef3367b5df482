import { turnOfTheLoop } from '../../nodes/shared/time';

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
