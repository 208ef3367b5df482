import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { shorten } from '../../../shared/input';
import type { Value } from './distinctValues';
import type { Gathered } from './gather';

/** @returns the output items of the values: a summary for each blacklist, or each value */
export function outputItems(gathered: Gathered): INodeExecutionData[] {
	return gathered.settings.output === 'items' ? eachValue(gathered) : summaries(gathered);
}

const NO_VALUES: NodeExecutionHint = {
	message: 'The input contains no values. If you expect some, check the expression in "Values".',
	type: 'info',
	location: 'outputPane',
};

/** @returns the hint that n8n shows above the output; undefined if every value was added */
export function hintOf({ settings, values, blacklists }: Gathered): NodeExecutionHint | undefined {
	if (values.length === 0 && blacklists.size > 0) return NO_VALUES;
	let [total, missing, inDoubt] = [0, 0, 0];
	const reasons = new Map<string, number>();
	for (const { status, times, reason, isInDoubt } of values) {
		total += times;
		if (reason === undefined) continue;
		// A value that failed is one, however often it is named.
		const counted = status === 'invalid' ? times : 1;
		missing += counted;
		if (isInDoubt && !settings.isDry) inDoubt += 1;
		reasons.set(reason, (reasons.get(reason) ?? 0) + counted);
	}
	if (missing === 0) return undefined;
	const most = [...reasons].sort(([, one], [, other]) => other - one).slice(0, MOST_REASONS);
	const told = most.map(([reason, times]) => `${grouped(times)} × ${asHtml(shorten(reason, 80))}`);
	if (reasons.size > MOST_REASONS) told.push('…');
	const were = settings.isDry ? 'would not be' : missing === 1 ? 'was not' : 'were not';
	const first = inDoubt > 0 ? `${grouped(inDoubt)} may have been added: check your account. ` : '';
	const noun = total === 1 ? 'value' : 'values';
	return {
		message: `${first}${grouped(missing)} of ${grouped(total)} ${noun} ${were} added: ${told.join(' · ')}`,
		type: 'warning',
		location: 'outputPane',
	};
}

/** How many reasons the hint names. */
const MOST_REASONS = 3;

const grouped = (number: number) => number.toLocaleString('en-US');

/** n8n shows a hint as HTML, and a reason can quote the service. */
const asHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

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
function summaries({ settings, values, blacklists }: Gathered): INodeExecutionData[] {
	const items = new Map(
		[...blacklists].map(([key, { blacklist, rows }]) => {
			const valid = settings.isDry ? { valid: 0 } : {};
			const counts = { added: 0, ...valid, duplicates: 0, invalid: 0, failed: 0 };
			const json = { blacklist, ...counts, problems: [] as IDataObject[] };
			return [key, { json, pairedItem: rows.map((item) => ({ item })) }];
		}),
	);
	for (const { summary, type, value, status, reason, times } of values) {
		const { json } = items.get(summary)!;
		if (status === 'invalid') json.invalid += times;
		else json.duplicates += times - 1;
		if (status === 'added' || status === 'failed') json[status] += 1;
		if (status === 'valid') json.valid! += 1;
		if (reason !== undefined) json.problems.push({ value, type, reason });
	}
	return [...items.values()];
}
