import type { INode } from 'n8n-workflow';

import { TESTED_NODE } from '../workflowOf';
import { LISTS } from './told';
import {
	corrected,
	DeadEnd,
	FIRST,
	passesOf,
	type Execution,
	type Item,
	type World,
} from './world';

/** What a person reads: the words of an error, or of an error item. */
interface Words {
	title: string;
	text: string;
	execution: Execution;
	/** The item that they are about. */
	item: Item | undefined;
}

/** A person who follows words, sentence by sentence. */
interface Person {
	world: World;
	words: Words;
	/** Collects what an execution with Continue says to run. */
	toRun: ToRun | undefined;
	/** The executions that came of it. */
	made: Execution[];
	/** What a step selected under "Executions". */
	selected?: Execution;
	/** What was changed of the node. */
	changes: Array<(node: INode) => void>;
	/** The nodes that are deactivated. */
	deactivated: string[];
	/** What cannot be run with a part of the input, because an event started it. */
	toSend: Item[] | undefined;
	/** These steps correct a field. */
	isOfField: boolean;
	/** A part that is for another case. */
	isSkipping: boolean;
	/** Nothing after this is done, but for what `AFTER_ALL` has. */
	isOver: boolean;
}

/** What an execution with Continue says to run, for each of its items. */
interface ToRun {
	items: Set<Item>;
	without: Set<string>;
}

type Act = (person: Person, match: RegExpExecArray) => unknown;

const nothing: Act = () => {};
const mend =
	(...by: string[]): Act =>
	async ({ world }) => {
		for (const each of by) await world.mend(each);
	};

const change = (person: Person, by: (node: INode) => void) => {
	by(person.world.node);
	person.changes.push(by);
};
const setOption =
	(name: string, value: unknown, folder = 'options'): Act =>
	(person) =>
		change(person, ({ parameters }) => {
			const options = { ...(parameters[folder] as object), [name]: value } as INode['parameters'];
			if (value === undefined) delete options[name];
			parameters[folder] = options;
		});

/** Sends these items through the workflow. */
const send = async ({ toRun, deactivated, made, world }: Person, items: Item[]) => {
	if (items.length === 0) return;
	if (toRun) {
		items.forEach((item) => toRun.items.add(item));
		deactivated.forEach((name) => toRun.without.add(name));
	} else if (world.setting.calls) made.push(await world.run(items));
	else made.push(...(await world.start(items)));
};
/** Runs the workflow with a part of its input: what came as an event is not there. */
const run = async (person: Person, items: Item[]) => {
	if (person.world.setting.event) person.toSend = items;
	else await send(person, items);
};
const setActive = (
	{ world }: Pick<Person, 'world'>,
	names: Iterable<string>,
	isActive: boolean,
) => {
	for (const name of names) world.nodeNamed(name).disabled = !isActive;
};
const isAllDone = (executions: Execution[]) =>
	executions.every((execution) => wordsOf(execution).length === 0);
const quoted = (text: string) => [...text.matchAll(/"([^"]*)"/g)].map(([, name]) => name!);
/** Without the item, if it has failed before and the words say so. */
const runBut = async (person: Person, items: Item[]) => {
	const { world, words } = person;
	const isSaid = words.text.includes('If the same item fails again, leave it out.');
	const name = isSaid && words.item?.name;
	const again = name && world.warned.has(name);
	if (name) world.warned.add(name);
	await run(person, again ? items.filter((item) => item.name !== name) : items);
};
const runRest: Act = async (person) =>
	await run(person, person.world.notDone(person.words.execution));
/** The item as the person has it in the input now. */
const runItem = async (person: Person) => {
	if (person.words.item === undefined) throw new DeadEnd('The words name no item');
	await run(person, [person.words.item]);
};

const retry =
	(choice: 'original' | 'currently saved'): Act =>
	async (person) => {
		if (!person.selected) throw new DeadEnd('No execution is selected');
		const execution = await person.world.retry(person.selected, choice);
		person.made.push(execution);
		// What went wrong now has words of its own. Of two cases, the other one is not read.
		person.isOver = execution.end.error !== undefined || person.isOfField;
	};

/** Sentences at which a person does nothing. */
const READ_ONLY: RegExp[] = [
	/Tried \d+ times\./,
	/Nothing was sent( in this iteration)?\.|Nothing was carried out\.|It gave no reason\./,
	/System code: \w+\./,
	/The service says: ".*?"\./,
	/Expected .*?, received .*?\.(?= )/,
	/It said to wait [^.]*\./,
	/This node waits at most \d+ seconds\./,
	/The last .*? got an error or no answer\./,
	/It has accepted no .*? for two minutes\./,
	/Another request of this run was refused\./,
	/Of \d+ (items?|values?), .*? not started\./,
	/Failed at (Item \d+( \("[^"]*"\))?|"[^"]*")\./,
	/A redirect could send the key to another address\./,
	/A firewall, a gateway or a proxy in between can refuse a request as well\./,
	/A firewall, a gateway or a proxy may have refused the request\./,
	/(The request|It) may have been carried out( there)?\./,
	/Check your account before you send it again\./,
	/The service does not say whether it was: check your account\./,
	/A retry sends again what the service reported as failed\./,
	/n8n keeps an execution for 14 days by default\./,
	/n8n does not save this execution, so it cannot be retried\./,
	/A retry alone (stops|can stop) there again\.|To (send the rest|go on):/,
	/(Running the workflow with all|Running it with all) .*? again\./,
	/This retry sent nothing\./,
	/After a retry that succeeds, n8n offers no other one\./,
	/If the same item fails again, leave it out\./,
	/Do not retry the execution of the workflow that called this one\./,
	/If you run the workflow that called this one, its nodes send their requests again\./,
	/No listing can match both\.|There may be no blacklist of this name\.|This row gives no text\./,
	/Save the workflow\./,
	/Do not choose another credential, or enter another "Base URL": a retry would then send everything again\./,
	/A host name goes into the environment variable \w+\.|An IP address, e\.g\. [\d./]+, goes into \w+\./,
	/To see how many requests remain, run "Get usage"\./,
	/The log of the n8n server (?:names each job_id with its keyword|only counts what was done)\./,
	/Do not retry after you have entered a new "Base URL"\./,
	/Select the arrow at the top right\./,
];

/** What a person does at each of the others. */
const SENTENCES: Array<[RegExp, Act]> = [
	...READ_ONLY.map((sentence): [RegExp, Act] => [sentence, nothing]),
	[/If it is published, publish it again\./, ({ world }) => world.publish()],

	// What to mend.
	[/Check "API Key" in this credential\./, mend('key')],
	[/If nothing is in between, check "API Key" in this credential\./, mend('key')],
	[/Ask whoever runs it to allow requests from n8n to "Base URL"\./, mend('gateway')],
	[/If the key is correct, choose another "API Key Format"\./, mend('format')],
	[
		/If the service has moved, enter its new address in "Base URL" in the credential\./,
		mend('address'),
	],
	[/Check "Base URL" in the credential\./, mend('address')],
	[/Check "Base URL" and "API Key Format" in the credential\./, mend('address', 'format')],
	[/Check that n8n can (resolve host names|reach the service)\./, mend('network')],
	[
		/Check that n8n can reach the service, or the proxy if there is one\./,
		mend('network', 'proxy'),
	],
	[
		/If there is a proxy, check "Proxy" under "Request Options", or HTTP_PROXY of n8n\./,
		mend('proxy'),
	],
	[
		/Check the user name and the password in "Proxy" under "Request Options", or HTTP_PROXY of n8n\./,
		mend('proxy'),
	],
	[
		/n8n does not trust the certificate of this address, or the service expects http:\/\/, not https:\/\/\./,
		mend('certificate'),
	],
	[
		/If the service is in your own network, allow its address, and restart n8n\./,
		mend('protection'),
	],
	[/Wait until the allowance is renewed, or choose a larger plan\./, mend('allowance')],
	[/Try again (later|after that time)\./, mend('time')],
	[/Enter the private key of your account\./, mend('key')],
	[
		/An expression in the credential gives nothing for this item\. Check the field or the name that it looks up\./,
		mend('key', 'address'),
	],

	// What to change in the node.
	[/If "Concurrency" under "Options" is set, remove it\./, setOption('concurrency', undefined)],
	[
		/Raise "Maximum Jobs per Run" under "Options"\.( Or put n8n's "Limit" node before this one\.)?/,
		setOption('maxJobs', 100),
	],
	[
		/Wait until the allowance is renewed, choose a larger plan, or lower "Minimum Remaining Requests" under "Options"\./,
		setOption('minRemaining', 0),
	],
	[
		/To wait longer, set a longer "Timeout" under "Request Options" on the Settings tab\./,
		setOption('timeout', 600_000, 'requestOptions'),
	],
	[
		/Enter a whole number( [^.]*)?, or remove the option\.|Enter a whole number, e\.g\. \d+, or remove the option\.|Remove the option\./,
		removeOption,
	],
	[
		/Set "On Error" of this node to "Continue"\./,
		({ world }) => void (world.node.onError = 'continueRegularOutput'),
	],
	[
		/Set "On Error" back, and save the workflow\./,
		({ world }) => void (world.node.onError = world.onError),
	],
	[
		/Leave everything else in this node as it was in execution (\w+)( of the workflow "[^"]*" \(not the one that called it\))?\./,
		({ world, changes }, [, id]) => {
			const was = world.executions
				.get(id!)!
				.workflow.nodes.find(({ name }) => name === TESTED_NODE)!;
			world.node.parameters = structuredClone(was.parameters);
			for (const again of changes) again(world.node);
		},
	],
	[
		/Correct the values of this item\.|Check the values of this item( and the credential)?\.|Check the name in "Blacklist"\./,
		async ({ world, words: { item, execution } }) => {
			await world.mend('format');
			world.correct(item ? [item] : execution.items);
		},
	],
	[
		/Lower "Minimum Reviews" or raise "Maximum Reviews"\.|Check the expression in "Blacklist", or leave such rows out with a Filter node before this one\.|Choose a blacklist or enter its name\./,
		({ world, words: { item, execution } }) => world.correct(item ? [item] : execution.items),
	],

	// Which case it is.
	[
		/If a field of this node is wrong:/,
		(person) => {
			person.isOfField = person.world.correctsNode;
			person.isSkipping = !person.isOfField;
		},
	],
	[/Correct it\./, ({ world }) => world.correct([])],
	[/If the item is wrong:/, (person) => void (person.isSkipping = person.isOfField)],

	// What to run.
	[
		/First deactivate ("[^"]*"(?: and "[^"]*")*): otherwise, jobs are created there again\./,
		(person, [, names]) => {
			person.deactivated = quoted(names!);
			if (!person.toRun) setActive(person, person.deactivated, false);
		},
	],
	[
		/When this is done, activate ("[^"]*"(?: and "[^"]*")*) again\./,
		(person) => {
			const { made, deactivated, toRun } = person;
			if (!toRun && isAllDone(made.slice(-1))) setActive(person, deactivated, true);
		},
	],
	[
		/The requests of ("[^"]*"(?: and "[^"]*")*) are sent again\./,
		({ world }) => void (world.isToldOfFirst = true),
	],
	[
		/If an event started it, send the event again with only (this (item|value)|the (items|values) that (were not done|the log does not name))\./,
		async (person) => {
			const { toSend } = person;
			person.toSend = undefined;
			if (toSend) await send(person, toSend);
		},
	],
	[
		/If that workflow stopped here, run it with only the items for which it has not called this one yet\./,
		async ({ world, made }) => void made.push(...(await world.callForRest())),
	],
	[
		/Run the workflow with only the items that the log does not name\./,
		async (person) => {
			const { world, words } = person;
			const isLogged = ({ name }: Item) => world.logged.includes(name);
			await run(
				person,
				words.execution.items.filter((item) => !isLogged(item)),
			);
		},
	],
	[
		/Run the workflow, or send the event, again\. What was done already costs one more request\./,
		async (person) => {
			person.world.costsMore = true;
			await run(person, person.words.execution.items);
		},
	],
	[
		/Earlier try: .*?( (?=Failed at|Of \d+ |Do not retry|A retry alone|To |Then run|In that case|First deactivate|n8n does not save)|$)/,
		nothing,
	],
	[
		/If this (?:item|value) is done after that, stop here\./,
		(person) => {
			const { world, words, made } = person;
			person.isOver = !words.item || !world.notDone(made.at(-1)!).includes(words.item);
		},
	],
	[/Run the workflow with only this (?:item|value)\./, runItem],
	[
		/In that case, run the workflow with only the (items|values) that were not done\./,
		async (person) => {
			if (!person.world.hasNewBaseUrl) return;
			await runRest(person, [] as never);
			person.isOver = true;
		},
	],
	[
		/Then run the workflow with only the (items|values) that were not done\./,
		async (person) => await runBut(person, person.world.notDone(person.words.execution)),
	],
	[
		/Then run the workflow again\./,
		async (person) => await runBut(person, person.words.execution.items),
	],
	[
		/See the result under "Executions"\. If something is missing there, retry that execution\./,
		(person) => {
			const other = [...person.world.executions.values()].find(
				(each) =>
					each !== person.words.execution &&
					each.end.error &&
					!each.hasGoodRetry &&
					Number(each.id) > 1,
			);
			if (other) person.made.push(other);
			person.isOver = true;
		},
	],
	[
		/Under "Executions", select execution (\w+)( of the workflow "[^"]*" \(not the one that called it\))?\./,
		(person, [, id, called]) => {
			const isCalled = person.world.setting.calls && !person.words.execution.isRetry;
			if (isCalled && called === undefined) throw new DeadEnd('Of which workflow?');
			person.selected = person.world.executions.get(id!);
		},
	],
	[/Select "Retry with original workflow"\./, retry('original')],
	[/Select "Retry with currently saved workflow"\./, retry('currently saved')],
];

/** What a person does, whatever became of a retry: it is of other nodes and workflows. */
const AFTER_ALL =
	/^(When this is done, activate|If an event started|If that workflow stopped here|The requests of)/;

/** The option that the message of an error names. */
async function removeOption(person: Person) {
	const names = {
		Concurrency: 'concurrency',
		'Maximum Jobs per Run': 'maxJobs',
		'Minimum Remaining Requests': 'minRemaining',
		'Dry Run': 'dryRun',
		Timeout: 'timeout',
	};
	for (const [label, name] of Object.entries(names)) {
		if (!person.words.title.includes(`"${label}"`)) continue;
		await setOption(
			name,
			undefined,
			name === 'timeout' ? 'requestOptions' : 'options',
		)(person, [] as never);
	}
}

/** @returns what an execution gives a person to read */
export function wordsOf(execution: Execution): Words[] {
	const { end } = execution;
	const passes = passesOf(end);
	const itemOf = (named?: Item) =>
		named && execution.items.find(({ name }) => corrected(name) === corrected(named.name));
	if (end.error) {
		const text = end.error.description ?? '';
		const at = end.error.context.itemIndex as number | undefined;
		const item = itemOf(passes.at(-1)?.input[at ?? -1]);
		return [{ title: end.error.message, text, execution, item }];
	}
	return passes.flatMap(({ input, outputs }) =>
		outputs
			.filter(({ json }) => json.error !== undefined)
			.map(({ json, pairedItem }) => ({
				title: String(json.error),
				text: String(json.message),
				execution,
				item: itemOf(input[(pairedItem as { item: number }).item]),
			})),
	);
}

/** Reads words and does what they say. @returns the executions that came of it */
async function follow(world: World, words: Words, toRun?: ToRun): Promise<Execution[]> {
	const person: Person = {
		...{ world, words, toRun, made: [], changes: [], deactivated: [], toSend: undefined },
		...{ isOfField: false, isSkipping: false, isOver: false },
	};
	const end = LISTS.exec(words.text)?.index ?? words.text.length;
	let rest = words.text.slice(0, end).trim();
	while (rest !== '') {
		rest = rest.replace(/^\d+\. /, '');
		let known = false;
		for (const [pattern, act] of SENTENCES) {
			const match = new RegExp(`^(?:${pattern.source})`).exec(rest);
			if (!match) continue;
			const own = pattern.exec(match[0])!;
			rest = rest.slice(match[0].length).trim();
			const isDone = person.isOver
				? AFTER_ALL.test(match[0])
				: !person.isSkipping || match[0].startsWith('If the item is wrong');
			if (isDone) await act(person, own);
			known = true;
			break;
		}
		if (!known) throw new Error(`The follower does not know this sentence: ${rest}`);
	}
	if (person.toSend) throw new DeadEnd('The event does not come again');
	return person.made;
}

const MOST_ROUNDS = 5;

/**
 * Follows the words of an execution, then those of what came of it.
 *
 * @returns how many rounds it took
 */
export async function followAll(world: World, first: Execution[]): Promise<number> {
	let open = first;
	const handled = new Set<string>();
	for (let round = 0; ; round++) {
		const made: Execution[] = [];
		const ranAlone = new Set(handled);
		const isDone = (item?: Item) => item !== undefined && ranAlone.has(item.name);
		const all = open.map((execution) => ({
			execution,
			words: wordsOf(execution).filter(({ item }) => execution.end.error || !isDone(item)),
			values: failedValues(world, execution).filter((item) => !isDone(item)),
		}));
		if (all.every(({ words, values }) => words.length + values.length === 0)) return round;
		if (round === MOST_ROUNDS)
			throw new DeadEnd(`A circle: ${all.map(({ words: [one] }) => one?.text).join(' // ')}`);
		handled.clear();
		for (const { execution, words, values } of all) {
			if (execution.end.error) {
				const [one] = words;
				const came = await follow(world, one!);
				made.push(...came);
				// A step ran this item by itself, or found it done.
				if (one!.item && (came.length > 1 || one!.text.includes('only this item')))
					handled.add(one!.item.name);
				continue;
			}
			const toRun = { items: new Set(values), without: new Set<string>() };
			for (const each of words) made.push(...(await follow(world, each, toRun)));
			const items = [...toRun.items].filter((item) => !isDone(item));
			if (items.length > 0) {
				if (world.operation === 'addMany') {
					await world.mendAll();
					world.correct(items);
				}
				// Of values that failed, no words say how to run them: that is plain.
				if (values.length > 0 && world.setting.first === 'create') toRun.without.add(FIRST);
				setActive({ world }, toRun.without, false);
				if (world.setting.event) world.publish();
				const came = await world.start(items);
				made.push(...came);
				if (isAllDone(came)) setActive({ world }, toRun.without, true);
			}
		}
		open = made;
	}
}

/** Add Many Items goes on after failed values, and lists them. */
function failedValues(world: World, execution: Execution): Item[] {
	if (world.operation !== 'addMany' || execution.end.error) return [];
	return world.notDone(execution);
}
