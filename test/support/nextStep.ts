/** What the words of an error name for a person to do. */

/** Where words begin to say how the rest is sent, unless a retry needs nothing before it. */
const WAYS = {
	rest: /(?:To (?:send the rest|go on)|If the item is wrong): /,
	field: /If a field of this node is wrong: /,
};

/** Where the steps end: the danger, what else failed, and the lists. */
const END =
	/ (?:If the item is wrong[:,] |Running the workflow with all |Item \d+(?: \(".*?"\))?[:,] |Done, by )|$/;

/**
 * The sentences that say how the rest of a run is sent, in their order, without numbers.
 *
 * @param way `field` for a wrong field of the node, where the words tell that apart from a wrong item
 * @throws Error if there are none
 */
export function stepsIn(description: string, way: keyof typeof WAYS = 'rest'): string[] {
	const start = WAYS[way].exec(description);
	if (!start) throw new Error(`No steps in: ${description}`);
	const named = description.slice(start.index + start[0].length);
	const steps = named.slice(0, END.exec(named)!.index).replace(/(?<=^|\. )\d+\. /g, '');
	return steps.split(/(?<=\.) (?=["A-Z])/);
}

/** The keywords of the jobs in the list of what was done, which ends the words. */
export function doneIn(description: string): string[] {
	const [, list = ''] = /Done, by job_id: (.*)\.$/.exec(description) ?? [];
	return [...list.matchAll(/ for "(.*?)"(?:, |$)/g)].map(([, keyword]) => keyword!);
}
