import type { INodeProperties } from 'n8n-workflow';

import { ENDPOINTS } from '../../../shared/service/endpoints';
import { collection } from '../../options/collection';
import { concurrencyOption } from '../../options/concurrency';
import { ifSuccessful, type Operation } from '../../run/operation';
import { BLACKLIST, blacklistToAddTo } from './field';
import { readItem, TYPE_CHOICES } from './typeAndValue';

export const addItemForm: INodeProperties[] = [
	blacklistToAddTo,
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: TYPE_CHOICES,
		default: 'email',
		description: 'The type of the value',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. name@example.com',
		description:
			'The value to exclude from future results. Enter a domain without https://, and without a path. For a column of customers, use Add Many Items: it leaves out shared sites such as facebook.com.',
		routing: { send: { type: 'body', property: 'value' } },
	},
	collection('Options', 'options', 'Add Option', [concurrencyOption]),
];

const ADDED = ifSuccessful({ success: true });

/** Create Blacklist: adds an item to the named list (service interface, section 4, rule 3). */
export const addItem: Operation = {
	...ENDPOINTS.addToBlacklist,
	changes: 'values',
	pathParameter: BLACKLIST,
	form: addItemForm,
	namedBy: 'value',
	bodyOf: readItem,
	parserOf: () => ADDED,
};
