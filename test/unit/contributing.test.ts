import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { readBaseUrl } from '../../nodes/shared/service/credentialFields';
import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { ENDPOINTS } from '../../sandbox/operations';
import { CONTRACT } from '../support/contract';
import { OPERATIONS } from '../support/parameters';
import { asOneLine, project, read, tracked } from '../support/repository';

// Steps of CONTRIBUTING.md that no other test would miss. Each title says what was left out.

const { properties } = new BusinessListingSearch().description;

const collections = properties.filter(({ type }) => type === 'collection');
const fieldsOf = ({ options }: INodeProperties) => options as INodeProperties[];
const nameInService = ({ routing }: INodeProperties) => routing?.send?.property;
const labels = (fields: INodeProperties[]) => fields.map(({ displayName }) => displayName);

describe('Add a field', () => {
	const isOfCreate = (shown: INodeProperties['displayOptions']) =>
		shown?.show?.operation?.includes('create');
	const fields = properties
		.filter(({ displayOptions }) => isOfCreate(displayOptions))
		.filter(({ name }) => name !== 'options')
		.flatMap((field) => (collections.includes(field) ? fieldsOf(field) : field));

	it('each field of Job: Create has its name in the service under `routing.send.property`', () => {
		expect(fields.length).toBeGreaterThan(8);
		expect(labels(fields.filter((field) => !nameInService(field)))).toEqual([]);
	});

	it('sandbox/operations.ts has each one in the schema of the body', () => {
		const { schema } = ENDPOINTS.find(({ path }) => path === '/api/v1/jobs')!;
		const known = Object.keys((schema!.body as { properties: object }).properties);
		expect(fields.flatMap((field) => nameInService(field) ?? []).sort()).toEqual(known.sort());
	});

	it('docs/jobs.md names each one, and each option, as on the screen', () => {
		const page = read('docs/jobs.md');
		const options = properties
			.filter(({ displayOptions, name }) => name === 'options' && isOfCreate(displayOptions))
			.flatMap(fieldsOf);
		expect(options).toHaveLength(5);
		const all = labels([...fields, ...options]);
		expect(all.filter((label) => !page.includes(`**${label}**`))).toEqual([]);
	});
});

describe('Add an operation', () => {
	it('OPERATIONS in test/support/parameters.ts has each one, for the tests of all', () => {
		expect(OPERATIONS.map(([, , { resource, operation }]) => [resource, operation])).toEqual(
			CONTRACT.map(({ resource, operation }) => [resource, operation]),
		);
	});

	it('ENDPOINTS in nodes/shared/service/endpoints.ts has each path, which people paste with the Base URL', () => {
		const address = 'https://service.example.com';
		const paths = CONTRACT.flatMap(({ endpoint }) => endpoint?.split(' ')[1] ?? []);
		const unknown = paths.filter(
			(path) => readBaseUrl(address + path.replace(/:\w+/g, 'any')) !== address,
		);
		expect(unknown).toEqual([]);
	});

	it('README.md names each one as on the screen', () => {
		const readme = read('README.md');
		const missing = CONTRACT.filter(({ action }) => !readme.includes(`**${action}**`));
		expect(missing.map(({ action }) => action)).toEqual([]);
	});

	it('Resource offers each resource', () => {
		const { options } = properties.find(({ name }) => name === 'resource')!;
		expect((options as INodePropertyOptions[]).map(({ value }) => value)).toEqual(
			[...new Set(CONTRACT.map(({ resource }) => resource))].sort(),
		);
	});
});

describe('docs/workflow-json.md', () => {
	type Parameters = Record<string, unknown>;
	const [, written = ''] = read('docs/workflow-json.md').split('\n## Every parameter');
	const [, json = ''] = /```json\n([^]*?)```/.exec(written) ?? [];
	const operations = JSON.parse(json) as Parameters[];
	const named = ([name, inner]: [string, unknown]) =>
		Array.isArray(inner) ? inner.map(([option]) => `${name}.${String(option)}`) : [name];
	const namesIn = (parameters: Parameters) =>
		Object.entries(parameters).flatMap(([name, value]) =>
			['filters', 'sort', 'options'].includes(name)
				? Object.keys(value as object).map((inner) => `${name}.${inner}`)
				: [name],
		);

	it('has every operation', () => {
		expect(operations.map(({ resource, operation }) => [resource, operation]).sort()).toEqual(
			CONTRACT.map(({ resource, operation }) => [resource, operation]).sort(),
		);
	});

	it.each(CONTRACT)(
		'names the fields of $resource, $operation, and no others',
		({ resource, operation, fields }) => {
			const written = operations.find(
				(each) => each.resource === resource && each.operation === operation,
			)!;
			expect(namesIn(written).sort()).toEqual(
				['resource', 'operation', ...fields.flatMap(named)].sort(),
			);
		},
	);
});

describe('CONTRIBUTING.md', () => {
	const page = read('CONTRIBUTING.md');
	const code = [...page.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
		([, text]) => text!,
	);
	const sources = tracked('*.ts', '*.cjs').map(read).join('\n');

	const paths = code.filter((text) =>
		/^(nodes|credentials|sandbox|n8n|bench|examples|test|docs|\.ci|\.github)\/[\w./-]*\w$/.test(
			text,
		),
	);
	// What the steps for a new operation create, or `npm start`.
	const isNew = (path: string) => /getPlans|n8n-data/.test(path);

	it.each([...new Set(paths)].filter((path) => !isNew(path)))('names %s, which exists', (path) => {
		expect(existsSync(join(project, path))).toBe(true);
	});

	const names = code.filter((text) => /^[A-Z][A-Z0-9_]{3,}$/.test(text));

	it.each([...new Set(names)])('names %s, which the code has', (name) => {
		expect(sources).toContain(name);
	});

	it('says on which versions of Node.js GitHub runs the tests', () => {
		const [, listed = ''] = /node: \[(.+)\]/.exec(read('.github/workflows/ci.yml')) ?? [];
		const [oldest, middle, newest] = listed.replaceAll("'", '').split(', ');
		expect(asOneLine('CONTRIBUTING.md')).toContain(`Node.js ${oldest}, ${middle} and ${newest}`);
	});

	it('docs/service.md has each section that a comment cites', () => {
		const sections = [...read('docs/service.md').matchAll(/^## (\d+)\./gm)].map(([, one]) => one!);
		const cited = [...sources.matchAll(/service interface,\s[\s*]*sections? (\d)(?: and (\d))?/g)]
			.flatMap(([, one, other]) => [one, other])
			.filter((one) => one !== undefined);
		expect(cited.length).toBeGreaterThan(10);
		expect(cited.filter((one) => !sections.includes(one))).toEqual([]);
	});
});
