import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { Gathered } from './gather';
import type { List, Value } from './list';

/** @returns the output items of the values: a summary for each blacklist, or each value */
export function outputItems({ options, lists, mentions }: Gathered): INodeExecutionData[] {
	if (options.output === 'items') return eachValue(mentions);
	return lists.map((list) => summaryOf(list, options.dryRun));
}

const NO_VALUES: NodeExecutionHint = {
	message: 'The input contains no values. If you expect some, check the expression in "Values".',
	type: 'info',
	location: 'outputPane',
};

/** @returns the hint that n8n shows above the output; undefined if every value was added */
export function hintOf({ options, lists }: Gathered): NodeExecutionHint | undefined {
	const values = lists.flatMap((list) => list.values);
	if (values.length === 0 && lists.length > 0) return NO_VALUES;
	let [total, missing] = [0, 0];
	for (const { status, times, reason } of values) {
		total += times;
		// A failed value counts once, an invalid one each time.
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
function eachValue(mentions: Gathered['mentions']): INodeExecutionData[] {
	const seen = new Set<Value>();
	return mentions.map(({ row, value: named }) => {
		const { list, type, value, status, reason } = named;
		const isDuplicate = status !== 'invalid' && seen.has(named);
		seen.add(named);
		const outcome = { status: isDuplicate ? 'duplicate' : status };
		const why = !isDuplicate && reason !== undefined && { reason };
		// Its status first: n8n's table has room for a few columns.
		const json = { ...outcome, value, blacklist: list.blacklist, type, ...why };
		return { json, pairedItem: { item: row } };
	});
}

/** An item for a blacklist, linked to all rows that name it. The numbers count every value; a problem is listed once. */
function summaryOf({ blacklist, rows, values }: List, isDry = false): INodeExecutionData {
	const counts = { added: 0, ...(isDry && { valid: 0 }), duplicates: 0, invalid: 0, failed: 0 };
	const problems: IDataObject[] = [];
	for (const { type, value, status, reason, times } of values) {
		if (status === 'invalid') counts.invalid += times;
		else counts.duplicates += times - 1;
		if (status === 'added' || status === 'failed') counts[status] += 1;
		if (status === 'valid') counts.valid! += 1;
		if (reason !== undefined) problems.push({ value, type, reason });
	}
	return { json: { blacklist, ...counts, problems }, pairedItem: rows.map((item) => ({ item })) };
}
