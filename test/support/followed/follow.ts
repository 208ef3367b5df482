import type { INode } from 'n8n-workflow';

import { TESTED_NODE } from '../workflowOf';
import { LISTS } from './told';
import { corrected, DeadEnd, passesOf, type Execution, type Item, type World } from './world';

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
	toRun: Set<Item> | undefined;
	/** The executions that came of it. */
	made: Execution[];
	/** What a step selected under "Executions". */
	selected?: Execution;
	/** What was changed of the node. */
	changes: Array<(node: INode) => void>;
	/** Nothing after this is read. */
	isOver: boolean;
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

const run = async (person: Person, items: Item[]) => {
	if (person.toRun) items.forEach((item) => person.toRun!.add(item));
	else if (items.length > 0) person.made.push(await person.world.run(items));
};
/** Without the item, if it has failed before and the words say so. */
const runBut = async (person: Person, items: Item[], leaveOut: string | undefined) => {
	const { world, words } = person;
	const name = leaveOut && words.item?.name;
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
		// What went wrong now has words of its own.
		person.isOver = execution.end.error !== undefined;
	};

/** What a person does at each sentence. */
const SENTENCES: Array<[RegExp, Act]> = [
	// What happened.
	[/Tried \d+ times\./, nothing],
	[/Nothing was sent\.|Nothing was carried out\.|It gave no reason\./, nothing],
	[/System code: \w+\./, nothing],
	[/The service says: ".*?"\./, nothing],
	[/Expected .*?, received .*?\.(?= )/, nothing],
	[/It said to wait [^.]*\./, nothing],
	[/This node waits at most \d+ seconds\./, nothing],
	[/The last .*? got an error or no answer\./, nothing],
	[/It has accepted no .*? for two minutes\./, nothing],
	[/Another request of this run was refused\./, nothing],
	[/Of \d+ (items?|values?), .*? not started\./, nothing],
	[/Failed at (Item \d+( \("[^"]*"\))?|"[^"]*")\./, nothing],
	[/A redirect could send the key to another address\./, nothing],
	[/A firewall, a gateway or a proxy in between can refuse a request as well\./, nothing],
	[/A firewall, a gateway or a proxy may have refused the request\./, nothing],
	[/(The request|It) may have been carried out( there)?\./, nothing],
	[/Check your account before you send it again\./, nothing],
	[/The service does not say: check your account\./, nothing],
	[/"Retry On Fail" and a retry of the execution send it again\./, nothing],
	[/n8n keeps an execution for 14 days by default\./, nothing],
	[/n8n does not save this execution, so it cannot be retried\./, nothing],
	[/A retry alone (stops|can stop) there again\.|To (send the rest|go on):/, nothing],
	[/(Running the workflow with all|Running it with all) .*? again\./, nothing],
	[/After a retry that succeeds, n8n offers no other one\./, nothing],
	[/This retry sent nothing\./, nothing],
	[/The log of the n8n server .*?\./, nothing],
	[
		/No listing can match both\.|There may be no blacklist of this name\.|This row gives no text\./,
		nothing,
	],
	[/Before that: /, nothing],
	[/Save the workflow\./, nothing],

	// What to mend.
	[/Check "API Key" in this credential\./, mend('key')],
	[/If nothing is in between, check "API Key" in this credential\./, mend('key')],
	[/Ask whoever runs it to allow requests from n8n to "Base URL"\./, mend('gateway')],
	[/Do not choose another credential: a retry then sends everything again\./, nothing],
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
		/Check the user name and the password in "Proxy" under "Request Options", or in HTTP_PROXY of n8n\./,
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
	[
		/A host name goes into the environment variable \w+\.|An IP address, e\.g\. [\d./]+, goes into \w+\./,
		nothing,
	],
	[/Wait until it is renewed, or choose a larger plan\./, mend('allowance')],
	[/To see how many requests remain, run "Get usage"\./, nothing],
	[/Try again (later|after that time)\./, mend('time')],
	[/Enter the private key of your account\./, mend('key')],
	[
		/An expression in the credential gives nothing for this item\. Check the field or the name that it looks up\./,
		mend('key', 'address'),
	],
	[/Other requests of the account come first\./, nothing],

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
	[/Enter true or false, or remove the option\./, removeOption],
	[
		/Enter it as http:\/\/host:port, or remove it\./,
		setOption('proxy', undefined, 'requestOptions'),
	],
	[
		/Set "On Error" of this node to "Continue"\./,
		({ world }) => void (world.node.onError = 'continueRegularOutput'),
	],
	[/Set "On Error" back\./, ({ world }) => void (world.node.onError = world.onError)],
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

	// What to run.
	[
		/Check your account\. Earlier try: .*?( (?=Failed at|Of \d+ |Do not retry|A retry alone|To |Then run|n8n does not save)|$)/,
		nothing,
	],
	[
		/If this item is not done then, run the workflow with only this item\./,
		async (person) => {
			const { world, words, made } = person;
			if (words.item && world.notDone(made.at(-1)!).includes(words.item)) await runItem(person);
		},
	],
	[/Run the workflow with only this item\./, runItem],
	[
		/Do not retry after you have entered a new "Base URL"\.( Then run the workflow with only the (items|values) that were not done\.| Run the workflow with only the (items|values) that were not done then\.)?/,
		async (person, [, then]) => {
			const isOnlyWay = !person.words.text.includes('To send the rest:');
			if (!then || (!person.world.hasNewBaseUrl && !isOnlyWay)) return;
			await runRest(person, [] as never);
			person.isOver = true;
		},
	],
	[
		/Then run the workflow with only the (items|values) that were not done\.( If the same item fails again, leave it out\.)?/,
		async (person, [, , leaveOut]) =>
			await runBut(person, person.world.notDone(person.words.execution), leaveOut),
	],
	[
		/Then run the whole workflow again, earlier nodes included\.( If the same item fails again, leave it out\.)?/,
		async (person, [, leaveOut]) => await runBut(person, person.words.execution.items, leaveOut),
	],
	[
		/See the result under "Executions"\. If something was not sent, retry that one\./,
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
			const isCalled = person.world.kind === 'called' && !person.words.execution.isRetry;
			if (isCalled && called === undefined) throw new DeadEnd('Of which workflow?');
			person.selected = person.world.executions.get(id!);
		},
	],
	[
		/Under "Executions", select the execution that crashed, not this retry of it\./,
		(person) => void (person.selected = person.world.executions.get('1')),
	],
	[/Select the arrow at the top right\./, nothing],
	[/Select "Retry with original workflow"\./, retry('original')],
	[/Select "Retry with currently saved workflow"\./, retry('currently saved')],
	[
		/Add a new Filter node directly before this node, on each way that leads to it\./,
		({ world }) => world.addFilter(),
	],
	[/If this node is in a loop, add it before the loop instead\./, nothing],
	[/Do the same for each other node of this kind\./, nothing],
	[
		/Let the Filter leave out what was done: the log names it\./,
		({ world }) => world.leaveOutLogged(),
	],
];

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
async function follow(world: World, words: Words, toRun?: Set<Item>): Promise<Execution[]> {
	const person: Person = { world, words, toRun, made: [], changes: [], isOver: false };
	const end = LISTS.exec(words.text)?.index ?? words.text.length;
	let rest = words.text.slice(0, end).trim();
	while (rest !== '' && !person.isOver) {
		rest = rest.replace(/^\d+\. /, '');
		let known = false;
		for (const [pattern, act] of SENTENCES) {
			const match = new RegExp(`^(?:${pattern.source})`).exec(rest);
			if (!match) continue;
			const own = pattern.exec(match[0])!;
			rest = rest.slice(match[0].length).trim();
			await act(person, own);
			known = true;
			break;
		}
		if (!known) throw new Error(`The follower does not know this sentence: ${rest}`);
	}
	return person.made;
}

const MOST_ROUNDS = 5;

/**
 * Follows the words of an execution, then those of what came of it.
 *
 * @returns how many rounds it took
 */
export async function followAll(world: World, first: Execution): Promise<number> {
	let open = [first];
	const handled = new Set<string>();
	for (let round = 0; ; round++) {
		const made: Execution[] = [];
		const isDone = (item?: Item) => item !== undefined && handled.has(item.name);
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
				// Nothing was done, and no word says how to go on: the workflow is run again.
				if (came.length === 0 && world.notDone(execution).length === execution.items.length)
					came.push(await world.run(execution.items));
				made.push(...came);
				// A step ran this item by itself, or found it done.
				if (one!.item && (came.length > 1 || one!.text.includes('only this item')))
					handled.add(one!.item.name);
				continue;
			}
			const toRun = new Set(values);
			for (const each of words) made.push(...(await follow(world, each, toRun)));
			if (toRun.size > 0) {
				if (world.operation === 'addMany') {
					await world.mendAll();
					world.correct([...toRun]);
				}
				made.push(await world.run([...toRun]));
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
