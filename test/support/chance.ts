/**
 * Chance that is always the middle, as with the clock of the tests, but never the same number twice: an
 * execution that n8n stores is known by a random id. Call it after `useClock`.
 */
export function useDistinctChance(): void {
	let drawn = 0;
	// Below the middle, so that a wait that is rounded up stays the same.
	beforeEach(() => void (Math.random = () => 0.5 - ++drawn * 2 ** -40));
}
