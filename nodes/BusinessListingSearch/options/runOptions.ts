import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { asFailure, Failure } from '../../shared/errors/failure';
import {
	isExpression,
	isUnset,
	readBoolean,
	readChoice,
	readWholeNumber,
} from '../../shared/readField';
import { quote, serialized } from '../../shared/text';
import { Stopped } from '../../shared/pacing/requester';
import type { SendingOptions } from '../../shared/pacing/runInLanes';
import type { ConnectionOptions } from '../../shared/service/exchange';
import type { TimeSlice } from '../../shared/time/timeSlice';
import type { Item } from '../input/item';
import { REQUEST_OPTIONS, type Option, type RequestOptions } from './requestOptions';

/** What is set under "Options", by the names of its fields. */
interface OwnOptions {
	concurrency?: number;
	dryRun?: boolean;
	includeInputFields?: boolean;
	maxJobs?: number;
	minRemaining?: number;
	output?: 'summary' | 'items';
}

/** What is set under "Options" and "Request Options", for the whole run. */
export interface RunOptions extends OwnOptions {
	sending: SendingOptions;
	connection: ConnectionOptions;
	/** Why nothing more is sent: an option is invalid, and counts as not set. What is done still comes out. */
	refusal?: Failure | undefined;
}

/** The fields of "Options". @param form of an operation */
export function optionsIn(form: INodeProperties[] = []): INodeProperties[] {
	return form.flatMap(({ name, options }) =>
		name === 'options' ? options : [],
	) as INodeProperties[];
}

/**
 * Reads the options of a run: an expression for every item, because all must give the same, and any other one once.
 *
 * @param items at least one
 * @param fields of "Options"
 */
export async function readRunOptions(
	items: Item[],
	fields: INodeProperties[],
	slice: TimeSlice,
): Promise<RunOptions> {
	let refusal: Failure | undefined;
	const refuse = (error: unknown) => {
		if (error instanceof Stopped) throw error;
		const { message, whatToDo } = asFailure(error);
		refusal ??= new Failure(message, whatToDo, { wayOn: 'retry' });
		return undefined;
	};
	const options: Record<string, Option> = { ...REQUEST_OPTIONS };
	for (const field of fields) options[field.name] = ownOption(field);
	const values: Record<string, unknown> = {};
	for (const [name, option] of Object.entries(options)) {
		values[name] = await readForAll(items, option, slice).catch(refuse);
	}
	const own: OwnOptions = values;
	if (own.dryRun && items[0]!.isOfRetry) {
		refusal ??= dryRunInRetry();
		own.dryRun = false;
	}
	// As in n8n's engine, a size below 1 is 1, and a time of 0 is none.
	const { batchSize = 1, batchInterval, timeout, ...others }: RequestOptions = values;
	const { skipSslCertificateValidation = false, proxy } = others;
	return {
		...own,
		sending: {
			concurrency: own.concurrency,
			batching: batchInterval
				? { size: Math.max(1, batchSize), interval: batchInterval }
				: undefined,
		},
		connection: { skipSslCertificateValidation, timeout: timeout || undefined, proxy },
		refusal,
	};
}

async function readForAll(
	items: Item[],
	{ label, path, read }: Option,
	slice: TimeSlice,
): Promise<unknown> {
	const [form] = items as [Item];
	if (!form.has(path)) return undefined;
	const isForEach = isExpression({ name: path }, form);
	const readFor = (item: Item) => read(item.parameter(label, path, ''), isForEach);
	const value = readFor(form);
	for (const item of isForEach ? items.slice(1) : []) {
		if (slice.isOver) await slice.yieldToN8n();
		const other = readFor(item);
		if (serialized(other) === serialized(value)) continue;
		throw new Failure(
			`"${label}" differs between the items: ${quote(value ?? 'not set')} (item ${form.index}), ${quote(other ?? 'not set')} (item ${item.index})`,
			'It applies to the whole run.',
		);
	}
	return value;
}

/** A field of "Options", by its own description. What an expression was to limit or to try must not vanish. */
export function ownOption({
	name,
	displayName: label,
	type,
	typeOptions: { minValue, maxValue } = {},
	options = [],
}: INodeProperties): Option {
	return {
		label,
		path: `options.${name}`,
		read(value, isOfExpression) {
			if (isUnset(value)) {
				if (!isOfExpression) return undefined;
				throw new Failure(
					`"${label}" has no value`,
					'Its expression returns nothing. Correct the expression, or remove the option.',
				);
			}
			if (type === 'boolean') return readBoolean(label, value);
			if (type === 'number') return readWholeNumber(label, value, [minValue, maxValue]);
			const choices = (options as INodePropertyOptions[]).map((choice) => String(choice.value));
			return readChoice(label, value, choices);
		},
	};
}

/** n8n retries an execution only until one retry succeeds. */
function dryRunInRetry(): Failure {
	return new Failure(
		'"Dry Run" is on in a retry of an execution',
		'After a retry that succeeds, n8n offers no other one. Remove the option.',
		{ wayOn: 'retry' },
	);
}
