import { sleep } from 'n8n-workflow';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { RunOptions } from '../../shared/pacing/runLimit';
import type { ServiceRequest } from '../../shared/service/exchange';
import { asErrorItem, asNodeError } from '../../shared/errors/explain';
import type { Refused } from '../../shared/errors/failure';
import { CredentialLoader, credentialIdOf } from '../../shared/service/credential';
import { oneLine } from '../../shared/input';
import { readConcurrency } from '../options/concurrency';
import { inputFingerprint } from './identity';
import { isAgentTool } from './form';
import { Ledger } from './ledger';
import type { Operation } from './operation';
import { comesFromItself } from './ownOutput';
import { pathOf } from './urlPath';
import { arriveInBatches, readBatching, readConnection } from '../options/requestOptions';
import { Run } from './run';
import type { Identity, Plan, Task, TaskEnd } from './task';

/*
 * What this file stands on: how n8n's engine runs a declarative node (RoutingNode.runNode of n8n-core 2.41 and 1.122),
 * in the order in which it happens.
 *
 * 1. It goes through the items one by one, and builds the request of each (getRequestOptionsFromParameters). If that
 *    throws, it ends the node at once, and drops what the items before have begun. With Continue, it makes an error item
 *    of its own, and goes on: this item never arrives here.
 * 2. For each item it calls `pagination` (makeRequest), and does not wait for it. Without "Batching", all items arrive
 *    in one turn of the event loop. With it, they arrive in batches, with its interval in between.
 * 3. It waits for all (Promise.allSettled), and then throws the first rejection: what the other items returned is lost.
 *    With Continue it makes an error item of each rejection, without its pairing.
 * 4. Retry On Fail (WorkflowExecute.runNode) does all of it again, with the same execution data. n8n's Retry button
 *    does so in a new execution, with the data and the node's context that n8n stored.
 */

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

/** The items of each execution data: it is the only object that they share, also with the tries of Retry On Fail. */
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

/** The items that n8n passes together: they are carried out once the last has arrived. */
interface Arrival {
	tasks: Task[];
	complete: () => void;
	ends: Promise<TaskEnd[]>;
}

/** Makes tasks of the items that n8n's engine passes one by one, and a run of them. */
class Items {
	private readonly seen = new Set<number>();
	// Read once, because n8n copies the node each time.
	private readonly isTool: boolean;
	private readonly isOwnOutput: boolean;
	private readonly total: number;
	private readonly continues: boolean;
	/** Made at once: retries know each other by it even if n8n cannot build a later item. */
	private readonly ledger: Ledger;
	private readonly node: INode;
	/** Of the first item with valid values. */
	private limits: RunOptions | undefined;
	private arrival: Arrival | undefined;
	private run: Run | undefined;

	constructor(
		private readonly first: IExecuteSingleFunctions,
		private readonly operation: Operation,
	) {
		this.isTool = isAgentTool(first);
		this.isOwnOutput = comesFromItself(first);
		// An agent calls its tool for one item, with the execution data of its own items.
		this.total = this.isTool ? 1 : countItems(first);
		this.continues = first.continueOnFail() || this.isTool;
		this.node = first.getNode();
		this.ledger = new Ledger(first, this.isTool);
	}

	/** Whether an item can still join this run; if not, it is the first of another one. */
	canJoin(item: number): boolean {
		return !this.seen.has(item);
	}

	/** Adds an item. @returns its output items */
	async add(
		context: IExecuteSingleFunctions,
		built: ServiceRequest,
	): Promise<INodeExecutionData[]> {
		if (this.isOwnOutput) return [];
		this.seen.add(context.getItemIndex());
		const task = this.taskOf(context, built);
		const arrival = (this.arrival ??= this.nextArrival());
		const index = arrival.tasks.push(task) - 1;
		if (this.seen.size === this.total) arrival.complete();
		const ends = await arrival.ends;
		return this.outputOf(task, ends[index]!);
	}

	/**
	 * Without Continue, nothing is sent before all items have arrived: a later one that n8n cannot build drops those that
	 * wait here, and their jobs would be lost (1). With Continue, those that arrive in one turn are enough (2).
	 */
	private nextArrival(): Arrival {
		const tasks: Task[] = [];
		let complete = () => {};
		const all = new Promise<void>((resolve) => (complete = resolve));
		const ends = (this.continues ? sleep(0) : all).then(async () => {
			this.arrival = undefined;
			this.run ??= new Run(this.first, this.plan(), new CredentialLoader(), this.ledger);
			return await this.run.carryOut(tasks);
		});
		return { tasks, complete, ends };
	}

	private plan(): Plan {
		const { first, operation, seen, total, isTool } = this;
		return {
			total: arriveInBatches(first.getNodeParameter('requestOptions', {})) ? total : seen.size,
			nouns: { one: 'item', many: 'items' },
			limits: this.limits ?? {},
			...(operation.changes && { changes: operation.changes }),
			advice: operation.advice,
			admit: operation.admission?.(total),
			isTool,
			startsWithin: isMcpCall(first) ? MCP_STARTS_WITHIN : undefined,
			goesOnAfter: () => this.continues,
		};
	}

	private taskOf(context: IExecuteSingleFunctions, built: ServiceRequest): Task {
		const { operation } = this;
		const item = context.getItemIndex();
		const request = { ...built };
		const read: ReadOptions = { isDry: false };
		const refused =
			refusalIn('option', () => this.readOptions(context, request, read)) ??
			refusalIn('values', () => this.readValues(context, request));
		const name = oneLine(operation.nameOf?.(request));
		return {
			...read,
			context,
			item,
			label: name === undefined ? `Item ${item}` : `Item ${item} ("${name}")`,
			name,
			identity: this.identityOf(context, request),
			request,
			refused,
			parse: (response) => operation.parse.call(context, response),
		};
	}

	/** Reads first what the whole run has from its first valid item, so that a later refusal does not change it. */
	private readOptions(
		context: IExecuteSingleFunctions,
		request: ServiceRequest,
		read: ReadOptions,
	): void {
		const { operation } = this;
		read.isDry = operation.isDryRun?.call(context) ?? false;
		const requestOptions = context.getNodeParameter('requestOptions', {});
		const concurrency = readConcurrency(context.getNodeParameter('options.concurrency', ''));
		const limits = { concurrency, batching: readBatching(requestOptions) };
		this.limits ??= limits;
		Object.assign(request, readConnection(requestOptions));
		const jobLimits = operation.limits?.(context);
		if (jobLimits) read.limits = jobLimits;
		read.inputFields = operation.inputFields?.call(context, read.isDry);
	}

	/** Reads what a retry has again. The body comes last: it is checked as a whole. */
	private readValues(context: IExecuteSingleFunctions, request: ServiceRequest): void {
		const { operation } = this;
		request.url = pathOf(operation.path, operation.pathParameters ?? {}, context);
		operation.completeRequest?.call(context, request);
	}

	/**
	 * A tool has no input item: what the model asks for is in the request alone, and each retry of an execution counts
	 * the calls of its agent from the same number.
	 */
	private identityOf(context: IExecuteSingleFunctions, { url, body }: ServiceRequest): Identity {
		const { method, path, changes } = this.operation;
		const input = inputFingerprint(context.getInputData());
		const place = [method, path, context.getItemIndex(), input];
		const isJobOfItem = changes === 'jobs' && !this.isTool;
		return isJobOfItem ? { place } : { place, request: [credentialIdOf(this.node), url, body] };
	}

	/** @throws NodeApiError for a failure that ended the run */
	private outputOf(task: Task, end: TaskEnd): INodeExecutionData[] {
		const { context, item, inputFields, request } = task;
		if (end.kind === 'notStarted') return [];
		if (end.kind !== 'failed') {
			const checked = { dryRun: true, ...(request.body as IDataObject) };
			const output = end.kind === 'done' ? end.output : [checked];
			return output.map((json) => ({
				// The output's fields come first, and replace input fields of the same name.
				json: { ...json, ...inputFields, ...json },
				pairedItem: { item },
			}));
		}
		if (!this.continues) throw asNodeError(context.getNode(), end.told, item);
		return [asErrorItem(end.told, item)];
	}
}

/** What is read of the options of an item. */
type ReadOptions = Pick<Task, 'limits' | 'inputFields'> & { isDry: boolean };

/** Reads a part of the form. Thrown by `pagination`, a refusal would give no item of the documented shape. */
function refusalIn(of: Refused, read: () => void): Task['refused'] {
	try {
		read();
		return undefined;
	} catch (error) {
		return { error, of };
	}
}

/** Whether it is a tool that an MCP client has called. */
function isMcpCall(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.type === '@n8n/n8n-nodes-langchain.mcpTrigger';
}

/** How many items n8n's engine passes in this run. */
function countItems(context: IExecuteSingleFunctions): number {
	if (context.getNode().executeOnce === true) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}
