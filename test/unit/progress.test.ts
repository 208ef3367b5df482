import type { Logger } from 'n8n-workflow';

import { Progress } from '../../nodes/BusinessListingSearch/transport/progress';

/** Steps at these milliseconds after the start, each with a receipt of its own. */
function linesOf(times: number[], receipts: boolean): string[] {
	const lines: string[] = [];
	let now = 1_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const progress = new Progress(
		{ info: (line: string) => lines.push(line) } as unknown as Logger,
		'Node',
		9,
	);
	for (const [index, time] of times.entries()) {
		now = 1_000_000 + time;
		progress.step(receipts ? [`id-${index}`] : []);
	}
	return lines;
}

afterEach(() => jest.restoreAllMocks());

it('says every five seconds at most how far a run is', () => {
	expect(linesOf([10, 4_999, 5_000, 6_000, 9_999, 12_000], false)).toEqual([
		'Node: 3 of 9 done',
		'Node: 6 of 9 done',
	]);
});

it('names once what must not be lost', () => {
	expect(linesOf([10, 5_000, 6_000, 10_000, 10_001], true)).toEqual([
		'Node: 2 of 9 done, new: id-0, id-1',
		'Node: 4 of 9 done, new: id-2, id-3',
	]);
});
