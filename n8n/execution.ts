import type { INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/** One run of a workflow. */
export interface Execution {
	id: string;
	/** `new`, `running`, `waiting`, `success`, `error`, `canceled` or `crashed`. */
	status: string;
	mode: string;
	data: IRunExecutionData;
}

/** The error of an execution, in the words the user sees. */
export interface ExecutionFailure {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	/** The node that the run stopped at. */
	node?: string;
}

/**
 * The output items of a node on a branch, in its last run of an execution.
 * @throws Error when the node did not run
 */
export function outputOf(execution: Execution, node: string, branch = 0): INodeExecutionData[] {
	const runs = execution.data.resultData.runData[node];
	if (runs === undefined) throw new Error(`"${node}" did not run in execution ${execution.id}.`);
	return runs.at(-1)?.data?.main?.[branch] ?? [];
}

/** The error of a node, or else of the whole run; undefined if there was none. */
export function errorOf(execution: Execution, node?: string): ExecutionFailure | undefined {
	const { runData, error: runError } = execution.data.resultData;
	const error = node === undefined ? runError : runData[node]?.at(-1)?.error;
	if (error === undefined) return undefined;
	return {
		message: error.message,
		description: error.description,
		httpCode: 'httpCode' in error ? error.httpCode : undefined,
		node: 'node' in error ? error.node?.name : node,
	};
}
