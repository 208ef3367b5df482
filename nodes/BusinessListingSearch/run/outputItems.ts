import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { TaskState } from './task';

/** Makes the output items of a task, linked to its input item; none if it was not started. */
export function outputItems({ task, end }: TaskState): INodeExecutionData[] {
	const { item, inputFields, request } = task;
	if (!end || end.kind === 'notStarted') return [];
	if (end.kind === 'failed') return [end.errorItem];
	const checked = { dryRun: true, ...(request.body as IDataObject) };
	const output = end.kind === 'done' ? end.output : [checked];
	return output.map((json) => ({
		// The output's fields come first, and replace input fields of the same name. With the spread syntax,
		// 30,000 rows of 60 fields take Node.js 20 seven seconds.
		json: Object.assign({}, json, inputFields, json),
		pairedItem: { item },
	}));
}
