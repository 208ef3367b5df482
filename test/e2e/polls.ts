import type { INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import type { TestN8n } from './n8n';
import { until } from './until';

/** n8n allows no poll time of less than a minute, but many of them. */
export const pollTimes: INodeParameters = {
	item: Array.from({ length: 30 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${2 * index} * * * * *`,
	})),
};

/** Waits until an execution of a workflow has ended with this status. */
export async function executionThat(
	{ client, ended }: TestN8n,
	id: string,
	status: string,
): Promise<Execution> {
	const find = async () => (await client.listExecutions(id)).find((one) => one.status === status);
	await until(async () => (await find()) !== undefined);
	return await ended((await find())!.id);
}
