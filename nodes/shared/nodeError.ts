import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Explanation } from './explain';

/**
 * Makes the error that n8n shows: the explanation, with the status as `httpCode` and the `failure`
 * that n8n's schedulers read.
 */
export function asNodeError(node: INode, explanation: Explanation, itemIndex?: number) {
	const { description, httpCode, failure } = explanation;
	const message = withoutCancelWord(explanation.message);
	const error = new NodeApiError(node, { message }, { ...explanation, message, itemIndex });
	// n8n replaces a message that contains a system code, even inside a word ("preEXISTing"), and n8n
	// 1.123 ignores `failure` in the options.
	const kept = { message, description, httpCode: httpCode ?? null, ...(failure && { failure }) };
	return Object.assign(error, kept);
}

/**
 * n8n treats an execution as cancelled when its error message contains "canceled" or "cancelled" in
 * lower case, which a value or the service's message may contain.
 */
function withoutCancelWord(message: string): string {
	return message.replace(/cancel(?=l?ed)/g, 'Cancel');
}
