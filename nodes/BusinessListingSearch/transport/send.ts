import { NodeApiError } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	INodeExecutionData,
	PostReceiveAction,
	PreSendAction,
} from 'n8n-workflow';

import type { Answer } from './answer';
import { exchange } from './exchange';
import { explain } from './explain';
import type { Explanation, Refusal } from './failure';
import { Failure } from './failure';

/**
 * Refusals found while n8n's engine builds a request, by its options, until `send` reports them.
 * A `preSend` that throws would lose the pairing and the shape of an item's failure under Continue.
 */
const refusals = new WeakMap<object, unknown>();

/**
 * Wraps a check or a conversion of one operation's input, for `routing.send.preSend`.
 *
 * @param prepare returns the request to send; throws Refusal for input that must not be sent
 */
export function prepared(
	prepare: (this: IExecuteSingleFunctions, options: IHttpRequestOptions) => IHttpRequestOptions,
): PreSendAction {
	return async function (options) {
		if (refusals.has(options)) return options;
		try {
			return prepare.call(this, options);
		} catch (error) {
			refusals.set(options, error);
			return options;
		}
	};
}

/**
 * Wraps what one operation makes of an answer, for `routing.output.postReceive`.
 *
 * @param read returns the JSON of the output items; throws Failure for an undocumented answer
 */
export function received(
	read: (this: IExecuteSingleFunctions, answer: Answer) => IDataObject[],
): PostReceiveAction {
	return async function (_items, response) {
		return read.call(this, response as unknown as Answer).map((json) => ({ json }));
	};
}

/**
 * The one place through which the request of every declarative operation passes. n8n's engine calls
 * it once per item, as the node's `pagination` function, with the request that the routing built.
 *
 * @returns the operation's output items, or under Continue `{ error, message }`, paired with the item
 * @throws NodeApiError that says what happened and what to do
 */
export async function send(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const options = requestData.options as IHttpRequestOptions;
	const pairedItem = { item: this.getItemIndex() };
	try {
		if (refusals.has(options)) throw refusals.get(options);
		const answer = await exchange(this, options);
		const items = await readItems(this, requestData, answer as unknown as IN8nHttpFullResponse);
		return items.map(({ json }) => ({ json, pairedItem }));
	} catch (error) {
		const explanation = explanationOf(error, options.method ?? 'GET');
		if (this.continueOnFail()) {
			const { message, description } = explanation;
			return [{ json: { error: message, message: description }, pairedItem }];
		}
		throw asNodeError(this.getNode(), explanation, pairedItem.item);
	}
}

/** Runs what the operation declared under `routing.output.postReceive`. */
async function readItems(
	context: IExecuteSingleFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	answer: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	let items: INodeExecutionData[] = [];
	for (const { actions } of requestData.postReceive) {
		for (const action of actions) {
			if (typeof action === 'function') items = await action.call(context, items, answer);
		}
	}
	return items;
}

/** What a person is told of anything that was thrown on a request's way. */
export function explanationOf(error: unknown, method: string): Explanation {
	if (error instanceof Failure) return explain(error.trouble, method);
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
