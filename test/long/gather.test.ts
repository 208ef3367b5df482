import { BY_EXPRESSION } from '../support/parameters';
import { split } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/split';
import {
	DistinctValues,
	type Row,
} from '../../nodes/BusinessListingSearch/resources/blacklist/addItems/distinctValues';

/** Adds rows, and counts the places where n8n can work in between. */
function valuesOf(rows: number, pasted: (row: number) => unknown) {
	const distinct = new DistinctValues(BY_EXPRESSION);
	let steps = 0;
	for (let index = 0; index < rows; index++) {
		const values = pasted(index);
		const row: Row = {
			index,
			listKey: '',
			summaryKey: '',
			blacklist: 'customers',
			type: 'auto',
			values,
		};
		for (const part of split(values)) {
			steps += 1;
			if (part !== '') distinct.add(row, part);
		}
	}
	return { values: distinct.values, steps };
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
