import type { IDataObject } from 'n8n-workflow';

import type { Workflow } from '../../../../n8n/client';
import { createTables, exampleFiles, readExample, tablesOf } from '../../../../n8n/examples';
import type { Fault, FaultRule } from '../../../../sandbox';
import { status } from '../../../support/faults';
import { n8n, NODE_TYPE } from '../../n8n';

/** The columns that n8n adds. */
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

/** What a run meets, and whether a row that meets it is sent by the next run, because its request was certainly not carried out. */
export const FAULTS: Array<[what: string, fault: Fault, isSentAgain: boolean]> = [
	['400', status(400), true],
	['402', status(402), true],
	['500', status(500, { carryOut: true }), false],
	['a broken connection', { kind: 'drop', carryOut: true }, false],
];

/** An example whose nodes of this package have Dry Run on: it marks no row as done. */
export function withDryRun<Example extends { nodes: Array<{ type: string; parameters: object }> }>(
	example: Example,
): Example {
	const copy = structuredClone(example);
	for (const node of copy.nodes) {
		if (node.type !== NODE_TYPE) continue;
		const { options } = node.parameters as { options?: object };
		Object.assign(node.parameters, { options: { ...options, dryRun: true } });
	}
	return copy;
}

/** What a row says then. */
export const DRY_PROBLEM = 'Nothing was sent: "Dry Run" is on.';

/** Never answers, and carries out what it was sent: n8n is killed meanwhile. */
export const STALL = { kind: 'stall', carryOut: true } satisfies FaultRule['fault'];

/** Deletes all data tables after each test. */
export function useDataTables(): void {
	afterEach(async () => {
		const { client } = n8n();
		for (const name of (await client.tables.ids()).keys()) await client.tables.delete(name);
	});
}

/** Creates the data table of an example, as its first run does, and fills it. */
export async function fill(example: object, rows: IDataObject[]): Promise<void> {
	const { client } = n8n();
	const [table] = await createTables(client, example as Workflow);
	await client.tables.insert(table!, rows);
}

/** The rows of a data table in the order of insertion, without the columns that n8n adds. */
export async function rowsOf(name: string): Promise<IDataObject[]> {
	const rows = await n8n().client.tables.rows(name);
	return rows.map((row) =>
		Object.fromEntries(Object.entries(row).filter(([column]) => !SYSTEM_COLUMNS.includes(column))),
	);
}

/** The names of the data tables that the examples create, each once. */
export async function tablesOfExamples(): Promise<string[]> {
	const examples = await Promise.all((await exampleFiles()).map(readExample));
	return [...new Set(examples.flatMap(tablesOf).map(({ name }) => name))];
}
