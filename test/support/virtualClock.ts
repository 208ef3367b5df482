import type * as time from '../../nodes/shared/time';

/** The requested waits, in order, in milliseconds. */
export const waits: number[] = [];

let passed = 0;

/** Whether waits take real time. */
let isRealTime = false;

/** From now on, waits in this test take real time. */
export function useRealTime(): void {
	isRealTime = true;
}

/** When each wait was requested, by `performance.now`, which stays real. */
const askedAt: number[] = [];

/**
 * Replaces the node's clock with a virtual one, which its waits advance. For
 * `jest.mock('../../nodes/shared/time', ...)`, in tests with one request in flight at a time.
 */
export function withVirtualPause() {
	const actual = jest.requireActual<typeof time>('../../nodes/shared/time');
	return {
		...actual,
		now: () => actual.now() + passed,
		pause: async (...[milliseconds, stop]: Parameters<typeof time.pause>) => {
			if (isRealTime) return await actual.pause(milliseconds, stop);
			waits.push(milliseconds);
			askedAt.push(performance.now());
			passed += milliseconds;
			await new Promise(setImmediate);
		},
	};
}

/** The time between consecutive requests, in milliseconds, including the virtual waits. */
export function gaps(requests: ReadonlyArray<{ at: number }>): number[] {
	return requests.slice(1).map((request, index) => {
		const before = requests[index]!;
		const between = waits.filter(
			(_wait, place) => askedAt[place]! >= before.at && askedAt[place]! < request.at,
		);
		return request.at - before.at + between.reduce((sum, wait) => sum + wait, 0);
	});
}

/** Clears the waits before each test, and fixes the jitter of a backoff at its middle. */
export function useVirtualClock(): void {
	beforeEach(() => {
		waits.length = 0;
		askedAt.length = 0;
		isRealTime = false;
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
	afterEach(() => jest.restoreAllMocks());
}
