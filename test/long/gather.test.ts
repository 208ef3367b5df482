import { BY_EXPRESSION } from '../support/parameters';
import { split } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/split';
import { List } from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/list';

/** Adds rows, and counts the places where n8n can work in between. */
function valuesOf(rows: number, pasted: (row: number) => unknown) {
	const list = new List('customers', BY_EXPRESSION);
	let steps = 0;
	for (let row = 0; row < rows; row++) {
		for (const part of split(pasted(row))) {
			steps += 1;
			if (part !== '') list.add('auto', part, row);
		}
	}
	return { values: list.values, steps };
}

describe('many values', () => {
	const addresses = Array.from({ length: 2_000 }, (_, index) => `User.${index}@Example.com`);

	it.each<[string, (row: number) => unknown]>([
		['a list of all', () => [...addresses]],
		['a text of all', (row) => `${'\n'.repeat(row)}${addresses.join(', ')}`],
		['lists in a list', () => addresses.map((address) => `${address}; nobody`)],
	])('of rows with %s each are counted, and n8n can work in between', (_what, pasted) => {
		const { values, steps } = valuesOf(2_000, pasted);
		const valid = values.filter(({ status }) => status === 'pending');
		expect(valid).toHaveLength(2_000);
		expect(valid.every(({ times }) => times === 2_000)).toBe(true);
		expect(steps).toBeGreaterThanOrEqual(4_000_000);
	});
});
