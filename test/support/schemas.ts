import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

/** What n8n is told of the output items, as JSON Schema. */
export interface Schema extends IDataObject {
	properties: IDataObject;
}

const NODES = path.join(__dirname, '..', '..', 'nodes');
const OPERATIONS = 'BusinessListingSearch/__schema__/v1.0.0';

/** @param file without its ending, from `nodes` */
const read = (file: string) =>
	JSON.parse(readFileSync(path.join(NODES, `${file}.json`), 'utf8')) as Schema;

/** The schema of an operation: of Add Many Items with "Output" set to "Summary". */
export const schemaOf = (resource: string, operation: string) =>
	read(`${OPERATIONS}/${resource}/${operation}`);

export const triggerSchema = () => read('BusinessListingSearchTrigger/__schema__/v1.0.0');

/** The operations that have a schema, such as `job/create`. */
export function describedOperations(): string[] {
	const files = readdirSync(path.join(NODES, OPERATIONS), { recursive: true, encoding: 'utf8' });
	return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
}
