import { BusinessListingSearch } from '../../nodes/BusinessListingSearch/BusinessListingSearch.node';
import { CONTRACT } from '../support/contract';

const { description } = new BusinessListingSearch();
const { searchHint } = description.builderHint!;

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
});
