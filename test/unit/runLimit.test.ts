import { RunLimit } from '../../nodes/shared/pacing/runLimit';

it('"Concurrency" applies besides "Batching"', () => {
	const limit = new RunLimit({ concurrency: 1, batching: { size: 1, interval: 1_000 } });
	limit.started(0);
	expect(limit.waitLeft(2_000)).toBe(Infinity);
	limit.ended();
	expect(limit.waitLeft(400)).toBe(600);
});

it('"Batching" measures from the first start of a batch, even if it was not full', () => {
	const limit = new RunLimit({ batching: { size: 3, interval: 1_000 } });
	for (const now of [0, 900, 1_100, 1_100, 1_100]) {
		expect(limit.waitLeft(now)).toBe(0);
		limit.started(now);
	}
	expect(limit.waitLeft(1_100)).toBe(1_000);
});
