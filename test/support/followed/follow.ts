import {
	corrected,
	DeadEnd,
	FIRST,
	passesOf,
	type Execution,
	type Item,
	type World,
} from './world';

/** A person who follows the words of an execution that stopped, sentence by sentence. */
interface Person {
	world: World;
	execution: Execution;
	/** The description, without tags. */
	text: string;
	/** The number of the execution that a retry was named for. */
	id?: string | undefined;
	/** What a retry with "Continue" left on the error output. */
	onErrorOutput?: Failed[];
	/** What is to be run. */
	toRun?: Item[];
	/** The executions that came of it. */
	made: Execution[];
}

type Act = (person: Person, named: Record<string, string | undefined>) => unknown;

const MAYBE = 'may have been carried out';
const RETRY =
	'"Executions" > execution (?<id>\\w+)(?: of the workflow "(?<of>.*?)")? > arrow at the top right > "Retry with currently saved workflow"\\.';
const OTHERS = '(?:the other (?<count>\\d+)|the last one)';
const ON_ERROR = '"On Error" to "Continue \\(using error output\\)"';
const AGAIN = 'run the workflow(?: \\(or send the event\\))? again\\.';

const nothing: Act = () => {};

const retry: Act = async (person, { id, of, count }) => {
	const { world, made } = person;
	person.id = id;
	othersOf(person, count);
	if (world.setting.mode === 'integrated' && of !== 'Test') throw new DeadEnd('Of which workflow?');
	made.push(await world.retry(world.executions.get(id!)!));
};

/** Retries with the item on its way to the error output, and sets "On Error" back. */
const continued: Act = async (person, { id = person.id, count }) => {
	const { world } = person;
	othersOf(person, count);
	const { onError } = world.node;
	world.node.onError = 'continueErrorOutput';
	person.onErrorOutput = failedIn(await world.retry(world.executions.get(id!)!));
	world.node.onError = onError;
};

const runAgain: Act = (person) => {
	const { world, execution } = person;
	person.toRun = world.correct(execution.items);
};

/** What a person does at each sentence about the way on. */
const SENTENCES: Array<[sentence: string, act: Act]> = [
	['(?:(?:Created and paid|Done): .*?\\. )?Do not run all (?:items|values) again\\.', nothing],
	['n8n does not save this execution\\.|Save\\.|On n8n 1, save first\\.', nothing],
	['Do not retry the workflow that called this one\\.', nothing],
	['Correct the values of this item\\.', nothing],
	[`Then ${AGAIN}`, runAgain],
	[`(?:Then|For ${OTHERS})(?:, within 14 days)?: ${RETRY}`, retry],

	// Nothing can be retried.
	[
		'Run the workflow with only the (?:items|values) that were not done(?: and are (?:still|not) in your account)?(?<corrected>, corrected)?\\.',
		(person, { corrected: isCorrected }) => {
			const items = notDone(person);
			person.toRun = isCorrected ? person.world.correct(items) : items;
		},
	],
	[
		'Run the workflow with only the items that are in neither\\.',
		(person) => {
			const { world, execution } = person;
			const isLogged = ({ name }: Item) =>
				world.log().some((line) => line.includes(` for "${name}"`));
			person.toRun = execution.items.filter((item) => !isLogged(item) && !world.isInAccount(item));
		},
	],
	[
		'Run the workflow again: each value costs one more request\\.',
		(person) => {
			person.world.costsMore = true;
			person.toRun = person.execution.items;
		},
	],

	// The service reported a failure.
	['Look in your account for .*?\\.(?= If )', nothing],
	[
		`If (?:it|one of them) is there, run the workflow with only (?:${OTHERS}|(?<isAll>the items that are not))(?<corrected>, corrected)?\\.`,
		(person, { corrected: isCorrected, count, isAll }) => {
			const { world } = person;
			if (!inDoubt(person).some((item) => world.isInAccount(item))) return;
			const items = isAll ? notDone(person) : othersOf(person, count);
			person.toRun = isCorrected ? world.correct(items) : items;
		},
	],
	[`Otherwise: ${RETRY}`, async (person, named) => person.toRun ?? (await retry(person, named))],
	[
		`If it is missing there: ${RETRY}`,
		async (person, named) => {
			if (!person.world.isInAccount(inDoubt(person)[0]!)) await retry(person, named);
		},
	],

	// The content is wrong.
	[
		`Wrong field \\(or credential\\): correct it, save, and ${RETRY}`,
		async (person, named) => {
			person.id = named.id;
			if (person.world.wrong === 'item') return;
			person.world.correct([]);
			await retry(person, named);
		},
	],
	[
		`Wrong item: correct it, and ${AGAIN}`,
		(person, named) => person.world.wrong === 'item' && runAgain(person, named),
	],
	[
		`Wrong item: first set ${ON_ERROR}, and do the same\\.`,
		(person, named) => person.world.wrong === 'item' && continued(person, named),
	],

	// Something is unknown.
	[
		`If it is (?:missing|still) there, ${AGAIN}`,
		(person, named) => {
			const { world, execution } = person;
			if (!world.isInAccount(execution.items[0]!)) runAgain(person, named);
		},
	],
	[`(?:For ${OTHERS}: set|Set) ${ON_ERROR}, save, and ${RETRY}`, continued],
	[
		'Then set it back, and run the workflow with only the items on the error output(?<missing> that are (?:missing|still) in your account)?(?<corrected>, corrected)?\\.',
		(person, { corrected: isCorrected, missing }) => {
			const { world, onErrorOutput } = person;
			const items = onErrorOutput
				?.map(({ item }) => item)
				.filter((item) => !missing || !world.isInAccount(item));
			if (items) person.toRun = isCorrected ? world.correct(items) : items;
		},
	],
	// In a loop, which ends where a whole pass leaves by the error output.
	[
		'(?<wrong>Wrong item: run|Run) the workflow with only the items that are (?:missing|still) in your account(?<corrected>, corrected)?\\.',
		(person, { wrong, corrected: isCorrected }) => {
			if (wrong!.startsWith('Wrong') && person.world.wrong !== 'item') return;
			const items = notDone(person);
			person.toRun = isCorrected ? person.world.correct(items) : items;
		},
	],

	// Other nodes.
	[
		'Deactivate (?<names>"[^"]*"(?: and "[^"]*")*) for that\\.',
		({ world }, { names }) => world.deactivate(...names!.slice(1, -1).split('" and "')),
	],
];
const KNOWN = SENTENCES.map(([sentence, act]) => [new RegExp(`^(?:${sentence})`), act] as const);

/** The items that the words name as what may have been done. */
function inDoubt({ execution, text }: Person): Item[] {
	const { input } = passesOf(execution).at(-1)!;
	const isNamed = input.map(() => false);
	if (input.length === 1) isNamed[0] = text.includes(MAYBE);
	let reason = '';
	// A reason stands behind all that have it.
	for (const part of text.split(/(?=Item \d+)/).reverse()) {
		if (!part.endsWith(', ')) reason = part;
		const [, index] = /^Item (\d+)/.exec(part) ?? [];
		if (index !== undefined && reason.includes(MAYBE)) isNamed[Number(index)] = true;
	}
	return execution.items.filter(({ name }) => isNamed[input.indexOf(corrected(name))]);
}

/** The items of the run that are neither done nor in doubt. @throws DeadEnd if the words count others */
function othersOf(person: Person, count: string | undefined): Item[] {
	const { world, execution } = person;
	const { input } = passesOf(execution).at(-1)!;
	const doubtful = inDoubt(person);
	const others = notDone(person).filter(
		(item) => input.includes(corrected(item.name)) && !doubtful.includes(item),
	);
	if (count !== undefined && !world.isOfValues && others.length !== Number(count)) {
		throw new DeadEnd(`${others.length} others, not ${count}`);
	}
	return others;
}

/** The items that were not done, as the account says, or the count of the values that were. */
function notDone({ world, execution: { items }, text }: Person): Item[] {
	if (!world.isOfValues) return items.filter((item) => !world.isInAccount(item));
	const [, done = 0] = /Done: (\d+)/.exec(text) ?? [];
	const isNamed = ({ name }: Item) => text.includes(`"${name}"`);
	const others = items.filter((item) => !isNamed(item));
	return [...items.filter(isNamed), ...others.slice(Number(done))];
}

/** Does what the words of an execution that stopped say. @returns the executions that came of it */
async function follow(world: World, execution: Execution): Promise<Execution[]> {
	const { message, description } = execution.end.error!;
	const paragraphs = (description ?? '').split('<br><br>').map((paragraph) =>
		paragraph
			.replaceAll(/<\/?b>/g, '')
			.replaceAll('&lt;', '<')
			.replaceAll('&amp;', '&'),
	);
	const isWay = (text: string) => KNOWN.some(([sentence]) => sentence.test(text));
	const cause = isWay(paragraphs[0]!) ? '' : paragraphs.shift()!;
	await world.mend(`${message}. ${cause}`);
	const text = [cause, ...paragraphs].join(' ');
	const person: Person = { world, execution, text, made: [] };
	if (/retry that execution\.$/.test(cause)) person.made.push(...otherRetriesOf(person));
	let rest = paragraphs.join(' ');
	// What else failed comes last.
	while (rest !== '' && !/^(?:Item \d+|"(?:site|bad)-)/.test(rest)) {
		const known = KNOWN.find(([sentence]) => sentence.test(rest));
		if (!known) throw new Error(`The follower does not know this sentence: ${rest}`);
		const match = known[0].exec(rest)!;
		await known[1](person, match.groups ?? {});
		rest = rest.slice(match[0].length).trim();
	}
	const { toRun = [], made } = person;
	if (toRun.length > 0) made.push(await world.run(toRun));
	return made;
}

/** The other retry that was in progress, if it has failed. */
function otherRetriesOf({ world, execution }: Person): Execution[] {
	const others = [...world.executions.values()].slice(1).filter((each) => each !== execution);
	return others.filter(({ end, hasGoodRetry }) => end.error && !hasGoodRetry);
}

interface Failed {
	item: Item;
	words: string;
}

/** What has left by the error output, and the values that Add Many Items lists as failed. */
export function failedIn(execution: Execution): Failed[] {
	const failed = passesOf(execution).flatMap(({ input, output }) =>
		output
			.filter(({ json }) => json.error !== undefined || json.status === 'failed')
			.map(({ json, pairedItem }) => ({
				name: input[(pairedItem as { item: number }).item],
				words: [json.error, json.message, json.reason].join(' '),
			})),
	);
	return execution.items.flatMap((item) => {
		const own = failed.filter(({ name }) => name === corrected(item.name));
		return own.length > 0 ? [{ item, words: own.map(({ words }) => words).join(' ') }] : [];
	});
}

/** Does what the messages of items say, and runs them again. @returns the execution that came of it */
async function followItems(world: World, execution: Execution): Promise<Execution[]> {
	const failed = failedIn(execution);
	// Add Many Items gives only the reason of each value.
	for (const { words } of failed)
		await world.mend(world.operation === 'addMany' ? undefined : words);
	const again = failed.filter(
		({ item, words }) => world.isOfValues || !words.includes(MAYBE) || !world.isInAccount(item),
	);
	const items = world.correct(again.map(({ item }) => item));
	if (items.length === 0) return [];
	if (world.setting.first === 'create') world.deactivate(FIRST);
	return [await world.run(items)];
}

const MOST_ROUNDS = 5;

/**
 * Follows the words of executions, then those of what came of it, until nothing is left to do.
 *
 * @throws DeadEnd if the words lead nowhere
 */
export async function followAll(world: World, executions: Execution[]): Promise<void> {
	let open = executions;
	for (let round = 0; open.length > 0; round++) {
		if (round > MOST_ROUNDS) throw new DeadEnd('A circle');
		const made: Execution[] = [];
		for (const execution of open) {
			const followed = execution.end.error ? follow : followItems;
			made.push(...(await followed(world, execution)));
		}
		// The workflow that called this one goes on with the rest.
		open = made;
		if (made.length === 0 && world.uncalled.length > 0) open = await world.start(world.uncalled);
	}
}
