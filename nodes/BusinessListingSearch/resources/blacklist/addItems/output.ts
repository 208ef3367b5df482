import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { Value } from './distinctValues';
import type { Gathered } from './gather';

/** @returns the output items of the values: a summary for each blacklist, or each value */
export function outputItems(gathered: Gathered): INodeExecutionData[] {
	return gathered.options.output === 'items' ? eachValue(gathered) : summaries(gathered);
}

const NO_VALUES: NodeExecutionHint = {
	message: 'The input contains no values. If you expect some, check the expression in "Values".',
	type: 'info',
	location: 'outputPane',
};

/** @returns the hint that n8n shows above the output; undefined if every value was added */
export function hintOf({ options, values, blacklists }: Gathered): NodeExecutionHint | undefined {
	if (values.length === 0 && blacklists.size > 0) return NO_VALUES;
	let [total, missing] = [0, 0];
	for (const { status, times, reason } of values) {
		total += times;
		// A value that failed is one, however often it is named.
		if (reason !== undefined) missing += status === 'invalid' ? times : 1;
	}
	if (missing === 0) return undefined;
	const [most, all] = [missing, total].map((number) => number.toLocaleString('en-US'));
	const added = options.dryRun ? 'Would not be added' : 'Not added';
	const where = options.output === 'items' ? '"reason"' : '"problems"';
	return {
		message: `${added}: ${most} of ${all} values. See ${where}.`,
		type: 'warning',
		location: 'outputPane',
	};
}

/** An item for each value in input order, linked to its row. */
function eachValue({ occurrences }: Gathered): INodeExecutionData[] {
	const seen = new Set<Value>();
	return occurrences.map(({ row, value: named }) => {
		const { blacklist, type, value, status, reason } = named;
		const isDuplicate = status !== 'invalid' && seen.has(named);
		seen.add(named);
		const outcome = { status: isDuplicate ? 'duplicate' : status };
		const why = !isDuplicate && reason !== undefined && { reason };
		// Its status first: n8n's table has room for a few columns.
		return { json: { ...outcome, value, blacklist, type, ...why }, pairedItem: { item: row } };
	});
}

/**
 * An item for each blacklist of an account that a row names, linked to all rows that name it. The numbers count every
 * value; a problem is listed once.
 */
function summaries({ options, values, blacklists }: Gathered): INodeExecutionData[] {
	const items = new Map(
		[...blacklists].map(([key, { blacklist, rows }]) => {
			const valid = options.dryRun ? { valid: 0 } : {};
			const counts = { added: 0, ...valid, duplicates: 0, invalid: 0, failed: 0 };
			const json = { blacklist, ...counts, problems: [] as IDataObject[] };
			return [key, { json, pairedItem: rows.map((item) => ({ item })) }];
		}),
	);
	for (const { summaryKey, type, value, status, reason, times } of values) {
		const { json } = items.get(summaryKey)!;
		if (status === 'invalid') json.invalid += times;
		else json.duplicates += times - 1;
		if (status === 'added' || status === 'failed') json[status] += 1;
		if (status === 'valid') json.valid! += 1;
		if (reason !== undefined) json.problems.push({ value, type, reason });
	}
	return [...items.values()];
}
