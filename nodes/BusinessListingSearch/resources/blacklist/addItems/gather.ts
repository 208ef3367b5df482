import type { IDataObject, IExecuteFunctions, IGetNodeParameterOptions } from 'n8n-workflow';

import type { RunOptions } from '../../../../shared/pacing/runLimit';
import { Refusal, type Refused } from '../../../../shared/errors/failure';
import { CredentialLoader } from '../../../../shared/service/credential';
import type { ConnectionOptions } from '../../../../shared/service/exchange';
import { quote, type Form } from '../../../../shared/input';
import { readConcurrency } from '../../../options/concurrency';
import { readSegment } from '../../../run/urlPath';
import { readBatching, readConnection } from '../../../options/requestOptions';
import { TimeSlice } from '../../../run/timeSlice';
import { readDryRun } from '../../../options/dryRun';
import { BLACKLIST } from '../field';
import { isItemType } from '../cleaning/itemTypes';
import { split } from '../cleaning/split';
import { DistinctValues, type Row, type Value } from './distinctValues';
import { unknownType } from '../typeAndValue';

/** The options of Add Many Items. */
export interface Settings {
	isDry: boolean;
	output: 'summary' | 'items';
	limits: RunOptions;
	connection: ConnectionOptions;
}

/**
 * Reads the options of a run.
 *
 * @param options the parameter "Options"
 * @param requestOptions the parameter "Request Options"
 * @throws Refusal for an invalid option
 */
export function readSettings(
	context: IExecuteFunctions,
	options: IDataObject,
	requestOptions: unknown,
): Settings {
	const { concurrency, output = 'summary', dryRun = '' } = options;
	if (output !== 'summary' && output !== 'items') {
		throw new Refusal(
			`"Output" is neither summary nor items: ${quote(output)}`,
			'Choose an option from the list, or use an expression that returns summary or items.',
		);
	}
	return {
		isDry: readDryRun(context, dryRun),
		output,
		limits: { concurrency: readConcurrency(concurrency), batching: readBatching(requestOptions) },
		connection: readConnection(requestOptions),
	};
}

/** An input item that is refused, by its index. */
interface RefusedRow {
	row: number;
	error: unknown;
	of: Refused;
}

/** The values of all rows, each once per blacklist of an account. */
export interface Gathered {
	settings: Settings;
	/** Those of the rows. */
	credentials: CredentialLoader;
	/** In the order of the input. */
	values: Value[];
	/** Each blacklist of an account, with the rows that name it, in the order of the input. */
	blacklists: Map<string, { blacklist: string; rows: number[] }>;
	/** Every value in input order, including repeated ones, one per output item; empty for a summary. */
	occurrences: Array<{ row: number; value: Value }>;
	/** The invalid rows, each with its reason. */
	refused: RefusedRow[];
}

const MOST_ITEMS = 100_000;

/** Reads the rows one after another and cleans their values. An invalid option refuses them all. */
export async function gather(context: IExecuteFunctions): Promise<Gathered> {
	try {
		// The options apply to the whole run.
		const settings = readSettings(
			context,
			context.getNodeParameter('options', 0, {}) as IDataObject,
			context.getNodeParameter('requestOptions', 0, {}),
		);
		return await gatherRows(context, settings);
	} catch (error) {
		const none = {
			isDry: false,
			output: 'summary',
			limits: {},
			connection: {},
		} as const;
		return refuseAll(context, none, error, 'option');
	}
}

function refuseAll(
	context: IExecuteFunctions,
	settings: Settings,
	error: unknown,
	of: Refused,
): Gathered {
	const refused = context.getInputData().map((_item, row) => ({ row, error, of }));
	const nothing = { values: [], blacklists: new Map(), occurrences: [] };
	return { settings, credentials: new CredentialLoader(), ...nothing, refused };
}

async function gatherRows(context: IExecuteFunctions, settings: Settings): Promise<Gathered> {
	const node = context.getNode();
	const rows = context.getInputData();
	const credentials = new CredentialLoader();
	const form: Form = {
		entered: (name) => context.getNodeParameter(name, 0, '', { rawExpressions: true }),
	};
	const distinct = new DistinctValues(form, node.onError === 'continueErrorOutput');
	const blacklists: Gathered['blacklists'] = new Map();
	const occurrences: Gathered['occurrences'] = [];
	const refused: RefusedRow[] = [];
	const slice = new TimeSlice();
	const given = new Set<Given>();
	for (let index = 0; index < rows.length; index++) {
		if (slice.isOver) await slice.yieldToN8n();
		const account = await credentials.load(context, index).then(
			({ idInMemory }) => idInMemory,
			() => undefined,
		);
		let row: Row;
		try {
			row = readRow(context, index, account, form);
		} catch (error) {
			refused.push({ row: index, error, of: 'values' });
			continue;
		}
		given.add(givenIn(row.values));
		const named = blacklists.get(row.summary) ?? { blacklist: row.blacklist, rows: [] };
		blacklists.set(row.summary, named);
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
	// An empty list is given, unless another one is of nothing: there the field is misspelled.
	const isGiven = given.has('values') || (given.has('emptyList') && !given.has('listOfNothing'));
	if (!isGiven && refused.length === 0) {
		return refuseAll(context, settings, noValues(context), 'values');
	}
	return { settings, credentials, values: distinct.values, blacklists, occurrences, refused };
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
function noValues(context: IExecuteFunctions): Refusal {
	const entered = String(context.getNode().parameters.values).replace(/^=/, '');
	return new Refusal(
		'"Values" returns nothing for every input item',
		`Check the name of the field in "Values": ${quote(entered)}`,
	);
}

/**
 * @param account undefined if its credential cannot be read
 * @throws Refusal for an invalid row
 */
function readRow(
	context: IExecuteFunctions,
	index: number,
	account: string | undefined,
	form: Form,
): Row {
	const parameter = (name: string, options?: IGetNodeParameterOptions): unknown =>
		context.getNodeParameter(name, index, undefined, options);
	const blacklist = readSegment(BLACKLIST, parameter('blacklist', { extractValue: true }), form);
	const type = parameter('type');
	const values = parameter('values');
	if (type !== 'auto' && !isItemType(type)) throw unknownType(type, 'auto');
	// Each account that cannot be read may be another one.
	const list = JSON.stringify([account ?? index, blacklist]);
	const summary = JSON.stringify([account, blacklist]);
	return { index, list, summary, blacklist, type, values };
}

function tooManyItems(): Refusal {
	return new Refusal(
		`"Output" cannot be "Each Value" for more than ${MOST_ITEMS.toLocaleString('en')} values`,
		'Choose "Summary", or split the values across several runs.',
	);
}
