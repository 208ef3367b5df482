export const MAYBE = 'may have been carried out';

/** An item as words name it: by its index, its name, or both. */
export interface Label {
	index?: number;
	name?: string;
}

/** What the words of an error say about the items of its run. */
interface Told {
	done: number;
	/** The names of what was done, if they are listed. */
	names?: string[];
	failed: Label[];
	/** Of those that failed, the ones that may have been carried out. */
	maybe: Label[];
}

const LABEL = /Item (\d+)(?: \("([^"]*)"\))?|"((?:site|bad)-[^"]*)"/;
const LABELS = new RegExp(`(?:(?:${LABEL.source})(?:, | and \\d+ more)?)+`);
/** Where the lists begin: which items failed, and which were done. */
export const LISTS = new RegExp(
	`(?:^| )(?:${LABELS.source} failed for the same reason\\.|(?:${LABEL.source}): |\\d+ more failed\\.|Done, by \\w+: )`,
);

export function labelsIn(text: string): Label[] {
	return [...text.matchAll(new RegExp(LABEL, 'g'))].map(([, index, name, value]) => ({
		...(index !== undefined && { index: Number(index) }),
		...((name ?? value) !== undefined && { name: name ?? value }),
	}));
}

export function readTold(words: string): Told {
	const start = LISTS.exec(words)?.index ?? words.length;
	const [own, lists] = [words.slice(0, start), words.slice(start)];
	const at = /Failed at (.*?)\. /.exec(`${own} `)?.[1] ?? '';
	const [reasons = '', ids] = lists.split('Done, by ');
	const starts = [...reasons.matchAll(new RegExp(` (?:${LABEL.source}): `, 'g'))].map(
		({ index }) => index,
	);
	const entries = starts.map((index, entry) => reasons.slice(index, starts[entry + 1]));
	const same = /^(.*) failed for the same reason\./.exec(reasons)?.[1] ?? '';
	const listed = entries.map((entry) => [labelsIn(entry)[0]!, entry] as const);
	const isMaybe = own.includes(MAYBE);
	const shown = [...labelsIn(at), ...labelsIn(same)];
	return {
		done: Number(/(\d+) (?:was|were) done/.exec(own)?.[1] ?? 0),
		...(ids !== undefined && {
			names: [...ids.matchAll(/ for "([^"]*)"/g)].map(([, name]) => name!),
		}),
		failed: [...shown, ...listed.map(([label]) => label)],
		maybe: [
			...(isMaybe ? shown : []),
			...listed.filter(([, entry]) => entry.includes(MAYBE)).map(([label]) => label),
		],
	};
}
