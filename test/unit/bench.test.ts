import { median, oneByOne } from '../../bench/figures';

it.each([
	[[10, 1, 2], 2],
	[[10, 1, 2, 4], 3],
	[[], NaN],
])('the median of %j is %d', (numbers, middle) => {
	expect(median(numbers)).toBe(middle);
});

describe('the recorded requests of a run', () => {
	const request = (at: number, endedAt: number | undefined) => ({ at, endedAt });

	it.each([
		['all', [request(0, 5), request(5, 9), request(12, 20)], 3],
		['the first two', [request(0, 5), request(6, 9), request(9, 20), request(15, 30)], 2],
		['none', [request(0, 5), request(1, 3)], 0],
		['none, as the first has no response', [request(0, undefined), request(9, 10)], 0],
		['the only one', [request(0, 5)], 1],
	])('show how many were sent one by one at first: %s', (_what, requests, count) => {
		expect(oneByOne(requests)).toBe(count);
	});
});
