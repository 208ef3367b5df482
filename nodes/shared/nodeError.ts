import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Explanation } from './explain';

/** The error n8n shows: the same sentences, and the status as `httpCode`. */
export function asNodeError(node: INode, explanation: Explanation, itemIndex?: number) {
	const { description, httpCode } = explanation;
	const message = withoutCancelWord(explanation.message);
	const error = new NodeApiError(node, { message }, { ...explanation, message, itemIndex });
	// n8n replaces a message in which it finds a system code, even inside a word ("preEXISTing").
	return Object.assign(error, { message, description, httpCode: httpCode ?? null });
}

/**
 * n8n takes an execution for cancelled when the message of its error contains "canceled" or
 * "cancelled", in lower case, and a value or the service may say that.
 */
function withoutCancelWord(message: string): string {
	return message.replace(/cancel(?=l?ed)/g, 'Cancel');
}
