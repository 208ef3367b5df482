/**
 * A small seeded source of random numbers (mulberry32), so that a run with random faults can be
 * repeated exactly.
 * @param seed any number; its lowest 32 bits count
 * @returns a function that gives the next number, from 0 up to but not including 1
 */
export function seededRandom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
