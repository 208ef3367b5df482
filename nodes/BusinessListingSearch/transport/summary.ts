/** What became of the items of a run that ended before all of them were done. */
export interface Tally {
	/** How many items came to their result. */
	done: number;
	/** What must not be lost of them, by the name of the output's field: the ids of paid jobs. */
	receipts: Record<string, string[]>;
	/** Why further items failed, in sentences, by item index. */
	alsoFailed: Array<{ item: number; message: string }>;
	/** How many items nothing was sent for, or for which the service did nothing but ask to wait. */
	notStarted: number;
}

/**
 * Puts a tally into sentences.
 *
 * @param failed how many items failed: those of `alsoFailed`, and the one that ended the run; none
 * where it was cancelled
 * @param what was to be done, in the plural
 * @returns undefined where there is nothing to say: a single item, and it failed
 */
export function summarize(
	{ done, receipts, alsoFailed, notStarted }: Tally,
	failed = alsoFailed.length + 1,
	what = 'items',
): string | undefined {
	const total = done + failed + notStarted;
	if (done === 0 && total === 1) return undefined;
	const named = Object.entries(receipts).map(([field, values]) => `${field}: ${values.join(', ')}`);
	const sentences = [
		`Of ${total} ${what}, ${done} ${done === 1 ? 'was' : 'were'} done${named.length > 0 ? ` (${named.join('; ')})` : ''}, ${failed} did not succeed, ${notStarted} ${notStarted === 1 ? 'was' : 'were'} not started.`,
		...alsoFailed.map(({ item, message }) => `Item ${item}: ${message}`),
	];
	return sentences.join(' ');
}
