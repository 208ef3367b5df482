import type { INode, INodeProperties } from 'n8n-workflow';

import { asFailure, Failure } from '../../../../shared/errors/failure';
import type { CredentialLoader } from '../../../../shared/service/credential';
import { isExpression, quote, readChoice, readText } from '../../../../shared/input';
import type { Item } from '../../../form/item';
import { refusedRow, type Task } from '../../../run/task';
import { readSegment } from '../../../run/urlPath';
import type { RunOptions } from '../../../options/runOptions';
import type { TimeSlice } from '../../../../shared/time/timeSlice';
import { BLACKLIST } from '../field';
import { split } from '../cleaning/split';
import { DistinctValues, VALUES, type Row, type Value } from './distinctValues';
import { TYPES } from '../typeAndValue';

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

/** The values of all rows, each once per blacklist of an account. */
export interface Gathered {
	options: RunOptions;
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
 * @throws Failure for more values than `MOST_ITEMS` with an item for each
 */
export async function gather(
	items: Item[],
	options: RunOptions,
	{ onError }: INode,
	slice: TimeSlice,
	credentials: CredentialLoader,
): Promise<Gathered> {
	// How the fields are filled in is the same for all.
	const form = items[0]!;
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
			refused.push(refusedRow(index, asFailure(error)));
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
			if (options.output !== 'items') continue;
			if (occurrences.length === MOST_ITEMS) throw tooManyItems();
			occurrences.push({ row: index, value });
		}
	}
	// A row may give an empty list. If another row gives a list of nothing, the field is misspelled.
	const isGiven = given.has('values') || (given.has('emptyList') && !given.has('listOfNothing'));
	if (!isGiven && refused.length === 0) {
		const failure = noValues(form);
		refused.push(...items.map(({ index }) => refusedRow(index, failure)));
		blacklists.clear();
	}
	return { options, values: distinct.values, blacklists, occurrences, refused };
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
