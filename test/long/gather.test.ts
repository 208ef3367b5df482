import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { runWorkflow, workflowOf } from '../support/engine';
import { heapInUse } from '../support/heap';
import { ADD_MANY, domains } from '../support/parameters';
import {
	Collection,
	type Row,
} from '../../nodes/BusinessListingSearch/resources/blacklist/collection';
import { outputItems } from '../../nodes/BusinessListingSearch/resources/blacklist/outcome';
import { readSettings } from '../../nodes/BusinessListingSearch/resources/blacklist/settings';

/** Adds rows, and counts the places where n8n can work in between. */
function collectionOf(rows: number, rowOf: (row: number) => Partial<Row>, options = {}) {
	const collection = new Collection(readSettings(options, {}));
	let steps = 0;
	for (let row = 0; row < rows; row++) {
		const added = collection.add(row, {
			blacklist: 'customers',
			type: 'domain',
			...rowOf(row),
		} as Row);
		while (!added.next().done) steps += 1;
	}
	return { collection, steps };
}

describe('many values', () => {
	it.each<[string, object, (text: string) => unknown]>([
		['texts', {}, (text) => text],
		['texts, with Clean Values off', { cleanValues: false }, (text) => text],
		['lists, with Clean Values off', { cleanValues: false }, (text) => text.split(';')],
	])('of %s do not keep their source texts in memory', (_what, options, valuesOf) => {
		const filler = ' '.repeat(1_000_000);
		const before = heapInUse();
		// As an expression that builds a new text for each row.
		const rowOf = (row: number) => ({
			values: valuesOf(`Site-number-${row}.example.com;${row}${filler}`),
		});
		const { collection } = collectionOf(100, rowOf, options);
		const grown = heapInUse() - before;
		expect(collection.values).toHaveLength(200);
		// Of 100 MB of texts.
		expect(grown).toBeLessThan(20_000_000);
	});

	/* Splitting and cleaning them for each row would take an hour. */
	it('of a parameter without an expression are read once for each blacklist', () => {
		const values = Array.from({ length: 100_000 }, (_, index) => `site-${index}.example`).join();
		const blacklists = ['even', 'odd'];
		const { collection } = collectionOf(2_000, (row) => ({
			blacklist: blacklists[row % 2],
			values,
		}));
		expect(collection.values).toHaveLength(200_000);
		expect(collection.tallies.get('odd')).toMatchObject({ valid: 100_000_000, distinct: 100_000 });
	});

	const addresses = Array.from({ length: 2_000 }, (_, index) => `User.${index}@Example.com`);

	it.each<[string, (row: number) => unknown]>([
		['a list of all', () => [...addresses]],
		['a text of all', (row) => `${'\n'.repeat(row)}${addresses.join(', ')}`],
		['lists in a list', () => addresses.map((address) => `${address}; nobody`)],
	])('of rows with %s each are counted, and n8n can work in between', (_what, valuesOf) => {
		const rowOf = (row: number) => ({ type: 'auto' as const, values: valuesOf(row) });
		const { collection, steps } = collectionOf(500, rowOf);
		const { values, tallies, occurrences } = collection;
		const valid = values.filter(({ status }) => status === 'pending');
		expect(valid).toHaveLength(2_000);
		expect(tallies.get('customers')).toMatchObject({ valid: 1_000_000, distinct: 2_000 });
		const settings = readSettings({}, {});
		const gathered = { settings, values, tallies, occurrences, refused: [] };
		expect(outputItems(gathered)).toMatchObject([{ json: { duplicates: 998_000 } }]);
		expect(steps).toBeGreaterThan(3_000);
	});

	it.each([
		['commas', ','],
		['one value', 'a'],
		['line breaks', 'a.example\n'],
		['a Google Maps link', ',+Berlin'],
	])('in a text of ten million characters: %s', (_what, unit) => {
		const values = `google.com/maps/${unit.repeat(10_000_000 / unit.length)}`;
		const { steps } = collectionOf(1, () => ({ values }));
		// A single value is too long to be read.
		expect(steps).toBeGreaterThan(unit === 'a' ? 0 : 9_000);
	});
});

describe("when each of 1,000 input items returns all items' values", () => {
	const account = useSandbox({ remaining: 1_000_000 });
	useClock();

	it('each value is added once', async () => {
		const { sandbox, account: owner } = account();
		const parameters = {
			...ADD_MANY,
			values: '={{ $("Start").all().map(i => i.json.value) }}',
			options: { concurrency: 50 },
		};
		const { json, error } = await runWorkflow(workflowOf(parameters, domains(1_000)), owner);
		expect(error).toBeUndefined();
		expect(sandbox.requests).toHaveLength(1_000);
		expect(json).toEqual([
			{
				...{ blacklist: 'customers', added: 1_000, duplicates: 999_000 },
				...{ invalid: 0, failed: 0, problems: [] },
			},
		]);
	});
});
