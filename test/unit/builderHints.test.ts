import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import packageJson from '../../package.json';
import { CONTRACT } from '../support/contract';

const { description } = new BusinessListingSearch();
const { searchHint, relatedNodes } = description.builderHint!;

it("the hint of n8n's AI builder refers only to what exists", () => {
	expect(searchHint).toContain(`the credential ${description.credentials![0]!.name}`);
	const names = CONTRACT.flatMap(({ operation, fields }) => [
		operation,
		...fields.flatMap(([name, inner]) =>
			Array.isArray(inner) ? inner.map(([option]) => `${name}.${String(option)}`) : [],
		),
	]);
	const named = searchHint!.match(/\b(?:options\.)?[a-z]+[A-Z]\w+/g)!;
	expect(named).toContain('addItems');
	const others = named.filter((name) => name !== description.credentials![0]!.name);
	expect(names).toEqual(expect.arrayContaining(others));
	const nodes = packageJson.n8n.nodes.map((file) => /(\w+)\.node\.js$/.exec(file)![1]!);
	expect(
		nodes.map((name) => `${packageJson.name}.${name[0]!.toLowerCase()}${name.slice(1)}`),
	).toEqual(expect.arrayContaining(relatedNodes!.map(({ nodeType }) => nodeType)));
});
