import type { INodeParameters } from 'n8n-workflow';

const blacklist = { __rl: true, mode: 'name', value: 'customers' };

/** Parameters of each operation that work as they are. */
export const CREATE: INodeParameters = {
	resource: 'job',
	operation: 'create',
	keyword: '={{ $json.keyword ?? "dentist" }}',
};
export const ADD: INodeParameters = {
	resource: 'blacklist',
	operation: 'addItem',
	blacklist,
	type: 'domain',
	value: '={{ $json.value ?? "example.com" }}',
};
export const DELETE: INodeParameters = { resource: 'blacklist', operation: 'delete', blacklist };
export const LIST: INodeParameters = {
	resource: 'blacklist',
	operation: 'getAll',
	returnAll: true,
};
export const USAGE: INodeParameters = { resource: 'usage', operation: 'get' };
