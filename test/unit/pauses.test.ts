import { Pauses, withPauses } from '../../nodes/BusinessListingSearch/run/pauses';

/** The time, in milliseconds. */
let time: number;

beforeEach(() => {
	time = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => jest.restoreAllMocks());

/** Whether other work gets its turn while this is carried out. */
async function givesWay(work: () => Promise<unknown>): Promise<boolean> {
	let hadTurn = false;
	setTimeout(() => (hadTurn = true), 0);
	await work();
	return hadTurn;
}

/** Work that takes twice this many milliseconds, and can be interrupted after each half. */
function* workOf(milliseconds: number): Generator<void, string> {
	time += milliseconds;
	yield;
	time += milliseconds;
	yield;
	return 'done';
}

describe('Pauses', () => {
	it('pauses after 20 ms, not before', async () => {
		const pauses = new Pauses();
		time += 19;
		expect(await givesWay(() => pauses.take())).toBe(false);
		time += 1;
		expect(await givesWay(() => pauses.take())).toBe(true);
	});
});

describe('withPauses', () => {
	it('returns what the work returns', async () => {
		expect(await withPauses(workOf(1))).toBe('done');
	});

	it('pauses after 20 ms, not before', async () => {
		expect(await givesWay(() => withPauses(workOf(10)))).toBe(true);
		expect(await givesWay(() => withPauses(workOf(9)))).toBe(false);
	});
});
