const realTimeout = AbortSignal.timeout.bind(AbortSignal);

/**
 * Divides all timeouts made with `AbortSignal.timeout`, which includes all timers of the nodes, by a
 * factor. In a `describe` it overrides that of the file.
 */
export function useQuickTimeouts(factor: number): void {
	beforeEach(() => {
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) => realTimeout(Math.ceil(milliseconds / factor)));
	});
	afterEach(() => jest.restoreAllMocks());
}
