import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { customOperationOf, routingOf } from '../run/carryOut';
import type { Operation } from '../run/operation';
import { addItem, addItemForm } from './blacklist/addItem';
import { addItems, addItemsForm } from './blacklist/addItems';
import { deleteBlacklist, deleteForm } from './blacklist/delete';
import { getAll, getAllForm } from './blacklist/getAll';
import { createJob, createJobForm } from './job/create';
import { refuseUnknown } from './unknownOperation';
import { getUsage, getUsageForm } from './usage/get';

/** A choice of the field "Operation". */
interface Choice {
	option: Omit<INodePropertyOptions, 'value'>;
	/** The fields of its form. */
	form: INodeProperties[];
	/** What n8n calls with all input items. */
	run: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** A choice that n8n's own engine can carry out, too. */
function both(operation: Operation, form: INodeProperties[], option: Choice['option']): Choice {
	const routing = routingOf(operation);
	return { option: { ...option, routing }, form, run: customOperationOf(operation) };
}

/** All operations, by the values of "Resource" and "Operation", in the order of the form. */
const OPERATIONS: Record<string, Record<string, Choice>> = {
	job: {
		create: both(createJob, createJobForm, {
			name: 'Create',
			action: 'Create job',
			description:
				'Create a job that searches business listings by keyword. Returns its job_id. The leads do not come into n8n.',
		}),
	},
	blacklist: {
		addItem: both(addItem, addItemForm, {
			name: 'Add Item',
			action: 'Add item to blacklist',
			description: 'Add one value to a blacklist to exclude it from future results',
		}),
		addItems: {
			option: {
				name: 'Add Many Items',
				action: 'Add many items to blacklist',
				description:
					'Add the values of all input items to blacklists, with one request for each value',
				displayOptions: { hide: { '@tool': [true] } },
			},
			form: addItemsForm,
			run: addItems,
		},
		delete: both(deleteBlacklist, deleteForm, {
			name: 'Delete',
			action: 'Delete blacklist',
			description:
				'Delete a blacklist and all its items. Nothing brings it back, and each item costs a request to add again.',
		}),
		getAll: both(getAll, getAllForm, {
			name: 'Get Many',
			action: 'Get many blacklists',
			description: 'Get the blacklists of the account with their item counts',
		}),
	},
	usage: {
		get: both(getUsage, getUsageForm, {
			name: 'Get',
			action: 'Get usage',
			description: 'Get the usage of the account: its plan, and how many requests remain',
		}),
	},
};

/** The form of the node. */
export const PROPERTIES: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Blacklist', value: 'blacklist' },
			{ name: 'Job', value: 'job' },
			{ name: 'Usage', value: 'usage' },
		],
		default: 'job',
		routing: refuseUnknown,
	},
	...Object.entries(OPERATIONS).flatMap(([resource, choices]) => [
		operationField(resource, choices),
		...Object.entries(choices).flatMap(([operation, { form }]) =>
			updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, form),
		),
	]),
];

function operationField(resource: string, choices: Record<string, Choice>): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(choices).map(([value, { option }]) => ({ ...option, value })),
		// The first one. n8n's linter wants a literal, or a call.
		default: String(Object.keys(choices)[0]),
	};
}

/** What n8n calls for an operation, with all input items. */
export const CUSTOM_OPERATIONS = Object.fromEntries(
	Object.entries(OPERATIONS).map(([resource, choices]) => [
		resource,
		Object.fromEntries(Object.entries(choices).map(([operation, { run }]) => [operation, run])),
	]),
);
