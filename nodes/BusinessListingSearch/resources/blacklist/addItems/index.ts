import { updateDisplayOptions } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { asErrorItem, asNodeError } from '../../../../shared/errors/explain';
import { Failure } from '../../../../shared/errors/failure';
import { OUTCOMES } from '../../../../shared/errors/outcomes';
import { credentialIdOf } from '../../../../shared/service/credential';
import { ENDPOINTS } from '../../../../shared/service/endpoints';
import { collection } from '../../../options/collection';
import { dryRunOption } from '../../../options/dryRun';
import { concurrencyOption } from '../../../options/concurrency';
import { inputFingerprint } from '../../../run/identity';
import { Ledger } from '../../../run/ledger';
import { comesFromItself } from '../../../run/ownOutput';
import { ifSuccessful } from '../../../run/operation';
import { Run } from '../../../run/run';
import type { FailedEnd, Plan, Task, TaskEnd } from '../../../run/task';
import { TimeSlice } from '../../../run/timeSlice';
import { BLACKLIST_NOT_FOUND } from '../field';
import type { Value } from './distinctValues';
import { gather, type Gathered } from './gather';
import { hintOf, outputItems } from './output';
import { TYPE_CHOICES } from '../typeAndValue';

const displayOptions = { show: { resource: ['blacklist'], operation: ['addItems'] } };

export const addItemsFields: INodeProperties[] = updateDisplayOptions(displayOptions, [
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
	collection('Options', 'options', 'Add Option', [
		concurrencyOption,
		dryRunOption,
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Each Value',
					value: 'items',
					description: 'Return an item for each value, with its status',
				},
				{
					name: 'Summary',
					value: 'summary',
					description: 'Return an item for each blacklist, with counts and what failed',
				},
			],
			default: 'summary',
			description: 'What to return',
		},
	]),
]);

/**
 * Adds the values of all input rows to blacklists, one request per value (service interface, section
 * 4, rule 3), in one step.
 *
 * @returns a summary per blacklist, or an item per value, linked to the rows of the values
 * @throws NodeApiError for invalid input, before anything is sent, and for failures that concern the
 * whole run; its description says what was added. With Continue neither ends the run.
 */
export async function addItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	if (comesFromItself(this)) return [[]];
	// Made first: retries know each other by it.
	const ledger = new Ledger(this);
	const gathered = await gather(this);
	const failed = await addValues(this, ledger, gathered);
	const hint = hintOf(gathered);
	if (hint) this.addExecutionHints(hint);
	return [[...outputItems(gathered), ...failed]];
}

/** Whether the service rejected a value: the others go on. */
function isRejectedValue(error: unknown): boolean {
	return error instanceof Failure && OUTCOMES[error.reason].isOfValue === true;
}

/**
 * Sends the values, and notes what became of each.
 *
 * @returns for the error output, an item for each row that is refused, or has a value that would have ended the run
 * without Continue
 * @throws NodeApiError for what ended the run
 */
async function addValues(
	context: IExecuteFunctions,
	ledger: Ledger,
	{ settings, refused, values, credentials }: Gathered,
): Promise<INodeExecutionData[]> {
	const { limits, connection, isDry } = settings;
	const rows = context.getInputData();
	const operation = context.getNodeParameter('operation', 0);
	const { method, path } = ENDPOINTS.addToBlacklist;
	const credential = credentialIdOf(context.getNode());
	const pending = values.filter(({ status }) => status === 'pending');
	const tasks = refused.map(({ row, error, of }): Task => {
		const place = [operation, row, inputFingerprint(rows[row]!)];
		const request = { method, url: path };
		const label = `Item ${row}`;
		const refusal = { error, of };
		return {
			...{ context, item: row, label, identity: { place }, request, isDry },
			isRow: true,
			refused: refusal,
			parse: ifSuccessful(),
		};
	});
	const slice = new TimeSlice();
	for (const { row, type, value, blacklist } of pending) {
		if (slice.isOver) await slice.yieldToN8n();
		const url = path.replace(':name', () => encodeURIComponent(blacklist));
		const body = { type, value };
		tasks.push({
			context,
			item: row,
			label: `"${value}"`,
			name: value,
			identity: {
				place: [operation, row, inputFingerprint(rows[row]!), value],
				request: [credential, url, body],
			},
			request: { ...connection, method, url, body },
			// An added value has no output of its own.
			parse: ifSuccessful(),
			isDry,
		});
	}
	if (tasks.length === 0) return [];
	const plan: Plan = {
		total: tasks.length,
		nouns: { one: 'value', many: 'values' },
		changes: 'values',
		limits,
		advice: BLACKLIST_NOT_FOUND,
		goesOnAfter: (error) => context.continueOnFail() || isRejectedValue(error),
	};
	const ends = await new Run(context, plan, credentials, ledger).carryOut(tasks);
	const ofRows = new Map<number, FailedEnd>();
	for (const [index, end] of ends.entries()) {
		const { item, isRow } = tasks[index]!;
		const value = isRow ? undefined : pending[index - refused.length]!;
		if (value) note(value, end);
		if (end.kind !== 'failed' || (value && isRejectedValue(end.error))) continue;
		if (end.endedRun) throw asNodeError(context.getNode(), end.told, item);
		// One for each row: what may have been carried out is more important.
		for (const row of value?.rows ?? [item]) {
			if (end.failed.doubt || !ofRows.has(row)) ofRows.set(row, end);
		}
	}
	return [...ofRows].map(([row, end]) => asErrorItem(end.told, row));
}

function note(value: Value, end: TaskEnd): void {
	if (end.kind === 'done') value.status = 'added';
	if (end.kind === 'checked') value.status = 'valid';
	if (end.kind !== 'failed') return;
	const { error, explanation, failed } = end;
	const said = error instanceof Failure ? error.facts.serviceMessage : undefined;
	value.status = 'failed';
	value.reason = [
		explanation.message,
		said && `: ${said}`,
		failed.doubt && '; it may have been added',
	]
		.filter((part) => part)
		.join('');
}
