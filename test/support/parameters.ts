import type { IDataObject, INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';

import type { Form } from '../../nodes/shared/readField';

/** The value of "Blacklist" in the mode "Name". */
export function listNamed(value: unknown): INodeParameterResourceLocator {
	return { __rl: true, mode: 'name', value } as INodeParameterResourceLocator;
}

const blacklist = listNamed('customers');

/** Valid parameters of each operation. */
export const CREATE: INodeParameters = {
	resource: 'job',
	operation: 'create',
	keyword: '={{ $json.keyword ?? "dentist" }}',
};
/** For a test in which it matters how many jobs were created before something happened. */
export const ONE_BY_ONE: INodeParameters = { ...CREATE, options: { concurrency: 1 } };
export const ADD: INodeParameters = {
	resource: 'blacklist',
	operation: 'addItem',
	blacklist,
	type: 'domain',
	value: '={{ $json.value ?? "example.com" }}',
};
export const ADD_MANY: INodeParameters = {
	resource: 'blacklist',
	operation: 'addItems',
	blacklist,
	type: 'domain',
	values: '={{ $json.values ?? $json.value ?? "example.com" }}',
};
export const DELETE: INodeParameters = { resource: 'blacklist', operation: 'delete', blacklist };
export const LIST: INodeParameters = {
	resource: 'blacklist',
	operation: 'getAll',
	returnAll: true,
};
export const USAGE: INodeParameters = { resource: 'usage', operation: 'get' };

/** A form whose fields are all expressions, filled in by a person. */
export const BY_EXPRESSION: Form = { entered: () => '={{ $json.field }}' };

/** Every operation. */
export const OPERATIONS: Array<[name: string, method: string, parameters: INodeParameters]> = [
	['Job: Create', 'POST', CREATE],
	['Blacklist: Add Item', 'POST', ADD],
	['Blacklist: Add Many Items', 'POST', ADD_MANY],
	['Blacklist: Delete', 'DELETE', DELETE],
	['Blacklist: Get Many', 'GET', LIST],
	['Usage: Get', 'GET', USAGE],
];

/**
 * Items for `CREATE`, each with its own keyword. It ends in a dot, so that a fault for "keyword 1."
 * does not match "keyword 10.".
 */
export function keywords(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ keyword: `keyword ${index}.` }));
}

/** Items for `ADD` and `ADD_MANY`, each with its own domain. */
export function domains(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ value: `site-${index}.example.com` }));
}
