import type { NodeTypeAndVersion } from 'n8n-workflow';

import type { RunContext } from '../task';

/** What the next step depends on, beside the reason and what the run has done. */
export interface Standing {
	/** The execution that a person can retry, as the object of a sentence; undefined if n8n keeps none. */
	execution: string | undefined;
	/** Whether it is a test in the editor. */
	isTest: boolean;
	/** Whether another workflow called this one. */
	isCalled: boolean;
	/** The nodes of this kind before this one, or in a branch beside it, that change something. */
	before: Array<{ name: string; createsJobs: boolean; hasRun: boolean }>;
}

/** n8n has this only since 1.123.21, and in n8n 2 since 2.6. */
type WithSettings = Partial<Pick<RunContext, 'getWorkflowSettings'>>;

/** The trigger of a workflow that another one calls. */
const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';

/** Reads from n8n what the next step depends on. */
export function standingOf(context: RunContext): Standing {
	const mode = context.getMode();
	const execution = context.getExecutionId();
	// By default, n8n saves failed executions.
	const { saveDataErrorExecution, saveManualExecutions } =
		(context as WithSettings).getWorkflowSettings?.() ?? {};
	const isTest = mode === 'manual';
	const isSaved = isTest ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
	// In a retry, only its trigger shows it.
	const isTrigger = (node: NodeTypeAndVersion) =>
		node.type === CALLED && context.getWorkflowDataProxy(0).$(node.name).isExecuted;
	const isCalled =
		mode === 'integrated' ||
		(mode === 'retry' && context.getParentNodes(context.getNode().name).some(isTrigger));
	const owner = isCalled
		? ` of the workflow "${context.getWorkflow().name}" (not the one that called it)`
		: '';
	return {
		execution: execution && isSaved ? `execution ${execution}${owner}` : undefined,
		isTest,
		isCalled,
		before: sentBefore(context),
	};
}

/** The nodes of this kind that have run before this one, or run beside it, but for those that only read. */
function sentBefore(context: RunContext): Standing['before'] {
	const { name, type } = context.getNode();
	const { $ } = context.getWorkflowDataProxy(0);
	const before = context.getParentNodes(name);
	const own = [name, ...[...before, ...context.getChildNodes(name)].map((node) => node.name)];
	const beside = before
		.flatMap((node) => context.getChildNodes(node.name))
		.filter((node) => !own.includes(node.name));
	const ran = before.filter((node) => node.name !== name && $(node.name).isExecuted);
	const others = new Map([...ran, ...beside].map((node) => [node.name, node]));
	return [...others.values()]
		.filter((node) => node.type === type && !node.disabled)
		.filter((node) => !/^get/.test($(node.name).params.operation as string))
		.map((node) => ({
			name: node.name,
			createsJobs: $(node.name).params.operation === 'create',
			hasRun: $(node.name).isExecuted as boolean,
		}));
}
