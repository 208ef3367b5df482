import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import codex from '../../nodes/BusinessListingSearch/BusinessListingSearch.node.json';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import packageJson from '../../package.json';

const { description } = new BusinessListingSearch();
const credential = new BusinessListingSearchApi();

function fieldsOf(resource: string, operation: string): string[] {
	return description.properties
		.filter(({ displayOptions }) => {
			const show = displayOptions?.show ?? {};
			return show.resource?.includes(resource) && show.operation?.includes(operation);
		})
		.map(({ name }) => name);
}

/** Other people's workflows hold these names: changing one breaks them. */
const OPERATIONS: Array<[resource: string, operation: string, action: string, fields: string[]]> = [
	['job', 'create', 'Create a job', ['keyword', 'groupName', 'filters', 'sort', 'options']],
	['blacklist', 'addItem', 'Add an item to a blacklist', ['blacklist', 'type', 'value', 'options']],
	[
		'blacklist',
		'addItems',
		'Add many items to a blacklist',
		['blacklist', 'type', 'values', 'options'],
	],
	['blacklist', 'delete', 'Delete a blacklist', ['blacklist']],
	['blacklist', 'getAll', 'Get many blacklists', ['returnAll', 'limit']],
	['usage', 'get', 'Get usage', ['simple']],
];

it('has the resources and operations of the contract', () => {
	const operations = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(({ value, action }) => [
				displayOptions!.show!.resource![0],
				value,
				action,
			]),
		);
	expect(operations).toEqual(
		OPERATIONS.map(([resource, value, action]) => [resource, value, action]),
	);
});

it.each(OPERATIONS)(
	'%s %s has the fields of the contract',
	(resource, operation, _action, fields) => {
		expect(fieldsOf(resource, operation)).toEqual(fields);
	},
);

it('has the collections of the contract', () => {
	const collections = description.properties.filter(({ type }) => type === 'collection');
	expect(
		collections.map(({ name, options }) => [
			name,
			(options as INodeProperties[]).map((option) => option.name),
		]),
	).toEqual([
		['filters', ['hasPhone', 'hasWebsite', 'maxReviews', 'minRating', 'minReviews']],
		['sort', ['sortBy', 'sortOrder']],
		['options', ['concurrency', 'minRemaining']],
		['options', ['concurrency']],
		['options', ['cleanValues', 'concurrency', 'output']],
	]);
});

it('declares the five endpoints, and sends each through the one send function', () => {
	const endpoints: unknown[] = [];
	for (const { name, options } of description.properties) {
		if (name !== 'operation') continue;
		for (const { routing } of options as INodePropertyOptions[]) {
			if (!routing?.request) continue;
			endpoints.push(`${routing.request?.method} ${routing.request?.url}`);
			expect(routing.send?.paginate).toBe(true);
		}
	}
	expect(endpoints).toEqual([
		'POST /api/v1/jobs',
		'POST /api/v1/blacklist/:name',
		'DELETE /api/v1/blacklist/:name',
		'GET /api/v1/blacklist',
		'GET /api/v1/usage',
	]);
	expect(Object.keys(new BusinessListingSearch().customOperations.blacklist)).toEqual(['addItems']);
	expect(description.requestOperations?.pagination).toBeInstanceOf(Function);
});

it('has the credential of the contract', () => {
	expect(credential.properties.map(({ name, default: value }) => [name, value])).toEqual([
		['baseUrl', ''],
		['apiKey', ''],
		['keyFormat', 'documented'],
	]);
	expect(description.credentials).toEqual([{ name: credential.name, required: true }]);
});

it('names files that are there', () => {
	const node = join('nodes', 'BusinessListingSearch');
	for (const [folder, icon] of [
		[node, description.icon],
		['credentials', credential.icon],
	] as const) {
		const { light, dark } = icon as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const file of [light, dark]) {
			expect(existsSync(join(folder, file.replace('file:', '')))).toBe(true);
		}
	}
	for (const file of [...packageJson.n8n.nodes, ...packageJson.n8n.credentials]) {
		expect(existsSync(file.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
		expect(dirname(file)).toMatch(/^dist\//);
	}
	expect(codex.node).toBe(`${packageJson.name}.${description.name}`);
});

it('ships nothing it needs at run time and runs nothing when it is installed', () => {
	expect(packageJson).not.toHaveProperty('dependencies');
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	for (const hook of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']) {
		expect(packageJson.scripts).not.toHaveProperty(hook);
	}
	expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"');
});
