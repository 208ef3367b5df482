import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { ENDPOINTS } from '../../../shared/service/endpoints';
import { collection } from '../../options/collection';
import { concurrencyOption } from '../../options/concurrency';
import { formOf } from '../../run/form';
import { routingOf } from '../../run/declarative';
import { ifSuccessful } from '../../run/operation';
import { BLACKLIST, BLACKLIST_NOT_FOUND } from './field';
import { readItem, TYPE_CHOICES } from './typeAndValue';

/** Create Blacklist: adds an item to the named list (service interface, section 4, rule 3). */
export const addItemRouting = routingOf({
	...ENDPOINTS.addToBlacklist,
	changes: 'values',
	pathParameters: { name: BLACKLIST },
	advice: BLACKLIST_NOT_FOUND,
	nameOf: ({ body }) => (body as IDataObject | undefined)?.value,
	completeRequest(request) {
		// Not declared at the fields, for the same reason as in `pathOf`.
		const [type, value] = [this.getNodeParameter('type'), this.getNodeParameter('value')];
		request.body = readItem(type, value, formOf(this));
	},
	parse: ifSuccessful({ success: true }),
});

const displayOptions = { show: { resource: ['blacklist'], operation: ['addItem'] } };

export const addItemFields: INodeProperties[] = updateDisplayOptions(displayOptions, [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: TYPE_CHOICES,
		default: 'email',
		description: 'The type of the value',
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
	},
	collection('Options', 'options', 'Add Option', [concurrencyOption]),
]);
