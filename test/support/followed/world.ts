import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { blacklistOf, type Fault, type RecordedRequest, type Sandbox } from '../../../sandbox';
import {
	additionalDataFor,
	retryWorkflow,
	runWorkflow,
	workflowOf,
	type Account,
	type EngineRun,
	type TestWorkflow,
} from '../engine';
import { ADD, ADD_MANY, CREATE, DELETE, listNamed } from '../parameters';
import { CONTINUE } from '../settings';
import { inLoop, TESTED_NODE } from '../workflowOf';

/** How an execution runs, and what is before the node. */
interface Setting {
	mode?: WorkflowExecuteMode;
	node?: Partial<INode>;
	/** So many items in each pass of a loop, and so many passes before it goes wrong. */
	loop?: { batch: number; passes: number };
	/** The execution whose words are followed is a retry. */
	isRetry?: true;
	/** n8n does not save the execution. */
	isNotSaved?: true;
	/** What another node of this kind before the node does. */
	first?: 'create' | 'addMany';
	/** An event, or a call, for each item. */
	isForEach?: true;
	/** The workflow that calls this one goes on after a call that fails. */
	callerGoesOn?: true;
	/** A node before it lets each item through only once, whichever execution it comes in. */
	isOnce?: true;
}

const CALLED_FOR_EACH = { mode: 'integrated', isForEach: true } as const;
const CREATE_FIRST = { first: 'create' } as const;

const KINDS_OF = {
	'first run': {},
	'later pass': { loop: { batch: 2, passes: 1 } },
	retry: { isRetry: true },
	called: { mode: 'integrated' },
	'not saved': { mode: 'trigger', isNotSaved: true },
	Continue: { node: CONTINUE },
	'Continue in a loop': {
		loop: { batch: 2, passes: 1 },
		node: { onError: 'continueRegularOutput' },
	},
	'first pass': { loop: { batch: 2, passes: 0 } },
	'first pass of one item': { loop: { batch: 1, passes: 0 } },
	'later pass of one item': { loop: { batch: 1, passes: 2 } },
	'after Create': CREATE_FIRST,
	'after Create, retry': { ...CREATE_FIRST, isRetry: true },
	'after Create, Continue': { ...CREATE_FIRST, node: CONTINUE },
	'after Create, not saved': { ...CREATE_FIRST, mode: 'trigger', isNotSaved: true },
	'after Create, event': { ...CREATE_FIRST, mode: 'webhook' },
	'after Create, called': { ...CREATE_FIRST, mode: 'integrated' },
	'after Add Many': { first: 'addMany' },
	'after Add Many, Continue': { first: 'addMany', node: CONTINUE },
	'called for each': CALLED_FOR_EACH,
	'called for each, which goes on': { ...CALLED_FOR_EACH, callerGoesOn: true },
	'called for each, not saved': { ...CALLED_FOR_EACH, isNotSaved: true },
	event: { mode: 'webhook' },
	'event for each': { mode: 'webhook', isForEach: true },
	'event, Continue': { mode: 'webhook', node: CONTINUE },
	'event, not saved': { mode: 'webhook', isNotSaved: true },
	once: { mode: 'trigger', isOnce: true },
	'once, retry': { mode: 'trigger', isOnce: true, isRetry: true },
} as const satisfies Record<string, Setting>;
export type Kind = keyof typeof KINDS_OF;
export const SETTINGS: Record<Kind, Setting> = KINDS_OF;
export const KINDS = Object.keys(SETTINGS) as Kind[];

export type Operation = 'create' | 'addMany' | 'add' | 'delete';

const options = { concurrency: 1 };
const NAME = '={{ $json.name ?? $json.value }}';
const FORMS: Record<Operation, INode['parameters']> = {
	create: { ...CREATE, keyword: NAME, options },
	addMany: { ...ADD_MANY, values: NAME, options: { ...options, output: 'items' } },
	add: { ...ADD, value: NAME, options },
	delete: {
		...DELETE,
		blacklist: listNamed(NAME),
		requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 10 } } },
	},
};

/** The other node of this kind. */
export const FIRST = 'First';
const FORMS_OF_FIRST = {
	create: {
		...CREATE,
		keyword: '={{ "first " + $json.name }}',
		options: { ...options, includeInputFields: true },
	},
	addMany: { ...ADD_MANY, values: '={{ $json.name }}', options: { output: 'items' } },
};

/** An input item. Its name is a keyword, a value, or a blacklist to delete. */
export interface Item extends IDataObject {
	name: string;
}

/** A name that the service refuses until it is corrected. */
export const bad = (index: number) => `bad-${index}.example.com`;
export const corrected = (name: unknown) => String(name).replace(/^(first )?bad-/, '$1site-');

/** An execution as n8n lists it. */
export interface Execution {
	id: string;
	workflow: TestWorkflow;
	items: Item[];
	end: EngineRun;
	hasGoodRetry?: boolean;
}

/** The words, followed, lead nowhere. */
export class DeadEnd extends Error {}

const REBUILT = { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] };

/** The service, the credential, the saved workflow and the executions of a person. */
export class World {
	readonly executions = new Map<string, Execution>();
	readonly workflow: TestWorkflow;
	readonly setting: Setting;
	/** What is wrong with the content, if anything is. */
	wrong: 'item' | 'field' | undefined;
	/** What else is wrong, and the words that say what to mend. */
	broken: { by: RegExp; mend: () => unknown } | undefined;
	/** An item that nobody can correct, so that it is left out. */
	hopeless: string | undefined;
	/** Rejects in place of the network, before anything is sent. */
	network: ((request: string) => Promise<void>) | undefined;
	/** What the workflow that calls this one has not called it for. */
	uncalled: Item[] = [];
	/** The words have said that what was done costs one more request. */
	costsMore = false;
	private readonly letThrough = new Set<string>();
	private started = 0;

	constructor(
		readonly sandbox: Sandbox,
		readonly account: Account,
		readonly operation: Operation,
		kind: Kind,
		/** The lines of n8n's log. */
		readonly log: () => string[],
	) {
		this.setting = SETTINGS[kind];
		const { mode, loop, isNotSaved, first, node } = this.setting;
		const workflow = workflowOf(structuredClone(FORMS[operation]), [], node);
		this.workflow = loop ? inLoop(workflow, loop.batch) : workflow;
		if (mode === 'integrated') workflow.nodes[0]!.type = 'n8n-nodes-base.executeWorkflowTrigger';
		if (isNotSaved) this.workflow.settings = { saveDataErrorExecution: 'none' };
		if (!first) return;
		const parameters = structuredClone(FORMS_OF_FIRST[first]);
		const own = { id: 'first', name: FIRST, parameters, onError: 'stopWorkflow' } as const;
		this.workflow.nodes.push({ ...this.node, ...own });
		const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		this.workflow.connections = { Start: to(FIRST), [FIRST]: to(TESTED_NODE) };
	}

	get node(): INode {
		return this.workflow.nodes.find(({ name }) => name === TESTED_NODE)!;
	}

	/** Nobody can look up a value in the account. */
	get isOfValues(): boolean {
		return this.operation === 'add' || this.operation === 'addMany';
	}

	setOptions(set: IDataObject, folder = 'options'): void {
		const { parameters } = this.node;
		parameters[folder] = { ...(parameters[folder] as object), ...set } as typeof parameters;
	}

	/** Where the node sends to, with a name in the body. */
	get path(): string {
		return this.operation === 'create' ? '/api/v1/jobs' : '/api/v1/blacklist/';
	}

	/** What the nodes of this kind have sent and the service has carried out, by the name of the item. */
	carriedOut(isOfFirst = false): Array<{ name: string; request: RecordedRequest }> {
		return this.sandbox.requests
			.filter(({ carriedOut }) => carriedOut)
			.filter(({ path, body }) => this.isOfFirst(path, body) === isOfFirst)
			.map((request) => {
				const { keyword, value } = (request.body ?? {}) as IDataObject;
				const name = keyword ?? value ?? request.path.split('/').at(-1);
				return { name: corrected(name).replace('first ', ''), request };
			});
	}

	private isOfFirst(path: string, body: unknown): boolean {
		const { first } = this.setting;
		if (first === 'addMany') return path.includes('/blacklist/');
		return String((body as IDataObject | undefined)?.keyword).startsWith('first ');
	}

	/** Whether a person who looks in the account finds that this is done. */
	isInAccount({ name }: Item): boolean {
		const { jobs, blacklists } = this.sandbox.state;
		if (this.operation === 'delete') return !blacklists.has(corrected(name));
		return jobs.some(({ keyword }) => corrected(keyword) === corrected(name));
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

	/** Mends what these words name, or all that is wrong. */
	async mend(words?: string): Promise<void> {
		if (!this.broken || (words !== undefined && !this.broken.by.test(words))) return;
		await this.broken.mend();
		this.broken = undefined;
	}

	/** Corrects the field, or the items. @returns the items to run */
	correct(items: Item[]): Item[] {
		const { node } = this;
		if (this.wrong === 'field') {
			const text = JSON.stringify(node.parameters)
				.replaceAll(NAME.slice(3, -3), '($json.name ?? $json.value).replace(/^bad-/, `site-`)')
				.replaceAll(/\$json\.(low|list)/g, '$json.none');
			node.parameters = JSON.parse(text) as INode['parameters'];
		} else {
			for (const item of items) {
				Object.assign(item, { low: undefined, list: undefined, name: corrected(item.name) });
			}
		}
		return items.filter(({ name }) => name !== this.hopeless);
	}

	/** Runs the workflow, as an event or a call does: for each item, or for all at once. */
	async start(items: Item[]): Promise<Execution[]> {
		const { mode, isForEach, callerGoesOn } = this.setting;
		if (!isForEach) return [await this.run(items)];
		const made: Execution[] = [];
		for (const [index, item] of items.entries()) {
			const execution = await this.run([item]);
			made.push(execution);
			this.uncalled = items.slice(index + 1);
			if (mode === 'integrated' && execution.end.error && !callerGoesOn) break;
		}
		return made;
	}

	/** Deactivates nodes, until everything is done. */
	deactivate(...names: string[]): void {
		for (const node of this.workflow.nodes) node.disabled ||= names.includes(node.name);
	}

	/** Runs the workflow with these items. */
	async run(given: Item[]): Promise<Execution> {
		const { isOnce, mode = 'manual' } = this.setting;
		const items = given.filter((item) => !isOnce || !this.letThrough.has(JSON.stringify(item)));
		for (const item of items) this.letThrough.add(JSON.stringify(item));
		const pinData = { Start: items.map((json) => ({ json: { ...json } })) };
		const workflow = structuredClone({ ...this.workflow, pinData });
		const id = String(++this.started);
		const additional = this.additional(workflow, id);
		const end = await runWorkflow(workflow, this.account, { mode, ...additional });
		return this.keep({ id, workflow, items, end });
	}

	/** n8n's "Retry with currently saved workflow". */
	async retry(execution: Execution): Promise<Execution> {
		const { end, hasGoodRetry } = execution;
		if (!end.error || hasGoodRetry || this.setting.isNotSaved) {
			throw new DeadEnd('n8n offers no retry of this execution');
		}
		const id = String(++this.started);
		const workflow = structuredClone(this.workflow);
		const additional = this.additional(workflow, id);
		const again = await retryWorkflow(workflow, end, this.account, undefined, additional);
		execution.hasGoodRetry = !again.error;
		return this.keep({ id, workflow, items: execution.items, end: again });
	}

	/** n8n is killed in the middle of an execution, and rebuilds it. */
	lose(items: Item[]): Execution {
		const entry = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
		const finished = [{ ...entry, data: REBUILT }];
		const error = { name: 'NodeCrashedError', message: 'Execution stopped at this node' };
		const runData = { Start: finished, ...(this.setting.loop && { Loop: finished }) };
		const start = { data: { main: [items.map((json) => ({ json }))] }, source: null };
		const data = {
			version: 1,
			resultData: {
				runData: { ...runData, [TESTED_NODE]: [{ ...entry, error }] },
				lastNodeExecuted: TESTED_NODE,
			},
			executionData: {
				...{ contextData: {}, metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
				nodeExecutionStack: [{ node: this.workflow.nodes[0]!, ...start }],
			},
		};
		const end = { run: { data }, error } as unknown as EngineRun;
		return this.keep({ id: String(++this.started), workflow: this.workflow, items, end });
	}

	/** Fills the account with the blacklists that the items name. */
	fill(items: Item[]): void {
		for (const { name } of items) {
			this.sandbox.state.blacklists.set(corrected(name), blacklistOf());
		}
	}

	private keep(execution: Execution): Execution {
		this.executions.set(execution.id, execution);
		return execution;
	}

	private additional(workflow: TestWorkflow, executionId: string) {
		const { credentialsHelper } = additionalDataFor(workflow, this.account);
		const authenticate = credentialsHelper.authenticate.bind(credentialsHelper);
		credentialsHelper.authenticate = async (...request) => {
			const { url, body } = request[2] as IHttpRequestOptions;
			if (!this.isOfFirst(url, body)) await this.network?.(JSON.stringify(request[2]));
			return await authenticate(...request);
		};
		return { credentialsHelper, executionId };
	}
}

/** Each run of the node in an execution: the names of its input, and its output items. */
export function passesOf({ end: { run } }: Execution) {
	const { runData } = run.data.resultData;
	// n8n gives no source to what it rebuilt of a lost execution.
	const runs = (runData[TESTED_NODE] ?? []).filter(({ source }) => source?.[0]);
	return runs.map(({ source: [source], data }) => {
		const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source!;
		const before = runData[previousNode]?.[previousNodeRun]?.data?.main?.[previousNodeOutput];
		const input = (before ?? []).map(({ json }) => corrected(json.name ?? json.value));
		const output = (data?.main ?? []).flatMap((items): INodeExecutionData[] => items ?? []);
		return { input, output };
	});
}
