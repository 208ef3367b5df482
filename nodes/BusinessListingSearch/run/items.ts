import { sleep } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { RunOptions } from '../../shared/account/runLimit';
import type { ServiceRequest } from '../../shared/http/exchange';
import { asErrorItem, asNodeError } from '../../shared/errors/explain';
import { oneLine } from '../../shared/input';
import { readConcurrency } from './concurrency';
import { inputFingerprint } from './fingerprint';
import { isAgentTool } from './form';
import type { Operation } from './operation';
import { pathOf } from './path';
import { arriveInBatches, readBatching, readCommon } from './requestOptions';
import { Run } from './run';
import type { Guard, TaskEnd } from './task';

/**
 * The routing of an operation. n8n's engine calls its `pagination` for each item, with the request it
 * built. Nothing is paginated: this is where a declarative node can send the request itself.
 *
 * `pagination` returns the operation's output items, or with Continue `{ error, message }`, paired
 * with the item. It throws a NodeApiError that says what happened, what to do, and what the run had
 * done.
 */
export function routingOf(operation: Operation): INodePropertyRouting {
	return {
		request: { method: operation.method, url: operation.path },
		send: { paginate: true },
		operations: {
			async pagination(
				this: IExecutePaginationFunctions,
				{ options }: DeclarativeRestApiSettings.ResultOptions,
			): Promise<INodeExecutionData[]> {
				return await itemsOf(this, operation).add(this, options as ServiceRequest);
			},
		},
	};
}

/**
 * The run of each execution data. n8n's engine passes every item separately, and the execution data
 * is the only object that the items of a run and the attempts of Retry On Fail share.
 */
const itemsByData = new WeakMap<IExecuteData, Items>();

function itemsOf(context: IExecuteSingleFunctions, operation: Operation): Items {
	const executeData = context.getExecuteData();
	const current = itemsByData.get(executeData);
	if (current?.canJoin(context.getItemIndex())) return current;
	const next = new Items(context, operation);
	itemsByData.set(executeData, next);
	return next;
}

/**
 * How long a call from an MCP client may start requests, in milliseconds. The client gives up after a minute by
 * default, and its model calls again: what is sent then is paid for twice.
 */
const MCP_STARTS_WITHIN = 45_000;

/** A request with the options of its item. */
interface ItemRequest {
	request: ServiceRequest;
	/** The reason not to send it, if there is one. */
	refusal?: unknown;
	/** Whether it is refused for its values, which a retry has again. */
	isInvalid?: boolean;
	/** Undefined if "Concurrency" or "Batching" is invalid. */
	limits?: RunOptions;
	guards?: Guard[];
	/** The fields of the input item that its output contains. */
	inputFields?: IDataObject;
}

/** Collects the items that n8n's engine passes one by one, and adds them to a run. */
class Items {
	private readonly seen = new Set<number>();
	/** Read once, because n8n copies the node each time. */
	private readonly isTool: boolean;
	private readonly total: number;
	private readonly continues: boolean;
	private readonly arriveInBatches: boolean;
	private readonly run: Run;
	private readonly guards: Array<(this: IExecuteSingleFunctions) => Guard>;
	/** Of the first item with valid values. */
	private limits: RunOptions | undefined;

	constructor(
		first: IExecuteSingleFunctions,
		private readonly operation: Operation,
	) {
		this.isTool = isAgentTool(first);
		// An agent calls its tool for one item, with the execution data of its own items.
		this.total = this.isTool ? 1 : countItems(first);
		this.continues = first.continueOnFail() || this.isTool;
		this.arriveInBatches = arriveInBatches(first.getNodeParameter('requestOptions', {}));
		this.guards = operation.guards?.map((guard) => guard(this.total)) ?? [];
		this.run = new Run(first, {
			total: this.total,
			what: 'items',
			lane: operation.createsJobs ? 'jobs' : 'others',
			idField: operation.idField,
			advice: operation.advice,
			isTool: this.isTool,
			startsWithin: isMcpCall(first) ? MCP_STARTS_WITHIN : undefined,
			goesOnAfter: () => this.continues,
		});
	}

	/** Whether an item can still join this run; if not, it is the first of another one. */
	canJoin(item: number): boolean {
		return !this.seen.has(item) && this.seen.size < this.total;
	}

	/**
	 * Adds an item. Without Continue, nothing is sent before all items have arrived: if n8n cannot build
	 * the request of a later item, it fails the node at once and drops the items that wait here, which
	 * must not become orphaned jobs. With Continue, items that cannot be built never arrive.
	 */
	async add(
		context: IExecuteSingleFunctions,
		built: ServiceRequest,
	): Promise<INodeExecutionData[]> {
		const item = context.getItemIndex();
		this.seen.add(item);
		const { request, refusal, guards, limits, inputFields, isInvalid } = this.readItem(
			context,
			built,
		);
		const name = oneLine(this.operation.nameOf?.(request));
		this.limits ??= limits;
		const ending = this.run.add({
			context,
			item,
			label: name === undefined ? `Item ${item}` : `Item ${item} ("${name}")`,
			name,
			identity: this.identityOf(context, request),
			request,
			refusal,
			isInvalid,
			guards,
			parse: (response) => this.operation.parse.call(context, response),
		});
		if (this.seen.size === this.total) this.start();
		// n8n passes the others in this same turn of the event loop.
		else if (this.continues && this.seen.size === 1) void sleep(0).then(() => this.start());
		return this.outputOf(context, await ending, inputFields);
	}

	private start(): void {
		// With Continue, n8n has passed all it could build by now, unless it uses batches.
		const total = this.arriveInBatches ? this.total : this.seen.size;
		this.run.start(this.limits ?? {}, total);
	}

	private readItem(context: IExecuteSingleFunctions, built: ServiceRequest): ItemRequest {
		const { operation } = this;
		const read: ItemRequest = { request: { ...built } };
		let optionsAreValid = false;
		try {
			const requestOptions = context.getNodeParameter('requestOptions', {});
			const concurrency = readConcurrency(context.getNodeParameter('options.concurrency', ''));
			read.limits = { concurrency, batching: readBatching(requestOptions) };
			Object.assign(read.request, readCommon(requestOptions));
			read.guards = this.guards.map((guardOf) => guardOf.call(context));
			if (operation.includesInputFields?.call(context)) read.inputFields = inputFieldsOf(context);
			optionsAreValid = true;
			read.request.url = pathOf(operation.path, operation.pathParameters ?? {}, context);
			operation.completeRequest?.call(context, read.request);
		} catch (refusal) {
			// If thrown here, it would not give an item of the documented shape with Continue.
			Object.assign(read, { refusal, isInvalid: optionsAreValid });
		}
		return read;
	}

	/**
	 * Identifies an item across attempts of the run: its index and its input, because the values of
	 * expressions can change. A tool has no input item: what the model asks for is in the request alone, and each
	 * retry of an execution counts the calls of its agent from the same number.
	 */
	private identityOf(context: IExecuteSingleFunctions, { url, body }: ServiceRequest): unknown {
		const input = inputFingerprint(context.getInputData());
		return [context.getItemIndex(), input, ...(this.isTool ? [url, body] : [])];
	}

	/** @throws NodeApiError for a failure that ended the run */
	private outputOf(
		context: IExecuteSingleFunctions,
		end: TaskEnd,
		inputFields?: IDataObject,
	): INodeExecutionData[] {
		const item = context.getItemIndex();
		if (end.kind === 'notStarted') return [];
		if (end.kind === 'done') {
			return end.output.map((json) => ({
				json: { ...inputFields, ...json },
				pairedItem: { item },
			}));
		}
		if (!this.continues) throw asNodeError(context.getNode(), end.explanation, item);
		return [asErrorItem(end.explanation, item)];
	}
}

/** Whether it is a tool that an MCP client has called. */
function isMcpCall(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.type === '@n8n/n8n-nodes-langchain.mcpTrigger';
}

/**
 * Without a field named `error`: n8n takes a node whose first output item has one for failed. Nor the
 * `message` that an error output writes with it: the new job would seem to have failed.
 */
function inputFieldsOf(context: IExecuteSingleFunctions): IDataObject {
	const { error, ...fields } = context.getInputData().json;
	if (error && typeof error === 'string' && typeof fields.message === 'string')
		delete fields.message;
	return fields;
}

/** How many items n8n's engine passes in this run. */
function countItems(context: IExecuteSingleFunctions): number {
	if (context.getNode().executeOnce === true) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}
