import type { IDataObject, INodeParameterResourceLocator, INodeParameters } from 'n8n-workflow';

/** What "Blacklist" holds when the list is given by its name. */
export function listNamed(value: unknown): INodeParameterResourceLocator {
	return { __rl: true, mode: 'name', value } as INodeParameterResourceLocator;
}

const blacklist = listNamed('customers');

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
export const ADD_MANY: INodeParameters = {
	resource: 'blacklist',
	operation: 'addItems',
	blacklist,
	type: 'domain',
	values: '={{ $json.values ?? "example.com" }}',
};
export const DELETE: INodeParameters = { resource: 'blacklist', operation: 'delete', blacklist };
export const LIST: INodeParameters = {
	resource: 'blacklist',
	operation: 'getAll',
	returnAll: true,
};
export const USAGE: INodeParameters = { resource: 'usage', operation: 'get' };

/**
 * Items for `CREATE`, each with a keyword of its own. It ends in a dot, so that a fault that matches
 * "keyword 1." leaves "keyword 10." alone.
 */
export function keywords(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ keyword: `keyword ${index}.` }));
}

/** Items for `ADD`, each with a domain of its own. */
export function domains(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ value: `site-${index}.example.com` }));
}
