import type { EngineRun } from '../../support/engine';

const MAYBE = 'may have been carried out';

/** How many tasks a run reports as done, the jobs it lists, and the items it reports as unknown. */
export interface Told {
	done: number;
	ids: string[];
	maybe: number[];
}

/** Parses a summary, from an error or the log. */
export function toldIn(sum: string): Told {
	const done = Number(/(\d+) (?:was|were) done/.exec(sum)?.[1] ?? 0);
	// At the very end, so that nothing is missed behind a long list.
	const jobs = / Done, by job_id: (\S+ for "[^"]*"(?:, \S+ for "[^"]*")*)\.$/.exec(sum)?.[1];
	const ids = jobs?.split(', ').map((job) => job.split(' ')[0]!) ?? [];
	const label = /^(?:Item \d+(?: \("[^"]*"\))?|"item-\d+[^"]*"): /;
	const reasons = sum
		.split(/(?=Item \d+(?: \("[^"]*"\))?: |"item-\d+[^"]*": )/)
		.filter((part) => label.test(part));
	const listed = /Of these, the following may have been carried out: (.*?)\./.exec(sum)?.[1] ?? '';
	const maybe = reasons.filter((reason) => reason.includes(MAYBE)).map(itemIn);
	return { done, ids, maybe: [...maybe, ...(listed === '' ? [] : listed.split(', ').map(itemIn))] };
}

/** The number in the name of an item. */
const itemIn = (text: string) => Number(/\d+/.exec(text)![0]);

/** Parses the error of a run. */
export function toldBy(error: NonNullable<EngineRun['error']>): Told {
	// After a cancellation the error is n8n's own, without a summary.
	const [own = '', sum = ''] = (error.description ?? '').split(/(?=Of \d+ (?:items|values), )/);
	const { done, ids, maybe } = toldIn(sum);
	if (`${error.message} ${own}`.includes(MAYBE)) maybe.push(error.context.itemIndex as number);
	return { done, ids, maybe };
}
