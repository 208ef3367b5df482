import type * as time from '../../nodes/shared/after';

/** The waits that were asked for, in order, in milliseconds. */
export const waits: number[] = [];

let passed = 0;

/** Whether waits take their time. */
let isPassing = false;

/** From here on, in this test, waits take their time. */
export function letTimePass(): void {
	isPassing = true;
}

/** When each of them was asked for, on the clock of `performance.now`, which is not set forward. */
const askedAt: number[] = [];

/**
 * The node's waits, which take no time: the clock is set forward in their place. For
 * `jest.mock('../../nodes/shared/after', ...)`; made for tests in which one request is in flight at a
 * time.
 */
export function withVirtualPause() {
	const actual = jest.requireActual<typeof time>('../../nodes/shared/after');
	return {
		...actual,
		pause: async (...[milliseconds, stop]: Parameters<typeof time.pause>) => {
			if (isPassing) return await actual.pause(milliseconds, stop);
			waits.push(milliseconds);
			askedAt.push(performance.now());
			passed += milliseconds;
			await new Promise(setImmediate);
		},
	};
}

/** The time from each of these to the next, in milliseconds, with the waits between them. */
export function gaps(requests: ReadonlyArray<{ at: number }>): number[] {
	return requests.slice(1).map((request, index) => {
		const before = requests[index]!;
		const between = waits.filter(
			(_wait, place) => askedAt[place]! >= before.at && askedAt[place]! < request.at,
		);
		return request.at - before.at + between.reduce((sum, wait) => sum + wait, 0);
	});
}

const realNow = Date.now;

/** Sets the clock forward with the waits, and makes the random half of a backoff its middle. */
export function useVirtualClock(): void {
	beforeEach(() => {
		waits.length = 0;
		askedAt.length = 0;
		isPassing = false;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + passed);
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
	afterEach(() => jest.restoreAllMocks());
}
