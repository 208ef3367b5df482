const realTimeout = AbortSignal.timeout.bind(AbortSignal);

/**
 * Lets every time limit that is set with `AbortSignal.timeout` pass sooner, that many times. The nodes
 * limit their requests with it. In a `describe`, it takes the place of that of the file.
 */
export function useQuickTimeouts(factor: number): void {
	beforeEach(() => {
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) => realTimeout(Math.ceil(milliseconds / factor)));
	});
	afterEach(() => jest.restoreAllMocks());
}
