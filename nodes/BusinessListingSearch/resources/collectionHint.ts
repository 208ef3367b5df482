/** n8n empties a collection that is an expression, so the node cannot refuse it. */
export const COLLECTION_HINT = {
	propertyHint: 'Set each field by itself: n8n ignores an expression for the whole collection.',
};
