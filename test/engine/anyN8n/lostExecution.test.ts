/** n8n is killed in the middle of an execution, rebuilds it from its event log, and offers Retry. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { inThreePasses, workflowOf, type EngineRun, type TestWorkflow } from '../../support/engine';
import { status } from '../../support/faults';
import { ADD_MANY, CREATE, domains, keywords, OPERATIONS } from '../../support/parameters';
import { CONTINUE } from '../../support/settings';
import { useEngine } from '../../support/useEngine';
import { TESTED_NODE, to } from '../../support/workflowOf';

const { sandbox, execute, retry } = useEngine();

const CRASHED =
	'Not sent: n8n crashed in the middle of this execution, and kept nothing of what it had done';

const LOOK = 'Look in the log of the n8n server, and in your account.';
const ALONE = 'with every Create that has ordered them deactivated';

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
	const resultData = { runData, lastNodeExecuted: own ? TESTED_NODE : finished.at(-1) };
	const start = { data: { main: [items.map((json) => ({ json }))] }, source: null };
	const executionData = {
		contextData: {},
		nodeExecutionStack: [{ node: workflow.nodes[0]!, ...start }],
		metadata: {},
		waitingExecution: {},
		waitingExecutionSource: {},
	};
	return {
		workflow,
		run: { data: { version: 1, resultData, executionData } },
	} as unknown as EngineRun;
}

const retryLost = async (
	parameters: INodeParameters,
	own?: keyof typeof ENTRIES,
	settings: Partial<INode> = {},
) => {
	const workflow = workflowOf(parameters, [], settings);
	const items = parameters.resource === 'job' ? keywords(3) : domains(3);
	return await retry(lost(workflow, items, own));
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
			const nouns = name.includes('Many') ? 'values' : 'items';
			expect(error?.description?.split('<br><br>')).toEqual([
				'Some items may have been carried out.',
				name.includes('Add')
					? `Run the workflow with all ${nouns}, one request each, ${ALONE}.`
					: name.includes('Delete')
						? `Run the workflow with only the items that are still in your account, ${ALONE}.`
						: `${LOOK} Run the workflow with only the items that are in neither, ${ALONE}.`,
			]);
			expect(sandbox.requests).toEqual([]);
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
	const message = `Some items may have been carried out. ${LOOK}`;
	expect(outputs).toMatchObject([[], Array(3).fill({ json: { error: CRASHED, message } })]);
	expect(sandbox.requests).toEqual([]);
});

it('with Continue, Add Many Items lists each value', async () => {
	const { json } = await retryLost(ADD_MANY, 'begun', CONTINUE);
	const problems = Array(3).fill({ reason: `${CRASHED}; it may have been added` });
	expect(json).toMatchObject([{ added: 0, failed: 3, problems }]);
	expect(sandbox.requests).toEqual([]);
});

it('a retry of that retry sends nothing either', async () => {
	const { error } = await retry(await retry(lost(workflowOf(CREATE, []), keywords(3))));
	expect(error?.message).toBe(CRASHED);
	expect(sandbox.requests).toEqual([]);
});

describe('whatever was changed since, the retry of an execution that n8n lost', () => {
	const node = (name: string, type = 'pass', settings: Partial<INode> = {}): INode => ({
		...workflowOf(CREATE).nodes[0]!,
		...{ id: name, name, type, ...settings },
	});
	const filter = (settings: Partial<INode> = {}) =>
		node('Filter', 'n8n-nodes-base.filter', settings);

	/** The node behind the trigger and these nodes, in a row. */
	function behind(...nodes: INode[]): TestWorkflow {
		const workflow = workflowOf(CREATE, []);
		const way = ['Start', ...nodes.map(({ name }) => name), TESTED_NODE];
		const connections = way.slice(1).map((name, at) => [way[at]!, to(name)]);
		const all = [...workflow.nodes, ...nodes];
		return { ...workflow, nodes: all, connections: Object.fromEntries(connections) };
	}

	it.each<[changed: string, saved: TestWorkflow, finished: string[], own?: keyof typeof ENTRIES]>([
		['the node before was renamed', behind(node('Renamed')), ['Start', 'Before'], 'begun'],
		['it, and this had finished', behind(node('Renamed')), ['Start', 'Before'], 'finished'],
		['a node was put before', behind(node('Before'), node('New')), ['Start', 'Before'], 'begun'],
		['this node was renamed', behind(node('Before')), ['Start', 'Before']],
		['all but this node were renamed', behind(node('Renamed')), ['Trigger', 'Before'], 'finished'],
		['only the trigger had finished', behind(node('Before')), ['Start']],
		['only that, in a loop', inThreePasses(behind(node('Before'))), ['Start']],
		['a Filter was there', behind(filter()), ['Start', 'Filter'], 'begun'],
		['a Filter was put before it', behind(node('Before'), filter()), ['Start', 'Before'], 'begun'],
		['one is deactivated', behind(filter({ disabled: true })), ['Start', 'Before'], 'begun'],
		['in a later pass of a loop', inThreePasses(behind()), ['Start', 'Gate'], 'begun'],
	])('sends nothing: %s', async (...[, saved, finished, own]) => {
		const { run } = await retry(lost(saved, keywords(2), own, finished));
		expect(JSON.stringify(run.data)).toContain(CRASHED);
		expect(sandbox.requests).toEqual([]);
	});
});

it('an execution that failed in an earlier node is sent when it is retried', async () => {
	const { json } = await retry(lost(workflowOf(CREATE, []), keywords(3), undefined, []));
	expect(json).toHaveLength(3);
});

it('a field of that name in the input of a new execution means nothing', async () => {
	const items = [{ isArtificialRecoveredEventItem: true }];
	sandbox.faults.add({ times: 1, fault: status(500) });
	const failed = await execute(CREATE, items);
	expect(failed.error?.httpCode).toBe('500');
});
