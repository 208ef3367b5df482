import type { INode, INodeProperties } from 'n8n-workflow';

import type { RunOptions } from '../../../../shared/pacing/runLimit';
import { asFailure, Failure } from '../../../../shared/errors/failure';
import type { CredentialLoader } from '../../../../shared/service/credential';
import type { ConnectionOptions } from '../../../../shared/service/exchange';
import { isExpression, quote, readChoice, readText } from '../../../../shared/input';
import type { Item } from '../../../form/item';
import { refusedRow, type Task } from '../../../run/task';
import { readSegment } from '../../../run/urlPath';
import { readRequestOptions } from '../../../options/requestOptions';
import type { TimeSlice } from '../../../run/timeSlice';
import { readDryRun } from '../../../options/dryRun';
import { BLACKLIST } from '../field';
import { split } from '../cleaning/split';
import { DistinctValues, VALUES, type Row, type Value } from './distinctValues';
import { TYPES } from '../typeAndValue';

/** The options of Add Many Items. */
export interface Settings {
	isDry: boolean;
	output: 'summary' | 'items';
	limits: RunOptions;
	connection: ConnectionOptions;
}

const OUTPUTS = ['summary', 'items'] as const;

export const outputOption: INodeProperties = {
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
};

/**
 * Reads the options of a run.
 *
 * @throws Failure for an invalid option
 */
export function readSettings(item: Item): Settings {
	const output = item.has('options', 'output')
		? readChoice('Output', item.parameter('Output', 'options.output', ''), OUTPUTS)
		: 'summary';
	return { isDry: readDryRun(item), output, ...readRequestOptions(item) };
}

/** The values of all rows, each once per blacklist of an account. */
export interface Gathered {
	settings: Settings;
	/** In the order of the input. */
	values: Value[];
	/** Each blacklist of an account, with the rows that name it, in the order of the input. */
	blacklists: Map<string, { blacklist: string; rows: number[] }>;
	/** Every value in input order, including repeated ones, one per output item; empty for a summary. */
	occurrences: Array<{ row: number; value: Value }>;
	/** The invalid rows. */
	refused: Task[];
}

const MOST_ITEMS = 100_000;

/**
 * Reads the rows one after another and cleans their values.
 *
 * @throws Failure for an invalid option, and for more values than `MOST_ITEMS` with an item for each
 */
export async function gather(
	items: Item[],
	{ onError }: INode,
	slice: TimeSlice,
	credentials: CredentialLoader,
): Promise<Gathered> {
	// The options, and how the fields are filled in, are those of the whole run.
	const form = items[0]!;
	const settings = readSettings(form);
	const distinct = new DistinctValues(form, onError === 'continueErrorOutput');
	const blacklists: Gathered['blacklists'] = new Map();
	const occurrences: Gathered['occurrences'] = [];
	const refused: Task[] = [];
	const given = new Set<Given>();
	for (const item of items) {
		const { index } = item;
		if (slice.isOver) await slice.yieldToN8n();
		const account = await credentials.load(index).then(
			({ idInMemory }) => idInMemory,
			() => undefined,
		);
		let row: Row;
		try {
			row = readRow(item, account);
		} catch (error) {
			refused.push(refusedRow(index, asFailure(error), settings.isDry));
			continue;
		}
		given.add(givenIn(row.values));
		const named = blacklists.get(row.summaryKey) ?? { blacklist: row.blacklist, rows: [] };
		blacklists.set(row.summaryKey, named);
		named.rows.push(index);
		for (const part of split(row.values)) {
			if (slice.isOver) await slice.yieldToN8n();
			if (part === '') continue;
			const value = distinct.add(row, part);
			if (settings.output !== 'items') continue;
			if (occurrences.length === MOST_ITEMS) throw tooManyItems();
			occurrences.push({ row: index, value });
		}
	}
	// A row may give an empty list. If another row gives a list of nothing, the field is misspelled.
	const isGiven = given.has('values') || (given.has('emptyList') && !given.has('listOfNothing'));
	if (!isGiven && refused.length === 0) {
		const failure = noValues(form);
		refused.push(...items.map(({ index }) => refusedRow(index, failure, settings.isDry)));
		blacklists.clear();
	}
	return { settings, values: distinct.values, blacklists, occurrences, refused };
}

/** What "Values" gives for a row. */
type Given = 'values' | 'emptyList' | 'listOfNothing' | 'nothing';

function givenIn(values: unknown): Given {
	const isMissing = (value: unknown) => value === undefined || value === null;
	if (!Array.isArray(values)) return isMissing(values) ? 'nothing' : 'values';
	if (values.length === 0) return 'emptyList';
	return values.every(isMissing) ? 'listOfNothing' : 'values';
}

/** For a field that no item has: otherwise, a renamed column would go unnoticed. */
function noValues(form: Item): Failure {
	const entered = String(form.entered('values')).replace(/^=/, '');
	return new Failure(
		'"Values" returns nothing for every input item',
		`Check the name of the field in "Values": ${quote(entered)}`,
	);
}

/**
 * @param account undefined if its credential cannot be read
 * @throws Failure for an invalid row
 */
function readRow(item: Item, account: string | undefined): Row {
	const { index } = item;
	const blacklist = readSegment(BLACKLIST, item);
	const type = readChoice('Type', item.parameter('Type', 'type', ''), ['auto', ...TYPES]);
	const values = item.parameter('Values', 'values', '');
	// Typed, it is the same for every row; one that comes from a row is listed.
	if (!isExpression(VALUES, item)) readText(VALUES, values, item);
	// Each account that cannot be read may be another one.
	const listKey = JSON.stringify([account ?? index, blacklist]);
	const summaryKey = JSON.stringify([account, blacklist]);
	return { index, listKey, summaryKey, blacklist, type, values };
}

function tooManyItems(): Failure {
	return new Failure(
		`"Output" cannot be "Each Value" for more than ${MOST_ITEMS.toLocaleString('en')} values`,
		'Choose "Summary", or split the values across several runs.',
	);
}
