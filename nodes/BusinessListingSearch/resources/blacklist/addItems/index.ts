import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Failure } from '../../../../shared/errors/failure';
import { OUTCOMES } from '../../../../shared/errors/outcomes';
import { credentialIdOf } from '../../../../shared/service/credential';
import { ENDPOINTS } from '../../../../shared/service/endpoints';
import { collection } from '../../../options/collection';
import { dryRunOption } from '../../../options/dryRun';
import type { RunOptions } from '../../../options/runOptions';
import { concurrencyOption } from '../../../options/concurrency';
import type { Call } from '../../../input/call';
import { customOperation } from '../../../run/customOperation';
import type { Item } from '../../../input/item';
import { ifSuccessful } from '../../../run/operation';
import { Run } from '../../../run/run';
import { refusedRow, type Task, type TaskEnd, type TaskState } from '../../../run/task';
import { gather, outputOption, type Gathered } from './gather';
import type { Value } from './list';
import { hintOf, outputItems } from './output';
import { blacklistToAddTo } from '../field';
import { TYPE_CHOICES } from '../typeAndValue';

/** An added value has no output of its own. */
const ADDED = ifSuccessful();

export const addItemsForm: INodeProperties[] = [
	blacklistToAddTo,
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{
				name: 'Auto-Detect',
				value: 'auto',
				description:
					'Detect the type of each value; a value without a clear type is reported and not sent',
			},
			...TYPE_CHOICES,
		],
		default: 'auto',
		description: 'The type of the values',
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
			'One value, or many with commas, semicolons or line breaks between. The values of all input items are added, each once, with one request each.',
	},
	collection('Options', 'options', 'Add Option', [concurrencyOption, dryRunOption, outputOption]),
];

/**
 * Adds the values of all input rows to blacklists, one request per value (service interface, section
 * 4, rule 3), in one step.
 *
 * @returns a summary per blacklist, or an item per value, linked to the rows of the values
 * @throws NodeApiError for invalid input, before anything is sent, and for failures that concern the
 * whole run; its description says what was added. With Continue neither ends the run.
 */
export const addItems = customOperation(async (call, context) => {
	const run = new Run(call, {
		noun: 'values',
		changes: 'values',
		form: addItemsForm,
		goesOnAfter: isRejectedValue,
	});
	let gathered: Gathered | undefined;
	const values = new Map<Task, Value>();
	return await run.carryOut(
		async (items, options, slice, credentials) => {
			gathered = await gather(items, options, slice, credentials);
			for (const value of gathered.lists.flatMap((list) => list.values)) {
				if (slice.isOver) await slice.yieldToN8n();
				if (value.status !== 'pending') continue;
				values.set(taskOf(value, items[value.row]!, options, call), value);
			}
			const { refusal } = options;
			// Without values, no task would report the invalid option.
			if (refusal && values.size === 0) return items.map(({ index }) => refusedRow(index, refusal));
			return [...gathered.refused, ...values.keys()];
		},
		(states) => {
			const failed = noteEnds(states, values, call);
			const hint = gathered && hintOf(gathered);
			if (hint) context.addExecutionHints(hint);
			return [...(gathered ? outputItems(gathered) : []), ...failed];
		},
	);
});

/** Whether the service rejected a value: the others go on. */
function isRejectedValue({ facts: { reason } }: Failure): boolean {
	return reason !== undefined && OUTCOMES[reason].isOfValue === true;
}

function taskOf(
	{ type, value, list }: Value,
	{ index, fingerprint }: Item,
	{ connection }: RunOptions,
	{ node }: Call,
): Task {
	const { method, path } = ENDPOINTS.addToBlacklist;
	const url = path.replace(':name', () => encodeURIComponent(list.blacklist));
	const body = { type, value };
	return {
		item: index,
		label: `"${value}"`,
		name: value,
		identity: ['addItems', index, fingerprint, credentialIdOf(node), url, body],
		request: { ...connection, method, url, body },
		parse: ADDED,
	};
}

/**
 * Notes what became of each value.
 *
 * @returns an error item for each refused row; for the error output, also for each row that is the first to name a value
 * whose failure would have ended the run without Continue
 */
function noteEnds(
	ended: TaskState[],
	values: Map<Task, Value>,
	{ node }: Call,
): INodeExecutionData[] {
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const ofRows = new Map<number, INodeExecutionData>();
	for (const { task, end } of ended) {
		const value = values.get(task);
		if (value && end) note(value, end);
		if (end?.kind !== 'failed') continue;
		if (value && (!hasErrorOutput || isRejectedValue(end.failure))) continue;
		// One for each row: what may have been carried out is more important.
		if (end.failed.doubt || !ofRows.has(task.item)) ofRows.set(task.item, end.errorItem);
	}
	return [...ofRows.values()];
}

function note(value: Value, end: TaskEnd): void {
	if (end.kind === 'done') value.status = 'added';
	if (end.kind === 'checked') value.status = 'valid';
	if (end.kind !== 'failed') return;
	const { failure, failed } = end;
	const said = failure.facts.serviceMessage;
	value.status = 'failed';
	value.reason = [failure.message, said && `: ${said}`, failed.doubt && '; it may have been added']
		.filter((part) => part)
		.join('');
}
