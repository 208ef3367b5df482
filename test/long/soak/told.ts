import type { EngineRun } from '../../support/engine';

const MAYBE = 'may have been carried out';

/** The name of an item, and one or more of them with the reason that they share. */
const ITEM = 'Item \\d+(?: \\("[^"]*"\\))?|"item-\\d+[^"]*"';
const ITEMS = `(?:(?:${ITEM}), )*(?:${ITEM}): `;
const REASON = new RegExp(`(${ITEMS})(.*?)(?=${ITEMS}|$)`, 'g');

/** How many tasks a run reports as done, the jobs it lists, and the items it reports as unknown. */
export interface Told {
	done: number;
	ids: string[];
	maybe: number[];
}

/** Parses a summary, from an error or the log. */
export function toldIn(sum: string): Told {
	const done = Number(/(\d+) done/.exec(sum)?.[1] ?? 0);
	// At the very end, so that nothing is missed behind a long list.
	const jobs = / Done, by job_id: (\S+ for "[^"]*"(?:, \S+ for "[^"]*")*)\.$/.exec(sum)?.[1];
	const ids = jobs?.split(', ').map((job) => job.split(' ')[0]!) ?? [];
	const reasons = [...sum.matchAll(REASON)];
	const maybe = reasons
		.filter(([, , reason]) => reason!.includes(MAYBE))
		.flatMap(([, items]) => items!.match(new RegExp(ITEM, 'g'))!.map(itemIn));
	return { done, ids, maybe };
}

/** The number in the name of an item. */
const itemIn = (text: string) => Number(/\d+/.exec(text)![0]);

/** Parses the error of a run. */
export function toldBy({ message, description, context }: NonNullable<EngineRun['error']>): Told {
	const paid = / \((?:paid|done): (\d+) of \d+ (?:jobs|values|blacklists)/.exec(message)?.[1];
	const ids = ((context.data ?? []) as Array<{ job_id?: string }>).flatMap(
		({ job_id }) => job_id ?? [],
	);
	const [cause = '', ...others] = (description ?? '').split('<br><br>');
	const maybe = others.flatMap((paragraph) => toldIn(paragraph).maybe);
	if (`${message} ${cause}`.includes(MAYBE)) maybe.push(context.itemIndex as number);
	return { done: Number(paid ?? 0), ids, maybe };
}
