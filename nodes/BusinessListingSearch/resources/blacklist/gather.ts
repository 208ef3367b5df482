import type {
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { explanationOf } from '../../../shared/explain';
import { CredentialReader } from '../../../shared/http/credential';
import { readText } from '../../../shared/input';
import { asNodeError } from '../../../shared/nodeError';
import { withPauses } from '../../run/pauses';
import { blacklistSegment } from './blacklist';
import {
	Collection,
	type BlacklistTally,
	type Occurrence,
	type Row,
	type Value,
} from './collection';
import { readSettings, type Settings } from './settings';
import { isItemType, unknownType, type ItemType } from './values';

/** The values of all rows, each once per blacklist of an account. */
export interface Gathered {
	settings: Settings;
	/** In the order of the input. */
	values: Value[];
	/** By blacklist, in the order of the input. */
	tallies: Map<string, BlacklistTally>;
	/** Every value in input order, including repeated ones, one per output item; empty for a summary. */
	occurrences: Occurrence[];
	/** An `{ error, message }` item for each refused row. */
	refused: INodeExecutionData[];
}

/**
 * Reads the rows one after another and cleans their values. Keeps only what is new in a row: an
 * expression can return all values of the input for every row.
 *
 * @throws NodeApiError for the first invalid row without Continue
 */
export async function gather(context: IExecuteFunctions): Promise<Gathered> {
	const { length } = context.getInputData();
	const accountOf = await new CredentialReader().accountsOf(context, length);
	return await withPauses(gatherRows(context, accountOf));
}

function* gatherRows(
	context: IExecuteFunctions,
	accountOf: (row: number) => string,
): Generator<void, Gathered> {
	const { length } = context.getInputData();
	const refused: INodeExecutionData[] = [];
	let settings: Settings;
	try {
		// The options apply to the whole run.
		settings = readSettings(
			context.getNodeParameter('options', 0, {}) as IDataObject,
			context.getNodeParameter('requestOptions', 0, {}),
		);
	} catch (error) {
		return refuseAll(context, error);
	}
	const collection = new Collection(settings);
	const readRow = rowReader(context, accountOf);
	for (let row = 0; row < length; row++) {
		yield;
		let read: Row;
		try {
			read = readRow(row);
		} catch (error) {
			refused.push(refuse(context, error, row));
			continue;
		}
		yield;
		try {
			yield* collection.add(row, read);
		} catch (error) {
			return refuseAll(context, error);
		}
	}
	const { values, tallies, occurrences } = collection;
	return { settings, values, tallies, occurrences, refused };
}

/** @throws NodeApiError without Continue */
function refuse(context: IExecuteFunctions, error: unknown, row: number): INodeExecutionData {
	const explanation = explanationOf(error);
	if (!context.continueOnFail()) throw asNodeError(context.getNode(), explanation, row);
	const { message, description } = explanation;
	return { json: { error: message, message: description }, pairedItem: { item: row } };
}

/** @throws NodeApiError without Continue */
function refuseAll(context: IExecuteFunctions, error: unknown): Gathered {
	return {
		settings: readSettings({}, {}),
		values: [],
		tallies: new Map(),
		occurrences: [],
		refused: context.getInputData().map((_item, row) => refuse(context, error, row)),
	};
}

/** @returns a function that reads a row, and throws a Refusal for an invalid one */
function rowReader(
	context: IExecuteFunctions,
	accountOf: (row: number) => string,
): (row: number) => Row {
	const blacklistAt = parameterReader(context, 'blacklist', { extractValue: true });
	const typeAt = parameterReader(context, 'type');
	const valuesAt = parameterReader(context, 'values');
	return (row) => {
		const blacklist = readText('Blacklist', blacklistAt(row));
		blacklistSegment(blacklist);
		const account = accountOf(row);
		return { account, blacklist, type: readType(typeAt(row)), values: valuesAt(row) };
	};
}

/** A parameter without an expression is the same for all rows, and read once. */
function parameterReader(
	context: IExecuteFunctions,
	name: string,
	options?: IGetNodeParameterOptions,
): (row: number) => unknown {
	const at = (row: number): unknown => context.getNodeParameter(name, row, undefined, options);
	if (hasExpression(context.getNode().parameters[name])) return at;
	let constant: { value: unknown } | undefined;
	return () => (constant ??= { value: at(0) }).value;
}

function hasExpression(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=');
	return (
		typeof parameter === 'object' &&
		parameter !== null &&
		Object.values(parameter).some(hasExpression)
	);
}

function readType(type: unknown): ItemType | 'auto' {
	if (type === 'auto' || isItemType(type)) return type;
	throw unknownType(type, 'auto or ');
}
