import 'reflect-metadata';

import { randomUUID } from 'node:crypto';

import { parse, stringify } from 'flatted';
import {
	DirectoryLoader,
	ExecuteContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PollContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import * as n8nWorkflow from 'n8n-workflow';
import { deepCopy, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	IDataObject,
	IExecuteData,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
	Logger,
	NodeApiError,
} from 'n8n-workflow';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';
import { until } from './clock';
import { to, NODE_TYPE, TESTED_NODE, triggerOf, workflowOf, type TestWorkflow } from './workflowOf';

export { workflowOf, type TestWorkflow };

/** The fields of an account's credential. */
export interface Account extends ICredentialDataDecryptedObject {
	baseUrl: string;
	apiKey: string;
	keyFormat: string;
}

/**
 * Passes its input on: used for the trigger (whose output is pinned) and for nodes after the tested
 * one.
 */
const passThrough: INodeType = {
	description: {
		displayName: 'Pass Through',
		name: 'passThrough',
		group: ['input'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

const {
	methods: { listSearch },
} = new BusinessListingSearch();
const node: INodeType = new BusinessListingSearch();
const name = 'applyDeclarativeNodeOptionParameters';
// In n8n 1.85, n8n-workflow has it.
const home = name in DirectoryLoader ? DirectoryLoader : n8nWorkflow;
(home as typeof DirectoryLoader)[name](node);
// As n8n does when it loads a declarative node; without it, cancellation does not reach the node.
node.execute = async function () {
	return (await new RoutingNode(this as ExecuteContext, node).runNode()) ?? [];
};

/** n8n's Loop Over Items: so many items in each pass, and at the end what came back. */
const loop: INodeType = {
	...passThrough,
	description: {
		...passThrough.description,
		outputs: ['main', 'main'],
		properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	},
	async execute() {
		const kept = this.getContext('node') as { left?: INodeExecutionData[]; back?: unknown[] };
		const items = this.getInputData();
		const back = kept.left === undefined ? [] : [...(kept.back ?? []), ...items];
		const left = kept.left ?? [...items];
		const batch = left.splice(0, this.getNodeParameter('batchSize', 0) as number);
		Object.assign(kept, { left, back });
		return batch.length > 0 ? [[], batch] : [back as INodeExecutionData[], []];
	},
};

/** n8n's Filter, which leaves out the items with these names. */
const filter: INodeType = {
	...passThrough,
	description: {
		...passThrough.description,
		properties: [{ displayName: 'Leave Out', name: 'leaveOut', type: 'json', default: '[]' }],
	},
	async execute() {
		const names = JSON.parse(this.getNodeParameter('leaveOut', 0) as string) as unknown[];
		return [this.getInputData().filter(({ json }) => !names.includes(json.name))];
	},
};

const GATE_TYPE = 'test.firstTwoPasses';

/** Passes its input on in its first two runs. */
const firstTwoPasses: INodeType = {
	...passThrough,
	async execute() {
		const { $runIndex } = this.getWorkflowDataProxy(0);
		return [$runIndex < 2 ? this.getInputData() : []];
	},
};

/**
 * Calls of a tool at once, as the agents before version 3 make them: in n8n they share their execution data, and each has its own run index. Three, unless the
 * first item has their number as `calls`.
 */
const toolCalls: INodeType = {
	...node,
	customOperations: undefined,
	async execute() {
		const count = Number(this.getInputData()[0]?.json.calls ?? 3);
		const call = async (runIndex: number) => {
			const context = Object.create(this, { runIndex: { value: runIndex } }) as ExecuteContext;
			return await new RoutingNode(context, node).runNode();
		};
		const calls = await Promise.all([...Array(count).keys()].map(call));
		return [calls.flatMap((outputs) => outputs?.[0] ?? [])];
	},
};

/** The node as n8n's engine for declarative nodes runs it, all items in one step: Engine 2.0 does so. */
const declared: INodeType = { ...node, customOperations: undefined };
const DECLARED_TYPE = 'test.declared';

const types: Record<string, INodeType> = {
	[NODE_TYPE]: node,
	[DECLARED_TYPE]: declared,
	[`${NODE_TYPE}Tool`]: toolCalls,
	'test.agent3.Tool': node,
	[`${NODE_TYPE}Trigger`]: new BusinessListingSearchTrigger(),
	[GATE_TYPE]: firstTwoPasses,
	'n8n-nodes-base.splitInBatches': loop,
	'n8n-nodes-base.filter': filter,
};

const typeOf = (name: string): INodeType => types[name] ?? passThrough;

const nodeTypes: INodeTypes = {
	getByName: typeOf,
	getByNameAndVersion: typeOf,
	getKnownTypes: () => ({}),
};

/**
 * Provides one account, authenticated by the real credential. As in n8n, its expressions are
 * evaluated for the requesting item.
 */
class OneCredential {
	private readonly type = new BusinessListingSearchApi();

	constructor(private readonly account: Account) {}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	) {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function') throw new Error('authenticate is a function');
		return await authenticate(credentials, options);
	}

	async preAuthentication() {}

	async runPreAuthentication() {}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		_type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	) {
		// As in n8n, which reads its database first, expressions are evaluated later.
		await Promise.resolve();
		if (!item) return { ...this.account };
		return item.workflow.expression.getParameterValue(
			this.account as INodeParameters,
			item.runExecutionData,
			item.runIndex,
			item.itemIndex,
			item.node.name,
			item.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	getCredentialsProperties() {
		return this.type.properties;
	}
}

export interface EngineRun {
	workflow: TestWorkflow;
	run: IRun;
	/** The items of each output of the node in its last run. */
	outputs: INodeExecutionData[][];
	/** The JSON of the items of the first output. */
	json: IDataObject[];
	error: NodeApiError | undefined;
}

/** A workflow that is running on n8n's engine. */
export interface StartedRun {
	finished: Promise<EngineRun>;
	cancel: () => void;
	/** Cancels it, and waits for its end. */
	stop: () => Promise<EngineRun>;
}

function startedRun(
	execution: WorkflowExecute,
	workflow: Workflow,
	testWorkflow: TestWorkflow,
): StartedRun {
	const running = execution.processRunExecutionData(workflow);
	const finished = running.then((run) => summarize(run, testWorkflow));
	const cancel = () => running.cancel();
	const stop = async () => {
		cancel();
		return await until(finished);
	};
	return { finished, cancel, stop };
}

/** Starts a workflow from its trigger. */
export function startWorkflow(
	testWorkflow: TestWorkflow,
	account: Account,
	{
		mode = 'manual',
		...additional
	}: Partial<IWorkflowExecuteAdditionalData> & { mode?: WorkflowExecuteMode } = {},
): StartedRun {
	const workflow = loadWorkflow(testWorkflow);
	// As n8n's `run` does, whose parameters differ in n8n 1 and 2.
	const start = { node: workflow.getStartNode()!, data: { main: [[{ json: {} }]] }, source: null };
	const execution = new WorkflowExecute(
		{ ...additionalDataFor(testWorkflow, account), ...additional },
		mode,
		runDataOf({
			resultData: { runData: {}, pinData: testWorkflow.pinData },
			executionData: {
				contextData: {},
				nodeExecutionStack: [start],
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
			},
		}),
	);
	return startedRun(execution, workflow, testWorkflow);
}

/** What n8n keeps of an execution. n8n 1.110 has no `createRunExecutionData`. */
function runDataOf(data: Pick<IRunExecutionData, 'resultData' | 'executionData'>) {
	return { version: 1, startData: {}, ...data } as unknown as IRunExecutionData;
}

/** How many retries the test has started, also on other workers: each is an execution of its own. */
const started = globalThis as { retriesOfTest?: { test: string | undefined; count: number } };

function nextRetry(): string {
	const test = expect.getState().currentTestName;
	const last = started.retriesOfTest;
	const count = last?.test === test ? last!.count + 1 : 1;
	started.retriesOfTest = { test, count };
	return count === 1 ? 'retry' : `retry ${count}`;
}

/**
 * n8n's Retry button: starts a failed execution again from the node it stopped at, with the data that
 * n8n stored.
 *
 * @param testWorkflow the failed workflow, or a changed one: "Retry with currently saved workflow"
 * @param change modifies the stored data
 * @param additional what n8n passes to each node of the retry
 */
export function startRetry(
	testWorkflow: TestWorkflow,
	{ run }: EngineRun,
	account: Account,
	change: (stored: IRunExecutionData) => void = () => {},
	additional: Partial<IWorkflowExecuteAdditionalData> = {},
): StartedRun {
	const stored = parse(stringify(run.data)) as IRunExecutionData;
	const { runData, lastNodeExecuted = '' } = stored.resultData;
	delete stored.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error) runData[lastNodeExecuted].pop();
	const workflow = loadWorkflow(testWorkflow);
	for (const execution of stored.executionData!.nodeExecutionStack) {
		execution.node = workflow.getNode(execution.node.name)!;
	}
	change(stored);
	const additionalData = {
		...additionalDataFor(testWorkflow, account),
		...{ executionId: nextRetry(), ...additional },
	};
	const execution = new WorkflowExecute(additionalData, 'retry', stored);
	return startedRun(execution, workflow, testWorkflow);
}

/** The workflow as n8n has loaded it. */
export function loadWorkflow(
	testWorkflow: TestWorkflow,
	id = 'test',
	staticData = {},
	types: INodeTypes = nodeTypes,
): Workflow {
	const { name, nodes, connections, settings } = structuredClone({ ...testWorkflow, pinData: {} });
	return new Workflow({
		id,
		name,
		nodes,
		connections,
		active: false,
		nodeTypes: types,
		staticData: structuredClone(staticData),
		settings: { executionOrder: 'v1', ...settings },
	});
}

/** What n8n passes to each node of an execution. */
export function additionalDataFor(workflow: TestWorkflow, account: Account) {
	return {
		credentialsHelper: new OneCredential(account),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflow as unknown as IWorkflowBase),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** The logger that n8n passes to every node. */
export function engineLogger(): Logger {
	const testWorkflow = workflowOf({});
	const workflow = loadWorkflow(testWorkflow);
	const additionalData = {} as IWorkflowExecuteAdditionalData;
	return new LoadOptionsContext(workflow, workflow.getNode(TESTED_NODE)!, additionalData, '')
		.logger;
}

/** The options of the "Blacklist" dropdown for a search text. */
export async function searchBlacklists(account: Account, filter?: string, operation = 'delete') {
	const parameters = { resource: 'blacklist', operation };
	const testWorkflow = workflowOf(parameters);
	const workflow = loadWorkflow(testWorkflow);
	const context = new LoadOptionsContext(
		workflow,
		workflow.getNode(TESTED_NODE)!,
		{ ...additionalDataFor(testWorkflow, account), currentNodeParameters: parameters },
		'',
	);
	return await until(listSearch.searchBlacklists.call(context, filter));
}

/** How a trigger is polled. */
interface Poll {
	/** Another account. */
	credential?: string;
	/** Published again, or n8n started again: a first poll. Without it, the next poll of the last one. */
	activation?: WorkflowActivateMode;
	/** How long n8n lets the poll take, in milliseconds; undefined on n8n 1.123. */
	budget?: number;
	/**
	 * n8n loads the workflow again, with the static data it saved at the last event. Its durable scheduler
	 * does so at each poll; then there is a budget.
	 */
	isReloaded?: boolean;
	/** n8n drops what the poll returns, because the workflow has changed. */
	isDropped?: boolean;
}

/**
 * The trigger in an active workflow, which keeps its state from one poll to the next.
 *
 * @param saved the workflow's static data, for a poll that loads it
 * @returns a function that polls once and returns the items, or null when nothing happened. It polls
 * as on schedule or, with `manual`, as in a test run of the editor
 */
export function activeTrigger(
	account: Account,
	parameters: INodeParameters,
	saved: IDataObject = {},
) {
	const testWorkflow = triggerOf(parameters);
	const id = randomUUID();
	const data = additionalDataFor(testWorkflow, account);
	let workflow = loadWorkflow(testWorkflow, id);
	let registered: PollContext | undefined;
	return async (
		mode: 'trigger' | 'manual' = 'trigger',
		{ credential, activation, ...how }: Poll = {},
	) => {
		if (how.isReloaded) workflow = loadWorkflow(testWorkflow, id, saved);
		const trigger = workflow.getNode(TESTED_NODE)!;
		if (credential) trigger.credentials!.businessListingSearchApi!.id = credential;
		const as = mode === 'manual' ? mode : (activation ?? (how.isReloaded ? 'update' : undefined));
		const context =
			as || !registered
				? new PollContext(workflow, trigger, data, mode, as ?? 'activate')
				: registered;
		if (mode === 'trigger') registered = context;
		const getPollBudgetMs = how.budget === undefined ? undefined : () => how.budget;
		Object.assign(context, { getPollBudgetMs });
		const output = await until(new BusinessListingSearchTrigger().poll.call(context));
		if (output && !how.isDropped) saved = deepCopy(workflow.staticData);
		return output && output[0]!.map(({ json }) => json);
	};
}

/** The same workflow, in which n8n's engine for declarative nodes runs the node. */
export function asDeclared({ nodes, ...workflow }: TestWorkflow): TestWorkflow {
	const type = (name: string) => (name === NODE_TYPE ? DECLARED_TYPE : name);
	return { ...workflow, nodes: nodes.map((node) => ({ ...node, type: type(node.type) })) };
}

/** A tool as the agents of version 3 call it: as any other node. */
export const TOOL_OF_AGENT_3 = 'test.agent3.Tool';

/** Leads the output of the node back to it: three passes of a loop. */
export function inThreePasses(workflow: TestWorkflow): TestWorkflow {
	const { nodes, connections, ...others } = structuredClone(workflow);
	const gate = { ...nodes[0]!, id: 'gate', name: 'Gate', type: GATE_TYPE };
	connections[TESTED_NODE] = to(gate.name);
	connections[gate.name] = to(TESTED_NODE);
	return { ...others, nodes: [...nodes, gate], connections };
}

/**
 * Calls the node as a tool, as the agents of n8n 2.41 and MCP clients do: without an execution, and so without
 * a place to keep anything.
 *
 * @param json of the input item: the arguments from the model
 * @param caller in the execution data, the node of an MCP trigger stands in place of the tool
 */
export async function startWithoutExecution(
	parameters: INodeParameters,
	account: Account,
	json: IDataObject = {},
	caller: 'agent' | 'mcpTrigger' = 'agent',
): Promise<IDataObject[]> {
	const testWorkflow = workflowOf(parameters, [], { type: `${NODE_TYPE}Tool` });
	const workflow = loadWorkflow(testWorkflow);
	const tool = workflow.getNode(TESTED_NODE)!;
	const items = [{ json }];
	const data = { main: [items] };
	const trigger = { ...tool, name: 'MCP', type: '@n8n/n8n-nodes-langchain.mcpTrigger' };
	const [mode, by] =
		caller === 'agent' ? (['internal', tool] as const) : (['webhook', trigger] as const);
	const context = new ExecuteContext(
		workflow,
		tool,
		{ ...additionalDataFor(testWorkflow, account), executionId: undefined },
		mode,
		runDataOf({ resultData: { runData: {} } }),
		0,
		items,
		data,
		{ node: by, data, source: null },
		[],
	);
	const outputs = (await new RoutingNode(context, node).runNode()) ?? [];
	return outputs.flat().map((item) => item.json);
}

/** As `startWithoutExecution`, to its end. */
export async function runWithoutExecution(
	...call: Parameters<typeof startWithoutExecution>
): Promise<IDataObject[]> {
	return await until(startWithoutExecution(...call));
}

function summarize(run: IRun, workflow: TestWorkflow): EngineRun {
	const { runData, error } = run.data.resultData;
	const outputs = runData[TESTED_NODE]?.at(-1)?.data?.main?.map((items) => items ?? []) ?? [];
	return {
		workflow,
		run,
		outputs,
		json: (outputs[0] ?? []).map((item) => item.json),
		error: error as NodeApiError | undefined,
	};
}
