import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

function optionOf(resource: string, operation: string): INodePropertyOptions {
	return OPERATIONS.find((option) => option.resource === resource && option.value === operation)!;
}

it('has the resources and operations of test/support/contract.ts', () => {
	expect(OPERATIONS.map(({ resource, value, action }) => [resource, value, action])).toEqual(
		CONTRACT.map(({ resource, operation, action }) => [resource, operation, action]),
	);
});

it.each(CONTRACT)(
	'$resource $operation has the fields of test/support/contract.ts',
	({ resource, operation, fields }) => {
		const shown = description.properties.filter((field) => isShownFor(field, resource, operation));
		expect(fieldsOf(shown)).toEqual(fields);
	},
);

const FOR_A_NEW_ONE = 'For a new one, type its name into the search, and choose it with "(new)"';

it.each([
	['addItem', FOR_A_NEW_ONE],
	['addItems', FOR_A_NEW_ONE],
	['delete', undefined],
])('blacklist %s has the hint %p below its list', (operation, hint) => {
	const fields = description.properties.filter(
		(field) => field.name === 'blacklist' && isShownFor(field, 'blacklist', operation),
	);
	expect(fields.map(({ modes }) => modes!.map((mode) => mode.hint))).toEqual([[hint, undefined]]);
});

it('has only the fields of the contract, and its collections are empty by default', () => {
	const others = description.properties.filter(
		(field) => !CONTRACT.some(({ resource, operation }) => isShownFor(field, resource, operation)),
	);
	expect([...new Set(others.map(({ name }) => name))]).toEqual(['resource', 'operation']);
	for (const { type, default: value } of description.properties) {
		if (type === 'collection') expect(value).toEqual({});
	}
});

it.each(CONTRACT.filter(({ endpoint }) => endpoint))(
	'$resource $operation sends $endpoint, through the run',
	({ resource, operation, endpoint }) => {
		const { routing } = optionOf(resource, operation);
		expect(`${routing?.request?.method} ${routing?.request?.url}`).toBe(endpoint);
		expect(routing?.send?.paginate).toBe(true);
		expect(routing?.operations?.pagination).toBeInstanceOf(Function);
	},
);

it('has the custom operations of the contract', () => {
	const custom = CONTRACT.filter(({ endpoint }) => !endpoint);
	expect(
		Object.entries(new BusinessListingSearch().customOperations).flatMap(([resource, operations]) =>
			Object.keys(operations).map((operation) => [resource, operation]),
		),
	).toEqual(custom.map(({ resource, operation }) => [resource, operation]));
	for (const { resource, operation } of custom) {
		expect(optionOf(resource, operation).routing).toBeUndefined();
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

it('refers to existing files', () => {
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

it('has no runtime dependencies and no install scripts', () => {
	expect(packageJson).not.toHaveProperty('dependencies');
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	for (const hook of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']) {
		expect(packageJson.scripts).not.toHaveProperty(hook);
	}
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

it('cannot be published until its owner has set the homepage, the author and the repository', () => {
	const { homepage, author } = packageJson;
	const isPrivate = 'private' in packageJson && packageJson.private;
	const isOwned =
		'repository' in packageJson && !`${homepage} ${author.email}`.includes('example.');
	expect(isOwned || isPrivate).toBe(true);
});

// n8n's rule `valid-node-categories`, which its published linter does not have yet.
it('the categories are those of n8n', () => {
	const known = [
		...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
		...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility'],
	];
	for (const { categories } of [codex, triggerCodex]) {
		expect(categories.filter((category) => !known.includes(category))).toEqual([]);
		expect(categories.length).toBeGreaterThan(0);
	}
});
