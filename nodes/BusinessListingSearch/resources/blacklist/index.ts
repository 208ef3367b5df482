import type { INodeProperties } from 'n8n-workflow';

import { routingOf } from '../../run/carryOut';
import { addItemFields, addItem } from './addItem';
import { addItemsFields } from './addItems';
import { blacklistFields } from './field';
import { deleteBlacklist } from './delete';
import { getAllFields, getAll } from './getAll';

export const blacklist: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['blacklist'] } },
		options: [
			{
				name: 'Add Item',
				value: 'addItem',
				action: 'Add item to blacklist',
				description: 'Add one value to a blacklist to exclude it from future results',
				routing: routingOf(addItem),
			},
			{
				name: 'Add Many Items',
				value: 'addItems',
				action: 'Add many items to blacklist',
				description:
					'Add the values of all input items to blacklists, with one request for each value',
				displayOptions: { hide: { '@tool': [true] } },
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete blacklist',
				description:
					'Delete a blacklist and all its items. Nothing brings it back, and each item costs a request to add again.',
				routing: routingOf(deleteBlacklist),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many blacklists',
				description: 'Get the blacklists of the account with their item counts',
				routing: routingOf(getAll),
			},
		],
		default: 'addItem',
	},
	...blacklistFields,
	...addItemFields,
	...addItemsFields,
	...getAllFields,
];
