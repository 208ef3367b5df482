import type {
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import type { RunOptions } from '../../../shared/account/runLimit';
import { asErrorItem, asNodeError, explanationOf } from '../../../shared/errors/explain';
import { Refusal } from '../../../shared/errors/failure';
import { CredentialLoader } from '../../../shared/http/credential';
import type { ConnectionOptions } from '../../../shared/http/exchange';
import { readBoolean, quote, type Form } from '../../../shared/input';
import { readConcurrency } from '../../run/concurrency';
import { readSegment } from '../../run/path';
import { readBatching, readConnection } from '../../run/requestOptions';
import { TimeSlice } from '../../run/timeSlice';
import { readDryRun } from '../dryRun';
import { BLACKLIST } from './blacklist';
import { isItemType } from './cleaning/itemTypes';
import { split } from './cleaning/split';
import { DistinctValues, type Row, type Value } from './distinctValues';
import { unknownType } from './typeAndValue';

/** The options of Add Many Items. */
export interface Settings {
	cleans: boolean;
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
	const { cleanValues = true, concurrency, output = 'summary', dryRun = '' } = options;
	if (output !== 'summary' && output !== 'items') {
		throw new Refusal(
			`"Output" is neither summary nor items: ${quote(output)}`,
			'Choose an option from the list, or use an expression that returns summary or items.',
		);
	}
	return {
		cleans: readBoolean('Clean Values', cleanValues),
		isDry: readDryRun(context, dryRun),
		output,
		limits: { concurrency: readConcurrency(concurrency), batching: readBatching(requestOptions) },
		connection: readConnection(requestOptions),
	};
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
	/** An `{ error, message }` item for each refused row. */
	refused: INodeExecutionData[];
}

const MOST_ITEMS = 100_000;

/** Of a run that is refused. */
const NO_SETTINGS: Settings = {
	cleans: true,
	isDry: false,
	output: 'summary',
	limits: {},
	connection: {},
};

/**
 * Reads the rows one after another and cleans their values.
 *
 * @throws NodeApiError for the first invalid row without Continue
 */
export async function gather(context: IExecuteFunctions): Promise<Gathered> {
	const { length } = context.getInputData();
	const credentials = new CredentialLoader();
	let settings: Settings;
	try {
		// The options apply to the whole run.
		settings = readSettings(
			context,
			context.getNodeParameter('options', 0, {}) as IDataObject,
			context.getNodeParameter('requestOptions', 0, {}),
		);
	} catch (error) {
		return refuseAll(context, error);
	}
	const form: Form = {
		entered: (name) => context.getNodeParameter(name, 0, '', { rawExpressions: true }),
		// Add Many Items is not offered to AI agents.
		isTool: () => false,
	};
	const distinct = new DistinctValues(settings.cleans, form);
	const blacklists: Gathered['blacklists'] = new Map();
	const occurrences: Gathered['occurrences'] = [];
	const refused: INodeExecutionData[] = [];
	const slice = new TimeSlice();
	const given = new Set<Given>();
	for (let index = 0; index < length; index++) {
		if (slice.isOver) await slice.yieldToN8n();
		const account = await credentials.load(context, index).then(
			({ idInMemory }) => idInMemory,
			() => undefined,
		);
		let row: Row;
		try {
			row = readRow(context, index, account, form);
		} catch (error) {
			refused.push(refuse(context, error, index));
			continue;
		}
		given.add(givenBy(row.values));
		const named = blacklists.get(row.summary) ?? { blacklist: row.blacklist, rows: [] };
		blacklists.set(row.summary, named);
		named.rows.push(index);
		for (const part of split(row.values)) {
			if (slice.isOver) await slice.yieldToN8n();
			if (part === '') continue;
			const value = distinct.add(row, part);
			if (settings.output !== 'items') continue;
			if (occurrences.length === MOST_ITEMS) return refuseAll(context, tooManyItems());
			occurrences.push({ row: index, value });
		}
	}
	if (isMissingIn(given) && refused.length === 0) return refuseAll(context, noValues(context));
	return { settings, credentials, values: distinct.values, blacklists, occurrences, refused };
}

type Given = 'something' | 'emptyList' | 'listOfNothing' | 'nothing';

function givenBy(values: unknown): Given {
	const isMissing = (value: unknown) => value === undefined || value === null;
	if (!Array.isArray(values)) return isMissing(values) ? 'nothing' : 'something';
	if (values.length === 0) return 'emptyList';
	return values.every(isMissing) ? 'listOfNothing' : 'something';
}

/** Whether the field is missing everywhere. An empty list is given, unless another one is of nothing. */
function isMissingIn(given: Set<Given>): boolean {
	if (given.has('something')) return false;
	return given.has('listOfNothing') || !given.has('emptyList');
}

/** For a field that no item has: otherwise, a renamed column would go unnoticed. */
function noValues(context: IExecuteFunctions): Refusal {
	const entered = String(context.getNode().parameters.values).replace(/^=/, '');
	const columns = Object.keys(context.getInputData()[0]?.json ?? {});
	// As in a file that begins with a byte order mark, which the editor does not show.
	const marked = columns
		.filter((name) => name.startsWith('\uFEFF'))
		.map((name) => name.slice(1))
		.find((name) => entered.includes(name));
	return new Refusal(
		'"Values" returns nothing for every input item',
		marked === undefined
			? `Check the name of the field in "Values": ${quote(entered)}`
			: `The name of the column "${marked}" begins with an invisible character: drag it into "Values".`,
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

/** @throws NodeApiError without Continue */
function refuse(context: IExecuteFunctions, error: unknown, row: number): INodeExecutionData {
	const explanation = explanationOf(error);
	if (!context.continueOnFail()) throw asNodeError(context.getNode(), explanation, row);
	return asErrorItem(explanation, row);
}

/** @throws NodeApiError without Continue */
function refuseAll(context: IExecuteFunctions, error: unknown): Gathered {
	return {
		settings: NO_SETTINGS,
		credentials: new CredentialLoader(),
		values: [],
		blacklists: new Map(),
		occurrences: [],
		refused: context.getInputData().map((_item, row) => refuse(context, error, row)),
	};
}
