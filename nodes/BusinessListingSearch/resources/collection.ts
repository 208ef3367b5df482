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
		builderHint: {
			// n8n empties a collection that is an expression, so the node cannot refuse it.
			propertyHint: 'Set each field by itself: n8n ignores an expression for the whole collection.',
		},
		options,
	};
}
