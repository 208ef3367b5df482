import type { IDataObject, INode, INodeExecutionData, ITaskData } from 'n8n-workflow';

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
import { inLoop, TESTED_NODE } from '../workflowOf';
import { MAYBE, readTold, type Label } from './told';

export const KINDS = [
	'first run',
	'later pass',
	'retry',
	'called',
	'not saved',
	'Continue',
	'Continue in a loop',
] as const;
/** How the execution runs whose words are followed. */
export type Kind = (typeof KINDS)[number];

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
const SETTINGS: Record<Kind, Partial<INode>> = {
	'first run': {},
	'later pass': {},
	retry: {},
	called: {},
	'not saved': {},
	Continue: { onError: 'continueErrorOutput' },
	'Continue in a loop': { onError: 'continueRegularOutput' },
};
const MODES = { called: 'integrated', 'not saved': 'trigger' } as const;
const BATCH = 2;

/** The service, the credential, the saved workflow and the executions of a person. */
export class World {
	readonly executions = new Map<string, Execution>();
	saved: TestWorkflow;
	/** How the node is set. */
	readonly onError: INode['onError'];
	broken: Broken | undefined;
	/** Rejects in place of the network, before anything is sent. */
	network: ((body: string) => Promise<void>) | undefined;
	/** The lines of n8n's log. */
	log: () => string[] = () => [];
	/** Whether values are corrected in the fields of the node, or else in the input. */
	correctsNode = false;
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
		this.onError = SETTINGS[kind].onError;
		const workflow = workflowOf(parameters as INode['parameters'], [], SETTINGS[kind]);
		this.saved =
			kind === 'later pass' || kind === 'Continue in a loop' ? inLoop(workflow, BATCH) : workflow;
		if (kind === 'not saved') this.saved.settings = { saveDataErrorExecution: 'none' };
	}

	get node(): INode {
		return this.saved.nodes.find(({ name }) => name === TESTED_NODE)!;
	}

	get hasNewBaseUrl(): boolean {
		return this.account.baseUrl !== this.baseUrl;
	}

	get names(): string[] {
		return this.sent().map((request) => this.nameOf(request));
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

	/** A fault of the requests for these items. */
	fault(names: string[], fault: Fault, times?: number): void {
		for (const name of names) {
			const which =
				this.operation === 'delete' ? { path: `/api/v1/blacklist/${name}` } : { match: name };
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

	/** Puts a Filter before the node, or before its loop. */
	addFilter(): void {
		const { nodes, connections } = this.saved;
		if (connections.Filter) throw new DeadEnd('A circle: the Filter is there already');
		const filter = { ...nodes[0]!, id: 'filter', name: 'Filter', type: 'n8n-nodes-base.filter' };
		this.saved.nodes = [...nodes, { ...filter, parameters: { leaveOut: '[]' } }];
		connections.Filter = connections.Start!;
		connections.Start = { main: [[{ node: 'Filter', type: 'main', index: 0 }]] };
	}

	leaveOutLogged(): void {
		const names = this.log().flatMap((line) =>
			[...line.matchAll(/ for "([^"]*)"/g)].map(([, name]) => name),
		);
		const filter = this.saved.nodes.find(({ name }) => name === 'Filter')!;
		filter.parameters = { leaveOut: JSON.stringify(names) };
	}

	/** Corrects the values of items. */
	correct(items: Item[]): void {
		if (this.correctsNode) this.node.parameters = correctedFields(this.node.parameters);
		else for (const item of items) Object.assign(item, correctedItem(item));
	}

	nextId(): string {
		return String(++this.started);
	}

	/** Runs the workflow with these items. */
	async run(items: Item[]): Promise<Execution> {
		const pinData = { Start: items.map((json) => ({ json: { ...json } })) };
		const workflow = structuredClone({ ...this.saved, pinData });
		const id = this.nextId();
		const mode = MODES[this.kind as keyof typeof MODES] ?? 'manual';
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
		if (this.kind === 'not saved') throw new DeadEnd('n8n has not saved the execution');
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
			await this.network?.(JSON.stringify(request[2]));
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
		const input = before?.data?.main?.[previousNodeOutput] ?? [];
		const outputs = (data?.main ?? []).flatMap((items) => items ?? []);
		return { input: input.map(({ json }) => json as Item), outputs, error };
	});
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
