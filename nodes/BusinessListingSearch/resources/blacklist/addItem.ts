import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { limited, prepared, received } from '../../transport/send';
import { concurrencyOption, readConcurrency } from '../concurrency';
import { addressBlacklist } from './blacklist';
import { readSuccess } from './success';
import { readItem, TYPE_CHOICES } from './values';

/** Create Blacklist: adds an item to the named list (service interface, section 4, rule 3). */
export const addItemRouting: INodePropertyRouting = {
	request: { method: 'POST', url: '/api/v1/blacklist/:name' },
	send: {
		paginate: true,
		preSend: [
			limited(readConcurrency(5)),
			addressBlacklist,
			// Not declared at the fields, as the name of the blacklist is not: see there.
			prepared(function (options) {
				options.body = readItem(this.getNodeParameter('type'), this.getNodeParameter('value'));
			}),
		],
	},
	output: {
		postReceive: [
			received((answer) => {
				readSuccess(answer);
				return [{ success: true }];
			}),
		],
	},
};

const displayOptions = { show: { resource: ['blacklist'], operation: ['addItem'] } };

export const addItemFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: TYPE_CHOICES,
		default: 'email',
		description: 'What the value is',
		displayOptions,
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. name@example.com',
		description: 'The value to leave out of the results from now on',
		displayOptions,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions,
		options: [concurrencyOption(5)],
	},
];
