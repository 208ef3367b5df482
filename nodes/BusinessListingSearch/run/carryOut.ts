import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { asFailure, Failure } from '../../shared/errors/failure';
import { oneLine } from '../../shared/text';
import { credentialIdOf } from '../../shared/service/credential';
import type { ServiceRequest } from '../../shared/service/exchange';
import type { Call } from '../input/call';
import { answer, customOperation } from './customOperation';
import { bodyOf, sentFields, type Item, type SentField } from '../input/item';
import type { RunOptions } from '../options/runOptions';
import type { Operation } from './operation';
import { outputItems } from './outputItems';
import { Run } from './run';
import type { Task } from './task';
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
	return customOperation(async (call) => await carryOut(operation, call));
}

/**
 * The routing of an operation, for n8n's engine. Nothing is paginated: n8n gives a declarative node no other place
 * to send the request itself.
 */
export function routingOf(operation: Operation): INodePropertyRouting {
	return {
		request: { method: operation.method, url: operation.path },
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
				const input = { item: this.getInputData(), index: this.getItemIndex() };
				return await answer(this, [input], async (call) => await carryOut(operation, call));
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
	const isOneByOne = 'getItemIndex' in context && (main?.[0]?.length ?? 1) > 1;
	if (isTool || changes === undefined || !isOneByOne) return;
	throw new Failure(
		'Not sent: Engine 2.0 of n8n passes the items to this operation one by one',
		'Set the engine of this workflow back to version 1, or pass one item in each execution.',
		{ wayOn: 'retry' },
	);
}

/**
 * Carries out an operation for all items of a call.
 *
 * @returns the output items; with Continue `{ error, message }` for an item that failed, paired with it
 * @throws NodeApiError that says what happened, what to do, and what the run had done
 */
async function carryOut(operation: Operation, call: Call): Promise<INodeExecutionData[]> {
	const { changes, form, admit } = operation;
	const fields = sentFields(form);
	const run = new Run(call, { noun: 'items', changes, form, admit });
	return await run.carryOut(
		async (items, options, slice) => {
			const tasks: Task[] = [];
			for (const item of items) {
				if (slice.isOver) await slice.yieldToN8n();
				tasks.push(taskOf(operation, fields, options, item, call));
			}
			return tasks;
		},
		(states) => states.flatMap(outputItems),
	);
}

function taskOf(
	operation: Operation,
	fields: SentField[],
	{ connection, includeInputFields, dryRun = false }: RunOptions,
	item: Item,
	call: Call,
): Task {
	const { method, path, pathParameter, namedBy = '' } = operation;
	const request: ServiceRequest = { ...connection, method, url: path };
	const { index, json = {} } = item;
	let parse: Task['parse'] = () => [];
	let refused: Failure | undefined;
	try {
		refuseOneByOne(operation, call);
		request.url = pathOf(path, pathParameter, item);
		parse = operation.parserOf(item);
		// The body comes last: it is checked as a whole.
		const built = bodyOf(item, fields);
		request.body = built;
		request.body = operation.bodyOf?.(built, item);
	} catch (error) {
		refused = asFailure(error);
	}
	const name = oneLine((request.body as IDataObject | undefined)?.[namedBy]);
	return {
		item: index,
		label: name === undefined ? `Item ${index}` : `Item ${index} ("${name}")`,
		name,
		identity: identityOf(operation, item, call, request),
		request,
		refused,
		inputFields: includeInputFields ? operation.inputFields?.(json, dryRun) : undefined,
		parse,
	};
}

/**
 * For a job of an input item, the request is left out. A tool has no input item, so its calls need it: each retry
 * numbers them from the start again.
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
