import { setImmediate as turn } from 'node:timers/promises';

import fc from 'fast-check';

import { Queue } from '../../nodes/BusinessListingSearch/run/queue';

/** Tasks that end on demand, with a record of what was started. */
function tasks(queue: Queue) {
	const started: number[] = [];
	const ends: Array<() => void> = [];
	return {
		started,
		add(count: number) {
			for (let added = 0; added < count; added++) {
				const index = ends.length;
				let end = () => {};
				const ended = new Promise<void>((resolve) => (end = resolve));
				ends.push(end);
				queue.add(async () => {
					started.push(index);
					await ended;
				});
			}
		},
		async end(index: number) {
			ends[index]!();
			await turn();
		},
	};
}

async function isIdle(queue: Queue): Promise<boolean> {
	let idle = false;
	void queue.idle().then(() => (idle = true));
	await turn();
	return idle;
}

it('starts as many tasks as the limit allows at once', () => {
	const queue = new Queue(3);
	const { started, add } = tasks(queue);
	add(10);
	expect(started).toEqual([0, 1, 2]);
});

it('starts the next task when one ends, in the order they were added', async () => {
	const queue = new Queue(3);
	const { started, add, end } = tasks(queue);
	add(6);
	await end(1);
	expect(started).toEqual([0, 1, 2, 3]);
	await end(3);
	await end(0);
	expect(started).toEqual([0, 1, 2, 3, 4, 5]);
});

it('accepts more tasks at any time, also after it was idle', async () => {
	const queue = new Queue(1);
	const { started, add, end } = tasks(queue);
	add(1);
	await end(0);
	expect(await isIdle(queue)).toBe(true);
	add(2);
	expect(started).toEqual([0, 1]);
	await end(1);
	expect(started).toEqual([0, 1, 2]);
});

it('starts nothing more once it is stopped, and lets running tasks finish', async () => {
	const queue = new Queue(2);
	const { started, add, end } = tasks(queue);
	add(4);
	queue.stop();
	add(1);
	await end(0);
	expect(started).toEqual([0, 1]);
	expect(await isIdle(queue)).toBe(false);
	await end(1);
	expect(started).toEqual([0, 1]);
	expect(await isIdle(queue)).toBe(true);
});

it('starts nothing if it was stopped before the first task', () => {
	const queue = new Queue(2);
	queue.stop();
	const { started, add } = tasks(queue);
	add(2);
	expect(started).toEqual([]);
});

it('is idle before the first task, and again after the last', async () => {
	const queue = new Queue(2);
	const { add, end } = tasks(queue);
	expect(await isIdle(queue)).toBe(true);
	add(3);
	expect(await isIdle(queue)).toBe(false);
	await end(0);
	await end(1);
	expect(await isIdle(queue)).toBe(false);
	await end(2);
	expect(await isIdle(queue)).toBe(true);
});

it('resolves for all callers of idle', async () => {
	const queue = new Queue(1);
	const { add, end } = tasks(queue);
	add(1);
	let told = 0;
	for (let asked = 0; asked < 3; asked++) void queue.idle().then(() => (told += 1));
	await turn();
	expect(told).toBe(0);
	await end(0);
	expect(told).toBe(3);
});

it('runs every task once, in order and within its limit, in any order of completion', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 50 }),
			fc.array(fc.nat(3), { maxLength: 30 }),
			async (concurrency, durations) => {
				const queue = new Queue(concurrency);
				const started: number[] = [];
				let active = 0;
				let most = 0;
				durations.forEach((duration, index) => {
					queue.add(async () => {
						started.push(index);
						active += 1;
						most = Math.max(most, active);
						for (let passed = 0; passed < duration; passed++) await turn();
						active -= 1;
					});
				});
				await queue.idle();
				expect(active).toBe(0);
				expect(started).toEqual(durations.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(concurrency);
			},
		),
		{ numRuns: 25 },
	);
});
