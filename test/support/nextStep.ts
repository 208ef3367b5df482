/** What the words of an error name for a person to do. */

/** The numbered steps that send the rest of a run, in their order. @throws Error if there are none */
export function stepsIn(description: string): string[] {
	const [, named] =
		/ (?:To (?:send the rest|go on)|If the item is wrong): 1\. (.*?) (?:Running the workflow with all |Do not retry the execution of |A retry sends again )/.exec(
			` ${description} Running the workflow with all `,
		) ?? [];
	if (named === undefined) throw new Error(`No steps in: ${description}`);
	const steps: string[] = [];
	let rest = named;
	for (let next = 2; ; next++) {
		const end = rest.indexOf(` ${next}. `);
		if (end < 0) return [...steps, rest];
		steps.push(rest.slice(0, end));
		rest = rest.slice(end + ` ${next}. `.length);
	}
}

/** The keywords of the jobs in the list of what was done, which ends the words. */
export function doneIn(description: string): string[] {
	const [, list = ''] = /Done, by job_id: (.*)\.$/.exec(description) ?? [];
	return [...list.matchAll(/ for "(.*?)"(?:, |$)/g)].map(([, keyword]) => keyword!);
}
