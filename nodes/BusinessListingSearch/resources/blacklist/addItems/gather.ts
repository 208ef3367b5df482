import type { INodeProperties } from 'n8n-workflow';

import { asFailure, Failure } from '../../../../shared/errors/failure';
import type { CredentialLoader } from '../../../../shared/service/credential';
import { isExpression, readChoice, readText } from '../../../../shared/readField';
import { quote } from '../../../../shared/text';
import type { Item } from '../../../input/item';
import { refusedRow, type Task } from '../../../run/task';
import { readSegment } from '../../../run/urlPath';
import type { RunOptions } from '../../../options/runOptions';
import type { TimeSlice } from '../../../../shared/time/timeSlice';
import { BLACKLIST } from '../field';
import { split } from '../cleaning/split';
import { List, VALUES, type Value } from './list';
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

/** What the rows name. */
export interface Gathered {
	options: RunOptions;
	/** In the order in which the rows name them first. */
	lists: List[];
	/** A value for each output item of "Each Value", with its row, in the order of the input. */
	mentions: Array<{ row: number; value: Value }>;
	/** The invalid rows. */
	refused: Task[];
}

const MOST_ITEMS = 100_000;

/**
 * Reads the rows one after another and cleans their values.
 *
 * @param options gets a refusal, and the output `summary`, if "Each Value" gives more than `MOST_ITEMS` items
 */
export async function gather(
	items: Item[],
	options: RunOptions,
	slice: TimeSlice,
	credentials: CredentialLoader,
): Promise<Gathered> {
	// How the fields are filled in is the same for all.
	const form = items[0]!;
	const lists = new Map<string, List>();
	const mentions: Gathered['mentions'] = [];
	const refused: Task[] = [];
	const given = new Set<Given>();
	for (const item of items) {
		const { index: row } = item;
		if (slice.isOver) await slice.yieldToN8n();
		// If an expression of the credential fails, the row counts as an account of its own.
		const account = await credentials.load(row).then(
			({ idInMemory }) => idInMemory,
			() => (credentials.isOfItem ? row : 0),
		);
		let read: Row;
		try {
			read = readRow(item);
		} catch (error) {
			refused.push(refusedRow(row, asFailure(error)));
			continue;
		}
		const { blacklist, type, values } = read;
		given.add(givenIn(values));
		const key = JSON.stringify([account, blacklist]);
		const list = lists.get(key) ?? new List(blacklist, form);
		lists.set(key, list);
		list.rows.push(row);
		for (const part of split(values)) {
			if (slice.isOver) await slice.yieldToN8n();
			if (part === '') continue;
			const value = list.add(type, part, row);
			if (options.output !== 'items') continue;
			mentions.push({ row, value });
			if (mentions.length <= MOST_ITEMS) continue;
			options.refusal ??= tooManyItems();
			options.output = 'summary';
		}
	}
	// An empty list is valid. A list of nothing but null or undefined means a misspelled field.
	const isGiven = given.has('values') || (given.has('emptyList') && !given.has('listOfNothing'));
	if (isGiven || refused.length > 0)
		return { options, lists: [...lists.values()], mentions, refused };
	const failure = noValues(form);
	const all = items.map(({ index }) => refusedRow(index, failure));
	return { options, lists: [], mentions, refused: all };
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

/** The parameters of an input item. */
interface Row {
	blacklist: string;
	type: Value['type'];
	/** A text of one or many values, an array of such texts, or anything else an expression returns. */
	values: unknown;
}

/** @throws Failure for an invalid row */
function readRow(item: Item): Row {
	const blacklist = readSegment(BLACKLIST, item);
	const type = readChoice('Type', item.parameter('Type', 'type', ''), ['auto', ...TYPES]);
	const values = item.parameter('Values', 'values', '');
	// A typed text is the same for every row, so a wrong one refuses them all. One that comes from a row is listed.
	if (!isExpression(VALUES, item)) readText(VALUES, values, item);
	return { blacklist, type, values };
}

function tooManyItems(): Failure {
	return new Failure(
		`"Output" cannot be "Each Value" for more than ${MOST_ITEMS.toLocaleString('en')} values`,
		'Choose "Summary", or split the values across several runs.',
	);
}
