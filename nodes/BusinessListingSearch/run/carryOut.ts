import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { asFailure, Failure } from '../../shared/errors/failure';
import type { WayOn } from '../../shared/errors/outcomes';
import { oneLine } from '../../shared/input';
import { credentialIdOf } from '../../shared/service/credential';
import type { ServiceRequest } from '../../shared/service/exchange';
import { readRequestOptions } from '../options/requestOptions';
import type { Call } from '../form/call';
import { answer, customOperation } from './answer';
import { bodyOf, type Item } from '../form/item';
import type { Operation } from './operation';
import { Run } from './run';
import type { Task, TaskEnd } from './task';
import { pathOf } from './urlPath';

/*
 * An operation is data. n8n carries it out in two ways:
 *
 * - As a rule it calls the custom operation, once, with all items (WorkflowExecute.runNode of n8n-core 2.41 and 1.122,
 *   which looks it up by the values of "Resource" and "Operation").
 * - An agent before version 3, an MCP client and the test of a tool call `execute`, which is n8n's own engine for
 *   declarative nodes (RoutingNode.runNode). It builds the request of an item from the routing, evaluates each field
 *   four times, and passes the request to `pagination`.
 */

/** @returns what n8n calls with all items, for `customOperations` */
export function customOperationOf(operation: Operation) {
	const build = (item: Item) => bodyOf(item, operation.fields ?? []);
	return customOperation(async (call) => await carryOut(operation, call, build));
}

/**
 * The routing of an operation, for n8n's engine. Nothing is paginated: this is where a declarative node can send the
 * request itself.
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
				const input = { item: this.getInputData(), index: this.getItemIndex() };
				return await answer(this, [input], async (call) => {
					const build = () => {
						refuseOneByOne(operation, call);
						return options.body as IDataObject;
					};
					return await carryOut(operation, call, build);
				});
			},
		},
	};
}

/**
 * Refuses several items that n8n's engine passes one by one, as Engine 2.0 does: each would be a run of its own, without
 * a limit for all, and with nothing that keeps a job from being paid for twice.
 */
function refuseOneByOne({ changes }: Operation, { context, isTool }: Call): void {
	const { main } = context.getExecuteData().data;
	if (isTool || changes === undefined || (main?.[0]?.length ?? 1) <= 1) return;
	throw new Failure(
		'Not sent: Engine 2.0 of n8n passes the items to this operation one by one',
		'Set the engine of this workflow back to version 1, or pass one item in each execution.',
		{ wayOn: 'retry' },
	);
}

/**
 * Carries out an operation for all items of a call.
 *
 * @param build what the fields of an item give, by the service's names
 * @returns the output items; with Continue `{ error, message }` for an item that failed, paired with it
 * @throws NodeApiError that says what happened, what to do, and what the run had done
 */
async function carryOut(
	operation: Operation,
	call: Call,
	build: (item: Item) => IDataObject,
): Promise<INodeExecutionData[]> {
	const { changes, admit } = operation;
	const run = new Run(call, { noun: 'items', changes, admit });
	const ended = await run.carryOut(async (items, slice) => {
		const tasks: Task[] = [];
		for (const item of items) {
			if (slice.isOver) await slice.yieldToN8n();
			tasks.push(taskOf(operation, item, call, build));
		}
		return tasks;
	});
	return ended.flatMap(({ task, end }) => outputOf(task, end));
}

function taskOf(
	operation: Operation,
	item: Item,
	call: Call,
	build: (item: Item) => IDataObject,
): Task {
	const { method, path, pathParameter, namedBy = '' } = operation;
	const request: ServiceRequest = { method, url: path };
	const read: Pick<Task, 'isDry' | 'limits' | 'runOptions' | 'inputFields'> = { isDry: false };
	let parse: Task['parse'] = () => [];
	// First what the whole run has from its first valid item, so that a later refusal does not change it.
	const refused =
		refusalIn('retry', () => {
			const isDry = operation.isDryRun?.(item) ?? false;
			read.isDry = isDry;
			read.inputFields = operation.inputFields?.(item, isDry);
			const { limits, connection } = readRequestOptions(item);
			read.runOptions = limits;
			Object.assign(request, connection);
			const jobLimits = operation.limits?.(item);
			if (jobLimits) read.limits = jobLimits;
		}) ??
		refusalIn('content', () => {
			request.url = pathOf(path, pathParameter, item);
			parse = operation.parserOf(item);
			// The body comes last: it is checked as a whole.
			const built = build(item);
			request.body = built;
			request.body = operation.bodyOf?.(built, item);
		});
	const name = oneLine((request.body as IDataObject | undefined)?.[namedBy]);
	const { index } = item;
	return {
		...read,
		item: index,
		label: name === undefined ? `Item ${index}` : `Item ${index} ("${name}")`,
		name,
		identity: identityOf(operation, item, call, request),
		request,
		refused,
		parse,
	};
}

/**
 * A tool has no input item, and each retry counts the agent's calls from the same number, so only the request tells its
 * jobs apart.
 */
function identityOf(
	{ method, path, changes }: Operation,
	{ index, fingerprint }: Item,
	{ node, isTool }: Call,
	{ url, body }: ServiceRequest,
): unknown {
	const place = [method, path, index, fingerprint];
	const isJobOfItem = changes === 'jobs' && !isTool;
	return isJobOfItem ? place : [...place, credentialIdOf(node), url, body];
}

function outputOf({ item, inputFields, request }: Task, end: TaskEnd): INodeExecutionData[] {
	if (end.kind === 'notStarted') return [];
	if (end.kind === 'failed') return [end.errorItem];
	const checked = { dryRun: true, ...(request.body as IDataObject) };
	const output = end.kind === 'done' ? end.output : [checked];
	return output.map((json) => ({
		// The output's fields come first, and replace input fields of the same name.
		json: { ...json, ...inputFields, ...json },
		pairedItem: { item },
	}));
}

/** Reads a part of the form. @param wayOn after correcting it. @returns why it is refused */
function refusalIn(wayOn: WayOn, read: () => void): Failure | undefined {
	try {
		read();
		return undefined;
	} catch (error) {
		const failure = asFailure(error);
		const { message, whatToDo, facts } = failure;
		return wayOn === 'content' || facts.wayOn === wayOn
			? failure
			: new Failure(message, whatToDo, { ...facts, wayOn });
	}
}
