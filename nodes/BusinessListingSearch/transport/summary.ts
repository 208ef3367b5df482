/** What became of the items of a run that ended before all of them were done. */
export interface Tally {
	/** How many items came to their result. */
	done: number;
	/** What must not be lost of them, by the name of the output's field: the ids of paid jobs. */
	receipts: Record<string, string[]>;
	/** Why further items failed, by item index. */
	alsoFailed: Array<{ item: number; message: string }>;
	/** How many items nothing was sent for, or for which the service did nothing but ask to wait. */
	notStarted: number;
}

/**
 * Puts a tally into sentences.
 *
 * @returns undefined where there is nothing to say: a single item, and it failed
 */
export function summarize({ done, receipts, alsoFailed, notStarted }: Tally): string | undefined {
	if (done === 0 && alsoFailed.length === 0 && notStarted === 0) return undefined;
	const total = done + alsoFailed.length + 1 + notStarted;
	const named = Object.entries(receipts).map(([field, values]) => `${field}: ${values.join(', ')}`);
	const sentences = [
		`Of ${total} items, ${done} ${done === 1 ? 'was' : 'were'} done${named.length > 0 ? ` (${named.join('; ')})` : ''}, ${alsoFailed.length + 1} did not succeed, ${notStarted} ${notStarted === 1 ? 'was' : 'were'} not started.`,
		...alsoFailed.map(({ item, message }) => `Item ${item}: ${message}.`),
	];
	return sentences.join(' ');
}
