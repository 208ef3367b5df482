/**
 * What this node relies on in n8n, with a test for each line of README.md beside this file. They run on the engine
 * of any installed n8n: `npm run test:reliances -- <its folder>`.
 */
import { createServer } from 'node:net';
import { basename, join } from 'node:path';

import { Container, type Constructable } from '@n8n/di';
import * as core from 'n8n-core';
import {
	CustomDirectoryLoader,
	DirectoryLoader,
	ExecuteContext,
	PollContext,
	WebhookContext,
} from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { BusinessListingSearchTrigger } from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node';
import { settle, until } from '../support/clock';
import {
	additionalDataFor,
	asDeclared,
	inThreePasses,
	loadWorkflow,
	workflowOf,
	type EngineRun,
} from '../support/engine';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../support/settings';
import { useEngine } from '../support/useEngine';
import { NODE_TYPE, TESTED_NODE, triggerOf, to } from '../support/workflowOf';

const { sandbox, owner, execute, retry, start, log } = useEngine();

const created = () => sandbox.state.jobs.map(({ keyword }) => keyword);
const words = (count: number) => keywords(count).map(({ keyword }) => keyword);

/** A module of n8n that it does not export. */
const inside = <T extends object>(path: string) => jest.requireActual<T>(path);

const ONE_BY_ONE = { options: { concurrency: 1 } };

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';
const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** The nodes of this package, loaded by n8n. */
function loaded(): CustomDirectoryLoader {
	const loader = new CustomDirectoryLoader(join(__dirname, '..', '..'));
	const classes = { BusinessListingSearch, BusinessListingSearchTrigger };
	const nameIn = (path: string) => basename(path).split('.')[0] as keyof typeof classes;
	// From the sources, in place of the compiled files.
	Object.assign(loader, { loadClass: (path: string) => new classes[nameIn(path)]() });
	for (const name of Object.keys(classes)) loader.loadNodeFromFile(`nodes/${name}/${name}.node.js`);
	return loader;
}

/** The types of nodes as n8n passes them to the engine, which makes tools of nodes. */
function nodeTypesOfN8n(): INodeTypes {
	const { NodeTypes } = inside<{ NodeTypes: { prototype: INodeTypes } }>('n8n/dist/node-types');
	const { LoadNodesAndCredentials } = inside<{ LoadNodesAndCredentials: { prototype: object } }>(
		'n8n/dist/load-nodes-and-credentials',
	);
	const others = { type: { description: { inputs: ['ai_tool'], outputs: [], properties: [] } } };
	const { nodeTypes } = loaded();
	const ofPackage = (name: string) => nodeTypes[name.split('.')[1]!];
	return Object.create(NodeTypes.prototype, {
		loadNodesAndCredentials: {
			value: Object.create(LoadNodesAndCredentials.prototype, {
				recognizesNode: { value: ofPackage },
				getNode: { value: (name: string) => ofPackage(name) ?? others },
				loadedNodes: { value: {} },
			}),
		},
	}) as INodeTypes;
}

describe('the run of a node', () => {
	it('is one call of an operation in `customOperations`, before `execute`, which can add hints', async () => {
		const build = jest.spyOn(core.RoutingNode.prototype, 'runNode');
		const { json, run: end } = await execute(ADD_MANY, [...domains(2), { value: 'no domain' }]);
		expect(json).toMatchObject([{ added: 2, invalid: 1 }]);
		const { hints } = end.data.resultData.runData[TESTED_NODE]![0]!;
		expect(hints).toMatchObject([{ message: expect.stringContaining('1 of 3 values') }]);
		expect((await execute(CREATE, keywords(3))).json).toHaveLength(3);
		expect(build).not.toHaveBeenCalled();
	});

	it('looks an operation up by the values that were entered', async () => {
		const { error } = await execute({ ...CREATE, operation: '={{ "create" }}' });
		expect(error?.message).toContain('does not exist here');
	});

	it('passes its input on if an operation throws with Continue', async () => {
		jest.spyOn(ExecuteContext.prototype, 'continueOnFail').mockImplementation(() => {
			throw new Error('It broke');
		});
		const { outputs } = await execute(CREATE, keywords(2), CONTINUE);
		expect(outputs[0]).toHaveLength(2);
	});

	it('sends the request of one item in `pagination`, where n8n runs the declaration', async () => {
		sandbox.faults.add({ times: 1, fault: status(429) });
		const workflow = asDeclared(workflowOf(CREATE, keywords(1)));
		const { json, error } = await execute(workflow);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(created()).toEqual(words(1));
	});

	it('has one execution data for all tries of Retry On Fail', async () => {
		// Only the execution data tells that the service has reported this job as failed in an earlier try.
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		const { error } = await execute({ ...CREATE, ...ONE_BY_ONE }, keywords(3), RETRY_ON_FAIL);
		expect(error?.message).toMatch(/^Not sent again/);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('keeps the context of the node between the tries of Retry On Fail', async () => {
		const read = jest.spyOn(ExecuteContext.prototype, 'getContext');
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		await execute(CREATE, keywords(3), RETRY_ON_FAIL);
		const own = read.mock.results.filter((_result, call) => read.mock.calls[call]![0] === 'node');
		expect(own).toHaveLength(2);
		expect(own[0]!.value).toBe(own[1]!.value);
	});

	it('stores the context of the node with a failed execution', async () => {
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(400) });
		const failed = await execute(CREATE, keywords(3));
		expect((await retry(failed)).json).toHaveLength(3);
		expect(created()).toEqual(words(3));
	});

	it('stores the context of the execution, by which its retries know each other', async () => {
		sandbox.faults.add({ match: 'keyword 1.', times: 2, fault: status(500) });
		const failed = await execute({ ...CREATE, ...ONE_BY_ONE }, keywords(3));
		sandbox.faults.clear();
		for (let times = 0; times < 2; times++) await retry(failed);
		expect(created()).toEqual(words(3));
	});

	it('has another `$runIndex` in each pass of a loop', async () => {
		sandbox.faults.add({ skip: 3, times: 1, fault: status(500) });
		const settings = { onError: 'continueRegularOutput' as const };
		const parameters = { ...ADD, ...ONE_BY_ONE, value: '={{ $itemIndex }}.com' };
		const workflow = inThreePasses(workflowOf(parameters, [{}, {}], settings));
		await execute(workflow);
		expect(sandbox.requests).toHaveLength(6);
	});

	it('is told its parameters as entered by `getNode()`', async () => {
		const gap = '={{ "dentist in " + $json.town }}';
		expect((await execute({ ...CREATE, keyword: gap })).error?.message).toContain('"undefined"');
		const { json } = await execute({ ...ADD_MANY, values: '={{ "" + $json.town }}' });
		expect(json).toMatchObject([{ invalid: 1 }]);
		expect(sandbox.requests).toEqual([]);
	});

	it('is passed one item with "Execute Once"', async () => {
		expect((await execute(CREATE, keywords(3), { executeOnce: true })).json).toHaveLength(1);
		expect(created()).toEqual(words(1));
	});

	it('has a signal that a person has stopped the execution', async () => {
		sandbox.faults.add({ fault: status(429, { retryAfter: '60' }) });
		const run = start(CREATE, keywords(3));
		await until(() => sandbox.requests.length === 1);
		await run.stop();
		expect(performance.now()).toBe(0);
		expect(log.lines('warn')).toEqual([expect.stringContaining('was cancelled. Of 3 items')]);
	});

	it('is told the settings of the workflow', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: status(500) });
		const workflow = {
			...workflowOf(CREATE, keywords(2)),
			settings: { saveManualExecutions: false },
		};
		const { error } = await execute(workflow);
		expect(error?.description).toContain('n8n does not save this execution');
	});

	it('sends an item with exactly `error` and `message` down the error output, with its pairing', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: status(400) });
		const { outputs } = await execute(CREATE, keywords(3), CONTINUE);
		expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toMatchObject([
			{ item: 0 },
			{ item: 2 },
		]);
		expect(outputs[1]).toMatchObject([{ pairedItem: { item: 1 } }]);
	});

	it('has the "Request Options" that n8n adds, by these names', () => {
		const node: INodeType = new BusinessListingSearch();
		DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
		const { options } = node.description.properties.find(({ name }) => name === 'requestOptions')!;
		const namesIn = (all: unknown): string[] =>
			(all as Array<{ name: string; options?: unknown; values?: unknown }>).flatMap(
				({ name, options, values }) => [name, ...namesIn(options ?? values ?? [])],
			);
		expect(namesIn(options)).toEqual(
			expect.arrayContaining([
				...['batching', 'batch', 'batchSize', 'batchInterval'],
				...['allowUnauthorizedCerts', 'proxy', 'timeout'],
			]),
		);
	});
});

describe('the retry of an execution that n8n lost', () => {
	it('has `isArtificialRecoveredEventItem` in the first run of each node that had finished', async () => {
		const { ARTIFICIAL_TASK_DATA } = inside<{ ARTIFICIAL_TASK_DATA: object }>('n8n/dist/constants');
		const { nodes, ...workflow } = workflowOf(CREATE, []);
		// Renamed since, so that the node directly before is none that had finished.
		const renamed = { ...nodes[0]!, id: 'renamed', name: 'Renamed', type: 'pass' };
		const saved = {
			...workflow,
			nodes: [...nodes, renamed],
			connections: { Start: to('Renamed'), Renamed: to(TESTED_NODE) },
		};
		const entry = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
		const items = keywords(3).map((json) => ({ json }));
		const stack = [{ node: nodes[0]!, data: { main: [items] }, source: null }];
		const start = { Start: [{ ...entry, data: ARTIFICIAL_TASK_DATA }] };
		for (const runData of [start, { ...start, [TESTED_NODE]: [] }]) {
			const data = {
				version: 1,
				resultData: { runData, lastNodeExecuted: 'Start' },
				executionData: {
					contextData: {},
					nodeExecutionStack: stack,
					metadata: {},
					waitingExecution: {},
					waitingExecutionSource: {},
				},
			};
			const lost = { run: { data } } as unknown as EngineRun;
			const { error } = await retry(lost, saved);
			expect(error?.message).toMatch(/^Not sent: n8n crashed in the middle/);
			expect(created()).toEqual([]);
		}
	});
});

describe('a request', () => {
	const KEYS = ['first-key', 'second-key', 'third-key'];

	it('is sent with the credential in the third argument, without reading it again', async () => {
		const read = jest.spyOn(ExecuteContext.prototype, 'getCredentials');
		expect((await execute(CREATE, keywords(3))).json).toHaveLength(3);
		expect(read).toHaveBeenCalledTimes(1);
	});

	it.each(['={{ $json.key }}', `={{ ${JSON.stringify(KEYS)}[$itemIndex] }}`])(
		'has the key of its item: n8n reads `connectionInputData` for any expression: %s',
		async (apiKey) => {
			sandbox.faults.add({ fault: { kind: 'json', body: { job_id: 'made' } } });
			const items = KEYS.map((key) => ({ key }));
			owner.apiKey = apiKey;
			await execute(CREATE, items);
			const sent = sandbox.requests.map(({ headers }) => headers['x-api-key']);
			expect(sent).toEqual(KEYS.map((key) => `Token ${key}`));
		},
	);

	it("takes its signal from the context, here not the execution's", async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 3_000 } });
		const run = start(CREATE);
		await until(() => sandbox.requests.length === 1);
		await run.stop();
		expect(log.lines('warn')).toEqual([expect.stringContaining(' Done, by job_id: ')]);
	});

	it('is aborted by that signal', async () => {
		sandbox.faults.add({ fault: { kind: 'hang' } });
		await execute({ ...CREATE, requestOptions: { timeout: 2_000 } });
		await settle();
		expect(sandbox.requests).toMatchObject([{ endedAt: expect.any(Number) }]);
	});

	it('follows no redirect', async () => {
		sandbox.faults.add({ fault: { kind: 'redirect', to: '/api/v1/usage' } });
		expect((await execute(CREATE)).error?.message).toContain('a redirect to /api/v1/usage');
		expect(sandbox.requests).toHaveLength(1);
	});

	it('gives the status, headers and words of a refusal', async () => {
		const body = { message: 'Out of stock' };
		sandbox.faults.add({ fault: status(503, { body, retryAfter: '600' }) });
		const { error } = await execute(CREATE);
		expect(error).toMatchObject({ httpCode: '503' });
		expect(error?.description).toMatch(/Out of stock.*said to wait 600 s/);
	});

	it('gives its response as a stream, before the body is complete', async () => {
		sandbox.faults.add({ fault: { kind: 'stall', after: 5, status: 400 } });
		expect((await execute(CREATE)).error).toMatchObject({ httpCode: '400' });
		expect(performance.now()).toBe(1_000);
	});

	it('has the system code of a failed connection in its error: `cause`, in n8n 1 `httpCode`', async () => {
		owner.baseUrl = 'http://127.0.0.1:1';
		const { error } = await execute(CREATE);
		expect(error?.message).toBe('Could not connect to the service');
		expect(error?.description).toMatch(/System code: ECONNREFUSED\. Check /);
	});

	it('tells in its error that the handshake broke off: `cause`, in n8n 1 `messages`', async () => {
		const closing = createServer((connection) => connection.once('data', () => connection.end()));
		owner.baseUrl = `https://127.0.0.1:${await listen(closing)}`;
		const { error } = await execute(CREATE);
		closing.close();
		expect(error?.message).toBe('Could not connect to the service');
		expect(error?.description).not.toContain('may have been');
	});
});

describe('a tool', () => {
	const descriptionOf = (type: string) =>
		(nodeTypesOfN8n().getByNameAndVersion(type) as INodeType).description;

	/** Calls the node as a tool of a node of this type. */
	async function call(caller: string, parameters: INodeParameters): Promise<string> {
		const type = `n8n-nodes-business-listing-search.${descriptionOf(`${NODE_TYPE}Tool`).name}`;
		const testWorkflow = workflowOf(parameters, [], { type });
		const [start] = testWorkflow.nodes;
		Object.assign(start!, { type: caller });
		testWorkflow.connections = {
			[TESTED_NODE]: { ai_tool: [[{ node: start!.name, type: 'ai_tool', index: 0 }]] },
		};
		const workflow = loadWorkflow(testWorkflow, undefined, {}, nodeTypesOfN8n());
		const context = new WebhookContext(
			workflow,
			start!,
			additionalDataFor(testWorkflow, owner),
			'webhook',
			{} as never,
			[],
			null,
		);
		const [tool] = (await context.getInputConnectionData('ai_tool', 0)) as Array<{
			invoke: (args: object) => Promise<string>;
		}>;
		return await until(tool!.invoke({}));
	}

	it('is run as a declarative node, and has a type that ends in Tool', async () => {
		expect(JSON.parse(await call(AGENT, { ...CREATE, keyword: ' ' }))).toEqual([
			{ error: '"Keyword" is empty', message: expect.any(String) },
		]);
		const [{ job_id: id }] = JSON.parse(await call(AGENT, CREATE)) as [IDataObject];
		expect(sandbox.state.jobs).toMatchObject([{ job_id: id }]);
	});

	it('has the custom operations of the node, which an agent of version 3 calls', () => {
		const tool = nodeTypesOfN8n().getByNameAndVersion(`${NODE_TYPE}Tool`) as INodeType;
		expect(Object.keys(tool.customOperations ?? {})).toEqual(['job', 'blacklist', 'usage']);
	});

	it('has the MCP trigger in its execution data if an MCP client has called it', async () => {
		sandbox.faults.add({ times: 2, fault: status(429, { retryAfter: '65' }) });
		expect(await call(MCP_TRIGGER, CREATE)).toContain('It said to wait 65 s');
		expect(performance.now()).toBe(45_000);
		expect(await call(AGENT, CREATE)).toContain('job_id');
	});

	it('does not offer what is hidden from `@tool`', () => {
		const offered = (type: string) => {
			const description = descriptionOf(type);
			const options = description.properties.find(
				({ name, displayOptions }) =>
					name === 'options' && displayOptions?.show?.resource?.includes('job'),
			)!.options as INodeProperties[];
			return options
				.filter((field) => NodeHelpers.displayParameter(CREATE, field, null, description))
				.map(({ name }) => name);
		};
		expect(offered(NODE_TYPE)).toContain('maxJobs');
		expect(offered(`${NODE_TYPE}Tool`)).not.toContain('maxJobs');
		expect(offered(`${NODE_TYPE}Tool`)).toContain('minRemaining');
	});
});

describe('the trigger', () => {
	/** Activates a workflow, as n8n does. @returns what polls it as on schedule, and its events and errors */
	async function activate(activation: WorkflowActivateMode) {
		const { ScheduledTaskManager } = inside<{ ScheduledTaskManager: { prototype: object } }>(
			'n8n-core/dist/execution-engine/scheduled-task-manager',
		);
		const { prototype } = ScheduledTaskManager as { prototype: Record<string, () => void> };
		const ticks: Array<() => unknown> = [];
		const keep = (_when: unknown, tick: () => unknown) => void ticks.push(tick);
		jest
			.spyOn(prototype, 'register' in prototype ? 'register' : 'registerCron')
			.mockImplementation(keep as () => void);
		const testWorkflow = triggerOf({ events: ['allowanceLow'], threshold: 100 });
		const workflow = loadWorkflow(testWorkflow, activation, {}, nodeTypesOfN8n());
		const told: { events: unknown[]; errors: string[] } = { events: [], errors: [] };
		const pollFunctions = (
			...[, node, data, mode, how]: ConstructorParameters<typeof PollContext>
		) =>
			new PollContext(
				workflow,
				node,
				data,
				mode,
				how,
				(items) => told.events.push(...items.flat().map(({ json }) => json.event)),
				(error) => told.errors.push(error.message),
			);
		// n8n 1 has another name for it.
		const name = 'ActiveWorkflowTriggers' in core ? 'ActiveWorkflowTriggers' : 'ActiveWorkflows';
		const Active = (core as Record<string, unknown>)[name] as Constructable<
			Record<string, (...args: unknown[]) => Promise<void>>
		>;
		const active = Container.get(Active);
		const add = 'addAllTriggers' in active ? 'addAllTriggers' : 'add';
		const data = additionalDataFor(testWorkflow, owner);
		await until(
			active[add]!(activation, workflow, data, 'trigger', activation, undefined, pollFunctions),
		);
		return { ...told, poll: async () => void (await until(settled(ticks[0]!))) };
	}

	/** Runs what n8n does not wait for. */
	async function settled(tick: () => unknown) {
		await tick();
		await settle();
	}

	it('has one context for its first poll and those that follow', async () => {
		sandbox.faults.add({ fault: status(402) });
		const { poll, errors } = await activate('init');
		expect(errors).toEqual([]);
		await poll();
		expect(errors).toEqual([
			expect.stringContaining('The request allowance of the account is used up'),
		]);
	});

	it('is told by `getActivationMode` whether n8n starts or a person publishes', async () => {
		sandbox.faults.add({ fault: status(401) });
		await activate('init');
		await activate('leadershipChange');
		await expect(activate('activate')).rejects.toThrow('The service refused the API key');
	});

	it('keeps its state in the static data of the node', async () => {
		sandbox.state.remaining = 500;
		const { poll, events } = await activate('init');
		sandbox.state.remaining = 50;
		await poll();
		await poll();
		expect(events).toEqual(['allowanceLow']);
	});
});

describe('the description', () => {
	it('is loaded with its `builderHint`, categories and icons', () => {
		const { nodes } = loaded().types;
		expect(nodes).toHaveLength(2);
		for (const { codex, iconUrl } of nodes) {
			expect(codex?.categories).toContain('Sales');
			expect(iconUrl).toMatchObject({ light: expect.stringMatching(/icons\/\w+\.svg$/) });
		}
	});
});
