import type * as n8nWorkflow from 'n8n-workflow';

/** The waits that were asked for, in order, in milliseconds. */
export const waits: number[] = [];

let passed = 0;

/**
 * n8n-workflow with a `sleep` that takes no time: the clock is set forward in its place. For
 * `jest.mock('n8n-workflow', ...)`; made for tests in which one request is under way at a time.
 */
export function withVirtualSleep() {
	return {
		...jest.requireActual<typeof n8nWorkflow>('n8n-workflow'),
		sleep: async (milliseconds: number) => {
			if (milliseconds > 0) waits.push(milliseconds);
			passed += milliseconds;
			await new Promise(setImmediate);
		},
	};
}

const realNow = Date.now;

/** Sets the clock forward with the waits, and makes the random half of a backoff its middle. */
export function useVirtualClock(): void {
	beforeEach(() => {
		waits.length = 0;
		passed = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + passed);
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
	afterEach(() => jest.restoreAllMocks());
}
