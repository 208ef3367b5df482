import type { INodeProperties } from 'n8n-workflow';

/** A field with optional fields. @param add the text of its button */
export function collection(
	displayName: string,
	name: string,
	add: string,
	options: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: add,
		default: {},
		options,
	};
}
