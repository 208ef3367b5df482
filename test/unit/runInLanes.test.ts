import { RunInLanes } from '../../nodes/shared/pacing/runInLanes';

it('"Concurrency" applies besides "Batching"', () => {
	const run = new RunInLanes(false, { concurrency: 1, batching: { size: 1, interval: 1_000 } });
	run.started(0);
	expect(run.waitLeft(2_000)).toBe(Infinity);
	run.ended();
	expect(run.waitLeft(400)).toBe(600);
});

it('"Batching" measures from the first start of a batch, even if it was not full', () => {
	const run = new RunInLanes(false, { batching: { size: 3, interval: 1_000 } });
	for (const now of [0, 900, 1_100, 1_100, 1_100]) {
		expect(run.waitLeft(now)).toBe(0);
		run.started(now);
	}
	expect(run.waitLeft(1_100)).toBe(1_000);
});
