import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	PostReceiveAction,
	PreSendAction,
} from 'n8n-workflow';

import type { Answer } from './answer';
import type { ItemRequest } from './itemRun';
import { ItemRun } from './itemRun';

/** What an operation says of its request besides the request itself. */
interface Note {
	/** Why it must not be sent: `send` reports it, because a `preSend` that throws would lose the
	 * pairing and the shape of an item's failure under Continue. */
	refusal?: unknown;
	concurrency?: number;
	receipt?: string;
	guard?: ItemRequest['guard'];
}

const notes = new WeakMap<object, Note>();

function noteOf(options: object): Note {
	const note = notes.get(options) ?? {};
	notes.set(options, note);
	return note;
}

const runs = new WeakMap<IExecuteData, ItemRun>();

/** How many requests of a run are under way at once where an operation says nothing else. */
const DEFAULT_CONCURRENCY = 5;

/**
 * Wraps a check or a conversion of one operation's input, for `routing.send.preSend`.
 *
 * @param prepare changes the request where it has to; throws Refusal for input that must not be sent
 */
export function prepared(
	prepare: (this: IExecuteSingleFunctions, options: IHttpRequestOptions) => void,
): PreSendAction {
	return async function (options) {
		const note = noteOf(options);
		if (note.refusal) return options;
		try {
			prepare.call(this, options);
		} catch (error) {
			note.refusal = error;
		}
		return options;
	};
}

/**
 * For `routing.send.preSend`: how many requests of this operation may be under way at once.
 *
 * @param read reads what a person entered; throws Refusal for what cannot be
 */
export function limited(read: (this: IExecuteSingleFunctions) => number): PreSendAction {
	return prepared(function (options) {
		noteOf(options).concurrency = read.call(this);
	});
}

/**
 * For `routing.send.preSend`: a field of the output that must not be lost when the run ends early.
 */
export function keeping(receipt: string): PreSendAction {
	return prepared((options) => {
		noteOf(options).receipt = receipt;
	});
}

/**
 * For `routing.send.preSend`: a look, before an item is sent, whether it should be.
 *
 * @param choose returns that look for an item, or undefined where there is none; throws Refusal for
 * input that cannot be
 */
export function guarded(
	choose: (this: IExecuteSingleFunctions) => ItemRequest['guard'],
): PreSendAction {
	return prepared(function (options) {
		noteOf(options).guard = choose.call(this);
	});
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
 * @throws NodeApiError that says what happened, what to do, and what of the run was done
 */
export async function send(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const options = requestData.options as IHttpRequestOptions;
	const { concurrency = DEFAULT_CONCURRENCY, ...note } = noteOf(options);
	const item = this.getItemIndex();
	return await runOf(this, item).add({
		context: this,
		item,
		options,
		concurrency,
		...note,
		read: async (answer) => await readOutput(this, requestData, answer),
	});
}

/** The run an item belongs to; all items of one share n8n's execution data, and so do its tries. */
function runOf(context: IExecutePaginationFunctions, item: number): ItemRun {
	const executeData = context.getExecuteData();
	const current = runs.get(executeData);
	if (current?.awaits(item)) return current;
	const next = new ItemRun(context);
	runs.set(executeData, next);
	return next;
}

/** Runs what the operation declared under `routing.output.postReceive`. */
async function readOutput(
	context: IExecuteSingleFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	answer: Answer,
): Promise<IDataObject[]> {
	let items: INodeExecutionData[] = [];
	for (const { actions } of requestData.postReceive) {
		for (const action of actions) {
			if (typeof action !== 'function') continue;
			items = await action.call(context, items, answer as unknown as IN8nHttpFullResponse);
		}
	}
	return items.map(({ json }) => json);
}
