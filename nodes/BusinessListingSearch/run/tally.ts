/** The outcomes of a run's tasks. */
export interface Tally {
	/** How many there are, and their name in the plural. */
	total: number;
	what: 'items' | 'values';
	done: number;
	/** The field of the output that must not be lost, and its values: the ids of paid jobs. */
	kept?: { field: string; values: string[] };
	failed: FailedTask[];
}

/** A task that failed. */
export interface FailedTask {
	/** `Item 3`, or a value. */
	label: string;
	/** Why, in sentences. */
	reason: string;
	/** Whether the request may have been carried out. */
	isUnknown: boolean;
}

/** The most reasons listed one by one: usually a run ends at the first. */
export const MOST_REASONS = 50;

/**
 * Describes a tally in sentences: a summary, and why tasks failed.
 *
 * @param told a failure whose reason the user sees anyway
 * @returns undefined when there is nothing to add to that: a single task, which failed
 */
export function summarize(
	{ total, what, done, kept, failed }: Tally,
	told?: FailedTask,
): string | undefined {
	if (total === 1 && told !== undefined) return undefined;
	// An earlier attempt may have done tasks that are no longer part of the input.
	const notStarted = Math.max(0, total - done - failed.length);
	const named = kept && kept.values.length > 0 ? ` (${kept.field}: ${kept.values.join(', ')})` : '';
	const isSame = ({ reason, isUnknown }: FailedTask) => !isUnknown && reason === told?.reason;
	const same = failed.filter((failure) => failure !== told && isSame(failure));
	const others = failed.filter((failure) => failure !== told && !isSame(failure));
	const unknown = others.slice(MOST_REASONS).filter(({ isUnknown }) => isUnknown);
	const sentences = [
		`Of ${total} ${total === 1 ? what.slice(0, -1) : what}, ${count(done)} done${named}, ${failed.length} failed, ${count(notStarted)} not started.`,
		...sameReason(same),
		...others.slice(0, MOST_REASONS).map(({ label, reason }) => `${label}: ${reason}`),
	];
	if (others.length > MOST_REASONS) {
		sentences.push(`${others.length - MOST_REASONS} more failed.`);
	}
	if (unknown.length > 0) {
		const labels = unknown.map(({ label }) => label).join(', ');
		sentences.push(`Of these, the following may have been carried out: ${labels}.`);
	}
	return sentences.join(' ');
}

/** Names the tasks that failed for the reason the user sees anyway. */
function sameReason(failed: FailedTask[]): string[] {
	if (failed.length === 0) return [];
	const labels = failed.slice(0, MOST_REASONS).map(({ label }) => label);
	const more = failed.length > MOST_REASONS ? ` and ${failed.length - MOST_REASONS} more` : '';
	return [`${labels.join(', ')}${more} failed for the same reason.`];
}

function count(number: number): string {
	return `${number} ${number === 1 ? 'was' : 'were'}`;
}
