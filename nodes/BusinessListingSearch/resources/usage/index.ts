import type { INodeProperties } from 'n8n-workflow';

import { getUsageFields, getUsageRouting } from './get';

export const usage: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['usage'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get usage',
				description: 'Get the plan and the remaining requests of the account',
				routing: getUsageRouting,
			},
		],
		default: 'get',
	},
	...getUsageFields,
];
