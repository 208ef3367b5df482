import type { INodeProperties } from 'n8n-workflow';

import { routingOf } from '../../run/carryOut';
import { createJobFields, createJob } from './create';

export const job: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['job'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create job',
				description:
					'Create a job that searches business listings by keyword. Returns its job_id. The leads do not come into n8n.',
				routing: routingOf(createJob),
			},
		],
		default: 'create',
	},
	...createJobFields,
];
