import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Answer } from '../../transport/answer';
import type { Explanation } from '../../transport/failure';
import { Failure, isUncertain, Refusal } from '../../transport/failure';
import { asNodeError, explanationOf } from '../../transport/nodeError';
import { openMemory } from '../../transport/memory';
import { Once } from '../../transport/once';
import { Progress } from '../../transport/progress';
import { Queue } from '../../transport/queue';
import { Requester, Stopped } from '../../transport/requester';
import { prepared } from '../../transport/send';
import { summarize } from '../../transport/summary';
import { concurrencyOption } from '../concurrency';
import { blacklistSegment } from './blacklist';
import { collect, type Entry } from './collect';
import { commonRequest, readInput } from './addItemsInput';
import { outputItems, summarizeEntries } from './outcome';
import { readSuccess } from './success';
import { TYPE_CHOICES } from './values';

/**
 * Where n8n knows no step over all rows, as with some of its AI agents, it takes the operation for a
 * declarative one. It is hidden there; if a workflow has it all the same, nothing may be sent. This
 * stands at a field, because n8n leaves out the routing of an operation that is hidden.
 */
const refusedAsTool: INodePropertyRouting = {
	send: {
		paginate: true,
		preSend: [
			prepared(() => {
				throw new Refusal(
					'"Add Many Items" cannot be run as a tool',
					'Choose "Add Item" as the operation, and call it once for each value.',
				);
			}),
		],
	},
};

const displayOptions = { show: { resource: ['blacklist'], operation: ['addItems'] } };

export const addItemsFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{
				name: 'Auto-Detect',
				value: 'auto',
				description: 'Tell by the value itself; what cannot be told is reported and not sent',
			},
			...TYPE_CHOICES,
		],
		default: 'auto',
		description: 'What the values are',
		displayOptions,
	},
	{
		displayName: 'Values',
		name: 'values',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. name@example.com, other@example.com',
		description:
			'The values of this input item: one, many separated by commas, semicolons or line breaks, or an array by expression. The values of all input items are added together, each of them once.',
		displayOptions,
		routing: refusedAsTool,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions,
		options: [
			{
				displayName: 'Clean Values',
				name: 'cleanValues',
				type: 'boolean',
				default: true,
				description:
					'Whether to take out of each value what does not belong to it, such as https:// around a domain or a name around an email address',
			},
			concurrencyOption(5),
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{
						name: 'Each Value',
						value: 'items',
						description: 'An output item for each value, with what became of it',
					},
					{
						name: 'Summary',
						value: 'summary',
						description: 'An output item for each blacklist, with counts and what did not work out',
					},
				],
				default: 'summary',
				description: 'What to put out',
			},
		],
	},
];

/** What the service answers to a value it does not want; the other values are not concerned. */
const REJECTED = new Set([400, 409, 422]);

/**
 * Adds the values of all input rows to blacklists, one request a value (service interface, section 4,
 * rule 3), as one step over all rows.
 *
 * @returns a summary for each blacklist, or an item for each value, linked to the rows of the values
 * @throws NodeApiError for input that cannot be, before anything is sent, and for what concerns the
 * whole run; its description says what had been added. With Continue neither ends the run.
 */
export async function addItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { rows, refused, settings } = readInput(this);
	const entries = collect(rows, settings.cleans);
	await sendAll(this, entries, settings.concurrency);
	const output =
		settings.output === 'items' ? outputItems(entries) : summarizeEntries(rows, entries);
	return [[...output, ...refused]];
}

/** Sends what is pending of the entries, and notes in each what became of it. */
async function sendAll(
	context: IExecuteFunctions,
	entries: Entry[],
	concurrency: number,
): Promise<void> {
	const pending = entries.filter(({ status }) => status === 'pending');
	const common = commonRequest(context);
	const memory = await openMemory(context);
	const requester = new Requester();
	const once = new Once(requester, memory);
	const progress = new Progress(context.logger, context.getNode().name, pending.length);
	const queue = new Queue(concurrency);
	let endedBy: { explanation: Explanation; row: number } | undefined;
	const stop = () => {
		requester.stop();
		queue.stop();
	};
	const signal = context.getExecutionCancelSignal();
	signal?.addEventListener('abort', stop);
	if (signal?.aborted) stop();

	pending.forEach((entry, key) => {
		const { blacklist, type, value } = entry;
		const url = `/api/v1/blacklist/${blacklistSegment(blacklist)}`;
		const request: IHttpRequestOptions = { ...common, url, body: { type, value } };
		if (memory.recall(key, request)) {
			entry.status = 'added';
			return;
		}
		queue.add(async () => {
			try {
				await once.send(key, context, request, readNothing);
				entry.status = 'added';
			} catch (error) {
				if (error instanceof Stopped) return;
				const explanation = explanationOf(error, 'POST');
				entry.status = 'failed';
				entry.reason = reasonOf(error, explanation);
				if (!endedBy && !context.continueOnFail() && !concernsValueOnly(error)) {
					endedBy = { explanation, row: entry.row };
					stop();
				}
			}
			progress.step();
		});
	});
	await queue.idle();
	signal?.removeEventListener('abort', stop);

	const tally = summarizeTally(pending);
	if (endedBy) {
		const { explanation, row } = endedBy;
		const description = [explanation.description, tally].filter((part) => part).join(' ');
		throw asNodeError(context.getNode(), { ...explanation, description }, row);
	}
	if (signal?.aborted) context.logger.warn(`${context.getNode().name} was cancelled. ${tally}`);
	else if (pending.every(({ status }) => status === 'added')) memory.forget();
}

/** `success` is all there is to read: an added value has no output of its own. */
function readNothing(answer: Answer): [] {
	readSuccess(answer);
	return [];
}

function concernsValueOnly(error: unknown): boolean {
	if (!(error instanceof Failure)) return false;
	const { trouble } = error;
	return (
		trouble.kind === 'unsuccessful' ||
		(trouble.kind === 'status' && REJECTED.has(trouble.statusCode))
	);
}

function reasonOf(error: unknown, { message }: Explanation): string {
	const said =
		error instanceof Failure && 'serviceMessage' in error.trouble
			? error.trouble.serviceMessage
			: undefined;
	const maybe =
		error instanceof Failure && isUncertain(error, 'POST') ? '; it may have been added' : '';
	return `${message}${said === undefined ? '' : `: ${said}`}${maybe}`;
}

function summarizeTally(pending: Entry[]): string | undefined {
	const count = (wanted: Entry['status']) =>
		pending.filter(({ status }) => status === wanted).length;
	return summarize(
		{ done: count('added'), receipts: {}, alsoFailed: [], notStarted: count('pending') },
		count('failed'),
		'values',
	);
}
