import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import codex from '../../nodes/BusinessListingSearch/BusinessListingSearch.node.json';
import triggerCodex from '../../nodes/BusinessListingSearchTrigger/BusinessListingSearchTrigger.node.json';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import packageJson from '../../package.json';
import { CONTRACT } from '../support/contract';

const { description } = new BusinessListingSearch();
const credential = new BusinessListingSearchApi();

/** The fields as in the contract: their names and defaults, and the fields of a collection. */
function fieldsOf(properties: INodeProperties[]): unknown[] {
	return properties.map(({ name, type, default: value, options }) => [
		name,
		type === 'collection' ? fieldsOf(options as INodeProperties[]) : value,
	]);
}

function isShownFor(property: INodeProperties, resource: string, operation: string): boolean {
	const show = property.displayOptions?.show ?? {};
	return !!show.resource?.includes(resource) && !!show.operation?.includes(operation);
}

const OPERATIONS = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map((option) => ({
			resource: displayOptions!.show!.resource![0],
			...option,
		})),
	);

it('has the resources and operations of test/support/contract.ts', () => {
	expect(OPERATIONS.map(({ resource, value, action }) => [resource, value, action])).toEqual(
		CONTRACT.map(({ resource, operation, action }) => [resource, operation, action]),
	);
});

// n8n's linter does not see them: they are made of the table of operations.
it('shows the operations of a resource in alphabetical order, in title case', () => {
	for (const field of description.properties.filter(({ name }) => name === 'operation')) {
		const options = field.options as INodePropertyOptions[];
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(names.filter((name) => !/^[A-Z][a-z]+( [A-Z][a-z]+)*$/.test(name))).toEqual([]);
		expect(field.default).toBe(options[0]!.value);
	}
});

it.each(CONTRACT)(
	'$resource $operation has the fields of test/support/contract.ts',
	({ resource, operation, fields }) => {
		const shown = description.properties.filter((field) => isShownFor(field, resource, operation));
		expect(fieldsOf(shown)).toEqual(fields);
	},
);

it('has only the fields of the contract, and its collections are empty by default', () => {
	const others = description.properties.filter(
		(field) => !CONTRACT.some(({ resource, operation }) => isShownFor(field, resource, operation)),
	);
	expect([...new Set(others.map(({ name }) => name))]).toEqual(['resource', 'operation']);
	for (const { type, default: value } of description.properties) {
		if (type === 'collection') expect(value).toEqual({});
	}
});

it('has the credential of the contract', () => {
	expect(credential.properties.map(({ name, default: value }) => [name, value])).toEqual([
		['baseUrl', ''],
		['apiKey', ''],
		['keyFormat', 'documented'],
	]);
	expect(description.credentials).toEqual([{ name: credential.name, required: true }]);
});

it('package-lock.json has no line with "resolved": .npmrc keeps them out', () => {
	const lines = readFileSync('package-lock.json', 'utf8').split('\n');
	expect(lines.filter((line) => line.includes('"resolved"'))).toEqual([]);
});

it('links to its page on npm and the documentation of n8n, or all of it to its own repository', () => {
	const isOwned = 'repository' in packageJson;
	const page = expect.stringContaining(packageJson.homepage);
	for (const file of ['BusinessListingSearch', 'BusinessListingSearchTrigger']) {
		const codexFile = readFileSync(join('nodes', file, `${file}.node.json`), 'utf8');
		// Without the property, n8n ignores the whole file. Empty, the node links to its page on npm in n8n's editor.
		const links = {
			primaryDocumentation: [{ url: page }],
			credentialDocumentation: [{ url: page }],
		};
		expect(JSON.parse(codexFile)).toHaveProperty('resources', isOwned ? links : {});
	}
	// n8n's own page on how to create a credential.
	const ofN8n = 'https://docs.n8n.io/credentials/add-edit-credentials/';
	expect(credential.documentationUrl).toEqual(isOwned ? page : ofN8n);
});

// n8n's rule `valid-node-categories`, which its published linter does not have yet.
it('the categories are those of n8n', () => {
	const known = [
		...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
		...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility'],
	];
	expect(codex.node).toBe(`${packageJson.name}.${description.name}`);
	for (const { categories } of [codex, triggerCodex]) {
		expect(categories.filter((category) => !known.includes(category))).toEqual([]);
		expect(categories.length).toBeGreaterThan(0);
	}
});

describe('a field that is sent', () => {
	/** All fields below the operations, with those of collections. */
	const all = description.properties
		.filter(({ name }) => name !== 'resource' && name !== 'operation')
		.flatMap((field) => [
			field,
			...(field.type === 'collection' ? (field.options as INodeProperties[]) : []),
		]);
	const sent = all.filter(({ routing }) => routing !== undefined);

	// What else n8n's engine reads of a routing, the custom operation does not.
	it('is declared by its property in the body, and by nothing else', () => {
		expect(sent.length).toBeGreaterThan(10);
		for (const { routing } of sent) {
			const property = expect.stringMatching(/^[a-z_]+$/);
			expect(routing).toEqual({ send: { type: 'body', property } });
		}
	});

	it.each(CONTRACT)(
		'has a property of its own in $resource $operation',
		({ resource, operation }) => {
			const properties = all
				.filter((field) => isShownFor(field, resource, operation))
				.flatMap((field) => [
					field,
					...(field.type === 'collection' ? (field.options as INodeProperties[]) : []),
				])
				.flatMap(({ routing }) => routing?.send?.property ?? []);
			expect(new Set(properties).size).toBe(properties.length);
		},
	);

	it('is in no fixedCollection, and the node has no `execute`', () => {
		expect(all.filter(({ type }) => type === 'fixedCollection')).toEqual([]);
		expect('execute' in new BusinessListingSearch()).toBe(false);
	});
});
