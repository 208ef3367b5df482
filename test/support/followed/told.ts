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
/** Those that failed for the same reason, and the reason begins. */
const LABELS = `(?:${LABEL.source})(?:, (?:${LABEL.source}))*(?: and \\d+ more)?: `;
/** Where the lists begin: which items failed, and which were done. */
export const LISTS = new RegExp(`(?:^| )(?:${LABELS}|\\d+ more failed\\.|Done, by \\w+: )`);

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
	const starts = [...reasons.matchAll(new RegExp(`(?:^| )${LABELS}`, 'g'))];
	const listed = starts.flatMap(({ 0: labels, index }, entry) => {
		const text = reasons.slice(index, starts[entry + 1]?.index);
		return labelsIn(labels).map((label) => [label, text] as const);
	});
	const isMaybe = own.includes(MAYBE);
	const shown = labelsIn(at);
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
