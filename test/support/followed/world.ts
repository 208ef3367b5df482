import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	ITaskData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { Fault, RecordedRequest, Sandbox } from '../../../sandbox';
import { advance } from '../clock';
import {
	additionalDataFor,
	retryWorkflow,
	runWorkflow,
	workflowOf,
	type Account,
	type EngineRun,
	type TestWorkflow,
} from '../engine';
import { ADD_MANY, CREATE } from '../parameters';
import { inLoop, TESTED_NODE } from '../workflowOf';
import { MAYBE, readTold, type Label } from './told';

/** How an execution runs, and what is before the node. */
interface Setting {
	mode?: WorkflowExecuteMode;
	node?: Partial<INode>;
	isLoop?: true;
	/** The execution whose words are followed is a retry. */
	isRetry?: true;
	/** n8n does not save the execution. */
	isNotSaved?: true;
	/** What another node of its kind before the node does. */
	first?: 'create' | 'addMany' | 'usage' | 'getMany';
	/** That node is in a branch of its own, which runs before the one of the node, or after it. */
	branch?: 'before' | 'after';
	/** Another workflow calls this one. */
	calls?: 'each' | 'all';
	/** That workflow goes on after a call that fails. */
	callerGoesOn?: true;
	/** An event starts the workflow, with all items or with one, and does not come by itself again. */
	event?: 'each' | 'all';
	/** A node before it lets each item through only once, whichever execution it comes in. */
	isOnce?: true;
}

const CONTINUE: Partial<INode> = { onError: 'continueErrorOutput' };
const EACH_EVENT = { mode: 'webhook', event: 'each' } as const;
const EVENT = { mode: 'webhook', event: 'all' } as const;
const ONCE = { mode: 'trigger', isOnce: true } as const;
const CALLED = { mode: 'integrated', calls: 'all' } as const;
const CALLED_FOR_EACH = { mode: 'integrated', calls: 'each' } as const;
const BRANCHES = { mode: 'trigger', first: 'create' } as const;

/** How the execution runs whose words are followed. */
const KINDS_OF = {
	'first run': {},
	'later pass': { isLoop: true },
	retry: { isRetry: true },
	called: CALLED,
	'not saved': { mode: 'trigger', isNotSaved: true },
	Continue: { node: CONTINUE },
	'Continue in a loop': { isLoop: true, node: { onError: 'continueRegularOutput' } },
	'after Create': { first: 'create' },
	'after Create, retry': { first: 'create', isRetry: true },
	'after Create, Continue': { first: 'create', node: CONTINUE },
	'after Create, not saved': { mode: 'trigger', first: 'create', isNotSaved: true },
	'after Create, event': { ...EVENT, first: 'create' },
	'after Create, called': { ...CALLED, first: 'create' },
	'after Add Many': { first: 'addMany' },
	'after Add Many, Continue': { first: 'addMany', node: CONTINUE },
	'after Usage': { first: 'usage' },
	'after Get Many': { first: 'getMany' },
	'beside Create': { ...BRANCHES, branch: 'before' },
	'beside Create, Continue': { ...BRANCHES, branch: 'before', node: CONTINUE },
	'before a branch with Create': { ...BRANCHES, branch: 'after' },
	'called for each': CALLED_FOR_EACH,
	'called for each, which goes on': { ...CALLED_FOR_EACH, callerGoesOn: true },
	'called for each, not saved': { ...CALLED_FOR_EACH, isNotSaved: true },
	'called, which goes on': { ...CALLED, callerGoesOn: true },
	event: EVENT,
	'event for each': EACH_EVENT,
	'event, Continue': { ...EVENT, node: CONTINUE },
	'event, not saved': { ...EVENT, isNotSaved: true },
	once: ONCE,
	'once, retry': { ...ONCE, isRetry: true },
} as const satisfies Record<string, Setting>;
export type Kind = keyof typeof KINDS_OF;
export const SETTINGS: Record<Kind, Setting> = KINDS_OF;
export const KINDS = Object.keys(SETTINGS) as Kind[];

/** The other node of this kind. */
export const FIRST = 'First';
const FIRST_PARAMETERS: Record<NonNullable<Setting['first']>, INode['parameters']> = {
	create: {
		...CREATE,
		keyword: '={{ "first " + $json.name }}',
		options: { concurrency: 1, includeInputFields: true },
	},
	addMany: { ...ADD_MANY, values: '={{ $json.name }}', options: { output: 'items' } },
	usage: { resource: 'usage', operation: 'get' },
	getMany: { resource: 'blacklist', operation: 'getAll', returnAll: false, limit: 1 },
};

export type Operation = 'create' | 'addMany' | 'add' | 'delete';

/** An input item. Its name is a keyword, a value, or a blacklist to delete. */
export interface Item extends IDataObject {
	name: string;
}

/** An execution as n8n lists it. */
export interface Execution {
	id: string;
	workflow: TestWorkflow;
	items: Item[];
	end: EngineRun;
	isRetry?: boolean;
	hasGoodRetry?: boolean;
}

/** What is wrong, and what mends it. */
interface Broken {
	by: readonly string[];
	mend: () => unknown;
}

/** The words, followed, lead nowhere. */
export class DeadEnd extends Error {}

/** A name that the service refuses until it is corrected. */
export const bad = (index: number) => `bad-${index}.example.com`;
export const corrected = (name: string) => name.replace(/^bad-/, 'site-');
const BATCH = 2;

/** The service, the credential, the saved workflow and the executions of a person. */
export class World {
	readonly executions = new Map<string, Execution>();
	saved: TestWorkflow;
	/** What the events run: the workflow as it was published. */
	published: TestWorkflow;
	readonly setting: Setting;
	/** How the node is set. */
	readonly onError: INode['onError'];
	broken: Broken | undefined;
	/** Rejects in place of the network, before anything is sent. */
	network: ((body: string) => Promise<void>) | undefined;
	/** The lines of n8n's log. */
	log: () => string[] = () => [];
	/** Whether values are corrected in the fields of the node, or else in the input. */
	correctsNode = false;
	/** The items that the workflow that calls this one has called it with, by their names. */
	readonly called = new Set<string>();
	/** All items of the workflow that calls this one. */
	all: Item[] = [];
	/** What a node before this one has let through, as JSON. */
	private readonly letThrough = new Set<string>();
	/** The words have said that the other node before it sends its requests again. */
	isToldOfFirst = false;
	/** The words have said that what was done costs one more request. */
	costsMore = false;
	/** Items that were to be left out if they failed again, by their names. */
	readonly warned = new Set<string>();
	private readonly baseUrl: string;
	private started = 0;

	constructor(
		readonly sandbox: Sandbox,
		readonly account: Account,
		readonly kind: Kind,
		readonly operation: Operation,
		parameters: IDataObject,
	) {
		this.baseUrl = account.baseUrl;
		const setting = SETTINGS[kind];
		this.setting = setting;
		this.onError = setting.node?.onError;
		const workflow = workflowOf(parameters as INode['parameters'], [], setting.node);
		this.saved = setting.isLoop ? inLoop(workflow, BATCH) : workflow;
		if (setting.isNotSaved) this.saved.settings = { saveDataErrorExecution: 'none' };
		if (setting.first) addFirst(this.saved, setting.first, setting.branch);
		this.published = structuredClone(this.saved);
	}

	nodeNamed(name: string): INode {
		return this.saved.nodes.find((node) => node.name === name)!;
	}

	get node(): INode {
		return this.nodeNamed(TESTED_NODE);
	}

	get hasNewBaseUrl(): boolean {
		return this.account.baseUrl !== this.baseUrl;
	}

	get names(): string[] {
		const ofNode = this.sent().filter((request) => !this.isOfFirst(request));
		return ofNode.map((request) => this.nameOf(request));
	}

	/** What the other node of this kind has sent, by the names of the items. */
	get namesOfFirst(): string[] {
		const ofFirst = this.sent().filter((request) => this.isOfFirst(request));
		return ofFirst.map((request) => corrected(this.nameOf(request).replace('first ', '')));
	}

	private isOfFirst({ path, body }: Pick<RecordedRequest, 'path' | 'body'>): boolean {
		const { first } = this.setting;
		if (first === 'addMany') return path.includes('/blacklist/');
		return String((body as IDataObject | undefined)?.keyword).startsWith('first ');
	}

	/** Requests for items that were carried out. */
	sent(): RecordedRequest[] {
		return this.sandbox.requests.filter(({ carriedOut, method }) => carriedOut && method !== 'GET');
	}

	private nameOf({ method, path, body }: RecordedRequest): string {
		if (method === 'DELETE') return path.split('/').at(-1)!;
		const { keyword, value } = body as IDataObject;
		return String(keyword ?? value);
	}

	/** What a person sees in the account. */
	isInAccount(name: string): boolean {
		return this.names.includes(corrected(name));
	}

	/** Where the node sends to, with a name in the body. */
	get path(): string {
		return this.operation === 'create' ? '/api/v1/jobs' : '/api/v1/blacklist/';
	}

	/** A fault of the requests for these items. */
	fault(names: string[], fault: Fault, times?: number): void {
		for (const name of names) {
			const which =
				this.operation === 'delete'
					? { path: `/api/v1/blacklist/${name}` }
					: { path: this.path, match: `"${name}"` };
			this.sandbox.faults.add({ ...which, fault, ...(times !== undefined && { times }) });
		}
	}

	/** Mends what is wrong, if it is of this kind. */
	async mend(by: string): Promise<void> {
		if (by === 'time') await advance(700_000);
		if (!this.broken?.by.includes(by)) return;
		await this.broken.mend();
		this.broken = undefined;
	}

	async mendAll(): Promise<void> {
		for (const by of [...(this.broken?.by ?? []), 'time']) await this.mend(by);
	}

	/** What n8n's log names as done. */
	get logged(): string[] {
		return this.log().flatMap((line) =>
			[...line.matchAll(/ for "([^"]*)"/g)].map(([, name]) => name!),
		);
	}

	/** Corrects the values of items. */
	correct(items: Item[]): void {
		if (this.correctsNode) this.node.parameters = correctedFields(this.node.parameters);
		else for (const item of items) Object.assign(item, correctedItem(item));
	}

	publish(): void {
		this.published = structuredClone(this.saved);
	}

	nextId(): string {
		return String(++this.started);
	}

	/** What starts the workflow, starts it with these items. @returns the executions whose words are read */
	async start(items: Item[]): Promise<Execution[]> {
		const { calls, event, callerGoesOn } = this.setting;
		const isForEach = (calls ?? event) === 'each';
		const made: Execution[] = [];
		for (const part of isForEach ? items.map((item) => [item]) : [items]) {
			if (calls) part.forEach(({ name }) => this.called.add(corrected(name)));
			const execution = await this.run(part);
			made.push(execution);
			if (calls && execution.end.error && !callerGoesOn) break;
		}
		return made;
	}

	/** Runs the workflow that calls this one, with only what it has not called this one for. */
	async callForRest(): Promise<Execution[]> {
		if (this.setting.callerGoesOn) return [];
		const rest = this.all.filter(({ name }) => !this.called.has(corrected(name)));
		return rest.length > 0 ? await this.start(rest) : [];
	}

	/** Runs the workflow with these items. */
	async run(given: Item[]): Promise<Execution> {
		const { isOnce, mode = 'manual' } = this.setting;
		const items = given.filter((item) => !isOnce || !this.letThrough.has(JSON.stringify(item)));
		for (const item of items) this.letThrough.add(JSON.stringify(item));
		const pinData = { Start: items.map((json) => ({ json: { ...json } })) };
		const from = this.setting.event ? this.published : this.saved;
		const workflow = structuredClone({ ...from, pinData });
		const id = this.nextId();
		const end = await runWorkflow(workflow, this.account, {
			mode,
			...this.additional(workflow, id),
		});
		return this.keep({ id, workflow, items, end });
	}

	/** n8n's Retry button. */
	async retry(execution: Execution, choice: 'original' | 'currently saved'): Promise<Execution> {
		if (!execution.end.error) throw new DeadEnd('n8n offers no retry of what succeeded');
		if (execution.hasGoodRetry) throw new DeadEnd('n8n offers no retry after a good one');
		if (this.setting.isNotSaved) throw new DeadEnd('n8n has not saved the execution');
		const workflow = structuredClone(choice === 'original' ? execution.workflow : this.saved);
		const id = this.nextId();
		const retried = retryWorkflow(
			workflow,
			execution.end,
			this.account,
			undefined,
			this.additional(workflow, id),
		);
		const end = await retried;
		execution.hasGoodRetry = !end.error;
		return this.keep({ ...execution, id, workflow, end, isRetry: true, hasGoodRetry: false });
	}

	/** n8n is killed in the middle of an execution, and rebuilds it. */
	lose(items: Item[]): Execution {
		const entry = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
		const rebuilt = {
			...entry,
			data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
		};
		const begun = {
			...entry,
			error: { name: 'NodeCrashedError', message: 'Execution stopped at this node' },
		};
		const loop = this.saved.nodes.some(({ name }) => name === 'Loop') && { Loop: [rebuilt] };
		const start = { data: { main: [items.map((json) => ({ json }))] }, source: null };
		const data = {
			version: 1,
			resultData: {
				runData: { Start: [rebuilt], ...loop, [TESTED_NODE]: [begun] },
				lastNodeExecuted: TESTED_NODE,
			},
			executionData: {
				...{ contextData: {}, metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
				nodeExecutionStack: [{ node: this.saved.nodes[0]!, ...start }],
			},
		};
		const end = { run: { data }, error: begun.error } as unknown as EngineRun;
		return this.keep({ id: '1', workflow: structuredClone(this.saved), items, end });
	}

	keep(execution: Execution): Execution {
		this.executions.set(execution.id, execution);
		return execution;
	}

	private additional(workflow: TestWorkflow, executionId: string) {
		const { credentialsHelper } = additionalDataFor(workflow, this.account);
		const authenticate = credentialsHelper.authenticate.bind(credentialsHelper);
		credentialsHelper.authenticate = async (...request) => {
			const { url, body } = request[2] as IHttpRequestOptions;
			if (!this.isOfFirst({ path: url, body })) await this.network?.(JSON.stringify(request[2]));
			return await authenticate(...request);
		};
		return { credentialsHelper, executionId };
	}

	/**
	 * The items that an execution did not do, as its words and its outputs say, and where these say that it may have been
	 * done, as the account says.
	 */
	notDone({ items, end }: Execution): Item[] {
		const done = new Set<string>();
		for (const pass of passesOf(end)) {
			const isDone = this.doneIn(pass, end);
			pass.input.forEach((item, index) => isDone(item, index) && done.add(corrected(item.name)));
		}
		return items.filter(({ name }) => !done.has(corrected(name)));
	}

	private doneIn({ input, outputs, error }: Pass, end: EngineRun) {
		if (this.operation === 'delete') return ({ name }: Item) => this.isInAccount(name);
		if (error) {
			const told = readTold(end.error!.description ?? '');
			const find = ({ index, name }: Label) => corrected(name ?? input[index!]!.name);
			const failed = told.failed.map(find);
			const maybe = told.maybe.map(find);
			const others = input
				.map(({ name }) => corrected(name))
				.filter((name) => !failed.includes(name));
			const done = told.names?.map(corrected) ?? others.slice(0, told.done);
			return ({ name }: Item) =>
				done.includes(corrected(name)) ||
				(maybe.includes(corrected(name)) && this.isInAccount(name));
		}
		if (this.operation === 'addMany') {
			const values = outputs.map(({ json }) => json);
			return ({ name }: Item) => {
				const { status, reason } =
					values.find(({ value }) => corrected(String(value)) === corrected(name)) ?? {};
				return (
					status === 'added' || (String(reason).includes('may have been') && this.isInAccount(name))
				);
			};
		}
		const own = (index: number) =>
			outputs.filter(({ pairedItem }) => (pairedItem as { item: number }).item === index);
		return ({ name }: Item, index: number) =>
			own(index).some(
				({ json }) =>
					!json.error || (String(json.message).includes(MAYBE) && this.isInAccount(name)),
			);
	}
}

interface Pass {
	input: Item[];
	outputs: INodeExecutionData[];
	error: ITaskData['error'];
}

/** Each run of the node in an execution. */
export function passesOf({ run }: EngineRun): Pass[] {
	const { runData } = run.data.resultData;
	// n8n gives no source to what it rebuilt of a lost execution.
	const runs = (runData[TESTED_NODE] ?? []).filter(({ source }) => source?.[0]);
	return runs.map(({ source: [source], data, error }) => {
		const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source!;
		const before = runData[previousNode]?.[previousNodeRun];
		const items = before?.data?.main?.[previousNodeOutput] ?? [];
		const outputs = (data?.main ?? []).flatMap((each) => each ?? []);
		const started = runData.Start?.at(-1)?.data?.main?.[0] ?? [];
		const input = items.map(({ json }, index) => {
			const isOfRow = previousNode !== FIRST || json.job_id !== undefined;
			const { name } = isOfRow ? json : (started[index]?.json ?? json);
			return { ...json, name } as Item;
		});
		return { input, outputs, error };
	});
}

/** Puts another node of this kind before the node, or beside it. */
function addFirst(
	workflow: TestWorkflow,
	first: NonNullable<Setting['first']>,
	branch: Setting['branch'],
): void {
	const { nodes, connections } = workflow;
	const tested = nodes.find(({ name }) => name === TESTED_NODE)!;
	const position: INode['position'] = [110, branch === 'after' ? 200 : -200];
	const parameters = structuredClone(FIRST_PARAMETERS[first]);
	const other: INode = { ...tested, id: 'first', name: FIRST, position, parameters };
	delete other.onError;
	workflow.nodes = [...nodes, other];
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	connections.Start = { main: [branch ? [to(TESTED_NODE), to(FIRST)] : [to(FIRST)]] };
	if (!branch) connections[FIRST] = { main: [[to(TESTED_NODE)]] };
}

function correctedItem(item: Item): Item {
	return { ...item, low: undefined, list: undefined, name: corrected(item.name) };
}

/** The fields of the node with the values corrected in their expressions. */
function correctedFields(parameters: INode['parameters']): INode['parameters'] {
	const text = JSON.stringify(parameters)
		.replaceAll('$json.name', '$json.name.replace(/^bad-/,`site-`)')
		.replaceAll('$json.low', '$json.none')
		.replaceAll('$json.list', '$json.none');
	return JSON.parse(text) as INode['parameters'];
}
