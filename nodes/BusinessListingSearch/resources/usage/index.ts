import type { INodeProperties } from 'n8n-workflow';

import { routingOf } from '../../run/carryOut';
import { getUsageFields, getUsage } from './get';

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
				description: 'Get the usage of the account: its plan, and how many requests remain',
				routing: routingOf(getUsage),
			},
		],
		default: 'get',
	},
	...getUsageFields,
];
