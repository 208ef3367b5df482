import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { explain } from './explain';
import type { Explanation } from './failure';
import { Failure, type Refusal } from './failure';

/** What a person is told of anything that was thrown on a request's way. */
export function explanationOf(error: unknown, method: string): Explanation {
	if (error instanceof Failure) return explain(error, method);
	const { message, description } = error as Partial<Refusal>;
	return {
		message: message ?? String(error),
		description: description ?? 'Check the values of this item.',
	};
}

/** The error n8n shows: the same sentences, and the status as `httpCode`. */
export function asNodeError(node: INode, explanation: Explanation, itemIndex?: number) {
	const { message, description, httpCode } = explanation;
	const error = new NodeApiError(node, { message }, { ...explanation, itemIndex });
	// n8n replaces a message in which it finds a system code, even inside a word ("preEXISTing").
	return Object.assign(error, { message, description, httpCode: httpCode ?? null });
}
