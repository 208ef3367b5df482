import type { IDataObject } from 'n8n-workflow';

/** The fields of an output item, as JSON Schema. */
export interface Output {
	type: 'object';
	properties: IDataObject;
	required: string[];
}

/**
 * Describes the output to n8n, whose editor and AI builder read it before a run. The build writes it
 * as a file; nothing reads it at run time.
 *
 * @param properties the JSON Schema of each field; every item has all of them
 */
export function outputSchema(properties: IDataObject): Output {
	return { type: 'object', properties, required: Object.keys(properties) };
}
