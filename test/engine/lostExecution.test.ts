/** n8n is killed in the middle of an execution, rebuilds it from its event log, and offers Retry. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useSandbox } from '../support/account';
import {
	inThreePasses,
	retryWorkflow,
	runWorkflow,
	workflowOf,
	type EngineRun,
	type TestWorkflow,
} from '../support/engine';
import { status } from '../support/faults';
import { ADD_MANY, CREATE, domains, keywords, OPERATIONS } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { TESTED_NODE } from '../support/workflowOf';

const account = useSandbox();

const FILTER = 'n8n-nodes-base.filter';

const CRASHED =
	'Not sent: n8n crashed in the middle of this execution, and kept nothing of what it had done';

/** What n8n puts in place of what a node had returned. */
const REBUILT = [{ json: { isArtificialRecoveredEventItem: true }, pairedItem: undefined }];

const ENTRIES = {
	begun: { error: { name: 'NodeCrashedError', message: 'Execution stopped at this node' } },
	finished: { data: { main: [REBUILT] } },
};

/**
 * An execution of a workflow as n8n rebuilds it: each node that had finished has one item, and it begins
 * again at its trigger.
 *
 * @param own what it has of the node under test, if that had begun
 */
function lost(
	workflow: TestWorkflow,
	items: IDataObject[],
	own?: keyof typeof ENTRIES,
	finished = ['Start'],
): EngineRun {
	const entry = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
	const runData: IDataObject = {};
	for (const name of finished) runData[name] = [{ ...entry, ...ENTRIES.finished }];
	if (own) runData[TESTED_NODE] = [{ ...entry, ...ENTRIES[own] }];
	const resultData = {
		runData,
		lastNodeExecuted: own ? TESTED_NODE : finished.at(-1),
	};
	const start = { data: { main: [items.map((json) => ({ json }))] }, source: null };
	const executionData = {
		contextData: {},
		nodeExecutionStack: [{ node: workflow.nodes[0]!, ...start }],
		metadata: {},
		waitingExecution: {},
		waitingExecutionSource: {},
	};
	return { run: { data: { version: 1, resultData, executionData } } } as unknown as EngineRun;
}

const retryLost = async (
	parameters: INodeParameters,
	own?: keyof typeof ENTRIES,
	settings: Partial<INode> = {},
) => {
	const workflow = workflowOf(parameters, [], settings);
	const items = parameters.resource === 'job' ? keywords(3) : domains(3);
	return await retryWorkflow(workflow, lost(workflow, items, own), account().account);
};

describe.each<[had: string, own?: keyof typeof ENTRIES]>([
	['had begun', 'begun'],
	['had finished', 'finished'],
	['had not begun', undefined],
])('the retry of an execution that n8n lost when this node %s', (_had, own) => {
	it.each(OPERATIONS.filter(([, method]) => method !== 'GET'))(
		'sends nothing, and says where to look and how to go on: %s',
		async (name, _method, parameters) => {
			const { error } = await retryLost(parameters, own);
			expect(error?.message).toBe(CRASHED);
			expect(error?.description).toContain('may have been carried out');
			const isAdd = /Add/.test(name);
			expect(error?.description?.split('<br><br>')).toEqual(
				isAdd
					? [
							'Some items may have been carried out.',
							'Run the workflow again: each value costs one more request.',
						]
					: [
							'Some items may have been carried out: look in the log of the n8n server, and in your account.',
							'<b>Do not run all items again.</b>',
							'Run the workflow with only the items that are in neither.',
						],
			);
			expect(account().sandbox.requests).toEqual([]);
		},
	);

	it.each(OPERATIONS.filter(([, method]) => method === 'GET'))(
		'sends what changes nothing: %s',
		async (_name, _method, parameters) => {
			expect((await retryLost(parameters, own)).error).toBeUndefined();
		},
	);
});

it('with Continue, each item says that it may have been carried out', async () => {
	const { outputs } = await retryLost(CREATE, 'begun', CONTINUE);
	const [json] = outputs.map((items) => items.map((item) => item.json)).reverse();
	expect(json).toHaveLength(3);
	for (const { error, message } of json!) {
		expect([error, message]).toEqual([
			CRASHED,
			'Some items may have been carried out: look in the log of the n8n server, and in your account.',
		]);
	}
	expect(account().sandbox.requests).toEqual([]);
});

it('with Continue, Add Many Items lists each value', async () => {
	const { json } = await retryLost(ADD_MANY, 'begun', CONTINUE);
	expect(json).toMatchObject([{ added: 0, failed: 3 }]);
	for (const { reason } of json[0]!.problems as IDataObject[]) {
		expect(reason).toBe(`${CRASHED}; it may have been added`);
	}
	expect(account().sandbox.requests).toEqual([]);
});

it('a retry of that retry sends nothing either', async () => {
	const workflow = workflowOf(CREATE, []);
	const first = await retryWorkflow(workflow, lost(workflow, keywords(3)), account().account);
	const { error } = await retryWorkflow(workflow, first, account().account);
	expect(error?.message).toBe(CRASHED);
	expect(account().sandbox.requests).toEqual([]);
});

describe('whatever was changed since, the retry of an execution that n8n lost', () => {
	const node = (name: string, type = 'pass', settings: Partial<INode> = {}): INode => ({
		...workflowOf(CREATE).nodes[0]!,
		...{ id: name, name, type, ...settings },
	});
	const filter = (settings: Partial<INode> = {}) => node('Filter', FILTER, settings);
	const to = (...names: string[]) =>
		names.map((name) => ({ node: name, type: 'main' as const, index: 0 }));

	/** The node behind the trigger and these nodes, in a row. */
	function behind(...nodes: INode[]): TestWorkflow {
		const workflow = workflowOf(CREATE, []);
		const way = ['Start', ...nodes.map(({ name }) => name), TESTED_NODE];
		const connections = way.slice(0, -1).map((name, at) => [name, { main: [to(way[at + 1]!)] }]);
		return {
			...workflow,
			nodes: [...workflow.nodes, ...nodes],
			connections: Object.fromEntries(connections) as TestWorkflow['connections'],
		};
	}

	/** A Filter on a second path to the node, which does not run. */
	function besideAPath(): TestWorkflow {
		const { nodes, connections, ...workflow } = behind(node('Renamed'));
		const paths = {
			Renamed: { main: [to(TESTED_NODE), to('Filter')] },
			Filter: { main: [to(TESTED_NODE)] },
		};
		return {
			...workflow,
			nodes: [...nodes, filter()],
			connections: { ...connections, ...paths },
		};
	}

	/** In a loop, with a Filter behind the node. */
	function inLoopWithFilter(): TestWorkflow {
		const { nodes, connections, ...loop } = inThreePasses(behind(node('Renamed')));
		const way = { [TESTED_NODE]: { main: [to('Filter')] }, Filter: { main: [to('Gate')] } };
		return {
			...loop,
			nodes: nodes
				.map((each) => (each.name === TESTED_NODE ? { ...each, ...CONTINUE } : each))
				.concat(filter()),
			connections: { ...connections, ...way },
		};
	}

	it.each<[changed: string, saved: TestWorkflow, finished: string[], own?: keyof typeof ENTRIES]>([
		['the node before was renamed', behind(node('Renamed')), ['Start', 'Before'], 'begun'],
		[
			'the node before was renamed, and n8n was killed in a later node',
			behind(node('Renamed')),
			['Start', 'Before'],
			'finished',
		],
		['a node was put before', behind(node('Before'), node('New')), ['Start', 'Before'], 'begun'],
		['this node was renamed', behind(node('Before')), ['Start', 'Before'], undefined],
		['a Filter was there', behind(filter()), ['Start', 'Filter'], 'begun'],
		['a Filter was put before it', behind(node('Before'), filter()), ['Start', 'Before'], 'begun'],
		[
			'a Filter was there, and the node behind it was renamed',
			behind(filter(), node('Renamed')),
			['Start', 'Filter', 'Before'],
			'begun',
		],
		['a Filter stands on a path that did not run', besideAPath(), ['Start', 'Before'], 'begun'],
		[
			'a new Filter is deactivated',
			behind(filter({ disabled: true })),
			['Start', 'Before'],
			'begun',
		],
		['in a loop, a Filter stands behind it', inLoopWithFilter(), ['Start', 'Before'], 'begun'],
		[
			'it was lost in a later pass of a loop',
			inThreePasses(workflowOf(CREATE, [])),
			['Start', 'Gate'],
			'begun',
		],
	])('sends nothing: %s', async (_changed, saved, finished, own) => {
		const execution = lost(saved, keywords(2), own, finished);
		const { run } = await retryWorkflow(saved, execution, account().account);
		expect(JSON.stringify(run.data)).toContain(CRASHED);
		expect(account().sandbox.requests).toEqual([]);
	});

	it('sends all, in each pass of a loop, if only an earlier node had begun', async () => {
		const saved = inThreePasses(behind(node('Before')));
		const execution = lost(saved, keywords(2), undefined, ['Start']);
		Object.assign(execution.run.data.resultData.runData, { Before: [] });
		const { error } = await retryWorkflow(saved, execution, account().account);
		expect(error).toBeUndefined();
		expect(account().sandbox.state.jobs).toHaveLength(6);
	});

	it('sends all after a pass in which all failed, if only an earlier node had begun', async () => {
		const { sandbox, account: owner } = account();
		const saved = inThreePasses(behind(node('Before')));
		Object.assign(
			saved.nodes.find(({ name }) => name === TESTED_NODE)!,
			CONTINUE,
		);
		saved.connections[TESTED_NODE]!.main = [to('Gate'), to('Gate')];
		const execution = lost(saved, keywords(2), undefined, ['Start']);
		Object.assign(execution.run.data.resultData.runData, { Before: [] });
		sandbox.faults.add({ times: 2, fault: status(400) });
		await retryWorkflow(saved, execution, owner);
		expect(sandbox.state.jobs).toHaveLength(4);
	});
});

it('an execution that failed in an earlier node is sent when it is retried', async () => {
	const workflow = workflowOf(CREATE, []);
	const execution = lost(workflow, keywords(3), undefined, []);
	const end = await retryWorkflow(workflow, execution, account().account);
	expect(end.json).toHaveLength(3);
});

it('a field of that name in the input of a new execution means nothing', async () => {
	const items = [{ isArtificialRecoveredEventItem: true }];
	account().sandbox.faults.add({ times: 1, fault: status(500) });
	const failed = await runWorkflow(workflowOf(CREATE, items), account().account);
	expect(failed.error?.httpCode).toBe('500');
});
