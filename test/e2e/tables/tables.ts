import type { IDataObject } from 'n8n-workflow';

import { exampleFiles, readExample } from '../../../n8n/examples';
import { n8n } from '../n8n';

/** The columns that n8n adds. */
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

/** Deletes all data tables after each test. */
export function useDataTables(): void {
	afterEach(async () => {
		const { client } = n8n();
		for (const name of (await client.tables.ids()).keys()) await client.tables.delete(name);
	});
}

/** The rows of a data table in the order of insertion, without the columns that n8n adds. */
export async function rowsOf(name: string): Promise<IDataObject[]> {
	const rows = await n8n().client.tables.rows(name);
	return rows.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([column]) => !SYSTEM_COLUMNS.includes(column))),
	);
}

/** The names of the data tables that the examples create. */
export async function tablesOfExamples(): Promise<string[]> {
	const examples = await Promise.all((await exampleFiles()).map(readExample));
	return examples
		.flatMap(({ nodes }) => nodes.map(({ parameters }) => parameters.tableName))
		.filter((name) => typeof name === 'string');
}
