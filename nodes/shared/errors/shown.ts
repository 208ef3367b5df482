import { NodeApiError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';

/** What a person or a model sees of a failure. */
export interface Shown {
	message: string;
	description: string;
	/** The HTTP status, if the service answered. */
	httpCode?: string | undefined;
	/** What n8n's editor shows under "Error details", and an error workflow reads. */
	context?: IDataObject | undefined;
	/** What a fault of this package threw, without the key. */
	cause?: unknown;
}

/**
 * Text as the HTML that n8n's editor makes of a description: a `<` would end it, and an entity would become its sign.
 */
export function asHtml(text: string): string {
	return text.replace(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
}

/**
 * Makes the error that n8n shows, with the status as `httpCode`.
 *
 * @param shown the description of an execution is HTML, that of a form is text
 */
export function asNodeError(node: INode, shown: Shown, itemIndex?: number) {
	const { description, httpCode, context, cause } = shown;
	// An execution whose message has this word in lower case looks cancelled to n8n, and offers no Retry.
	const message = shown.message.replace(/cancel(?=l?ed)/g, 'Cancel');
	const error = new NodeApiError(node, { message }, { description, httpCode, message, itemIndex });
	error.context = { ...context, ...error.context };
	// n8n replaces a message that contains a system code, even inside a word ("preEXISTing").
	return Object.assign(
		error,
		{ message, description, httpCode: httpCode ?? null },
		cause ? { cause } : {},
	);
}

/** The item that a failed one becomes with Continue. */
export function asErrorItem({ message, description }: Shown, item: number): INodeExecutionData {
	const json = { error: message, message: description };
	return { json, pairedItem: { item } };
}
