import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import packageJson from '../../package.json';

const { description } = new BusinessListingSearch();

type Described = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A property, its choices or fields, and everything inside them. */
function within(item: Described): Described[] {
	const inner = [
		...('options' in item ? (item.options ?? []) : []),
		...('values' in item ? item.values : []),
	];
	return [item, ...inner.flatMap(within)];
}

const all = description.properties.flatMap(within);
const hinted = all.filter(({ builderHint }) => builderHint !== undefined);

it('has only fields that the types of n8n 2.41 define', () => {
	expect(Object.keys(description.builderHint!).sort()).toEqual(['relatedNodes', 'searchHint']);
	for (const related of description.builderHint!.relatedNodes!) {
		expect(Object.keys(related).sort()).toEqual(['nodeType', 'relationHint']);
	}
	expect(hinted.length).toBeGreaterThan(5);
	for (const { builderHint } of hinted) expect(Object.keys(builderHint!)).toEqual(['propertyHint']);
});

it('has none where n8n would refuse to load the node', () => {
	const refused = hinted.filter(
		(item) => 'type' in item && ['resource', 'operation', 'mode'].includes(item.name),
	);
	expect(refused).toEqual([]);
});

it('contains no expression', () => {
	const texts = JSON.stringify([
		description.builderHint,
		...hinted.map((item) => item.builderHint),
	]);
	expect(texts).not.toMatch(/=?\{\{/);
});

it('refers only to what exists', () => {
	const { searchHint, relatedNodes } = description.builderHint!;
	expect(searchHint).toContain(`the credential ${description.credentials![0]!.name}`);
	const values = all.flatMap((item) => ('value' in item ? [item.value] : []));
	expect(searchHint).toContain('use addItems');
	expect(values).toContain('addItems');
	const names = packageJson.n8n.nodes.map((file) => /(\w+)\.node\.js$/.exec(file)![1]!);
	expect(
		names.map((name) => `${packageJson.name}.${name[0]!.toLowerCase()}${name.slice(1)}`),
	).toEqual(expect.arrayContaining(relatedNodes!.map(({ nodeType }) => nodeType)));
});
