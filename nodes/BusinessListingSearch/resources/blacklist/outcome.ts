import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { BlacklistTally, Value } from './collection';
import type { Gathered } from './gather';

/** @returns the output items of the step: first the values, then the refused rows */
export function outputItems(gathered: Gathered): INodeExecutionData[] {
	const items = gathered.settings.output === 'items' ? eachValue(gathered) : summaries(gathered);
	return [...items, ...gathered.refused];
}

const NO_VALUES: NodeExecutionHint = {
	message: 'The input contains no values. If you expect some, check the expression in "Values".',
	type: 'info',
	location: 'outputPane',
};

/** @returns the hint that n8n shows above the output; undefined if every value was added */
export function hintOf({ settings, values, tallies }: Gathered): NodeExecutionHint | undefined {
	let [total, missing] = [0, values.filter(({ status }) => status === 'failed').length];
	for (const { valid, invalid } of tallies.values()) {
		total += valid + invalid;
		missing += invalid;
	}
	if (total === 0 && tallies.size > 0) return NO_VALUES;
	if (missing === 0) return undefined;
	const [part, all] = [missing, total].map((number) => number.toLocaleString('en-US'));
	const were = `${total === 1 ? 'value' : 'values'} ${missing === 1 ? 'was' : 'were'}`;
	const place = settings.output === 'items' ? 'status' : 'problems';
	return {
		message: `${part} of ${all} ${were} not added: see "${place}"`,
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
		const json: IDataObject = { blacklist, type, value };
		if (isDuplicate) json.status = 'duplicate';
		else Object.assign(json, { status }, reason !== undefined && { reason });
		return { json, pairedItem: { item: row } };
	});
}

interface Summary extends IDataObject {
	blacklist: string;
	added: number;
	duplicates: number;
	invalid: number;
	failed: number;
	problems: Array<{ value: string; type: string; reason: string }>;
}

/** The most repetitions of problems that are listed; beyond that, each problem is listed once. */
const MOST_REPEATS = 10_000;

/** An item for each blacklist that a row names, linked to all rows that name it. */
function summaries({ values, tallies }: Gathered): INodeExecutionData[] {
	const summaryOf = new Map(
		[...tallies].map(([blacklist, tally]) => [blacklist, newSummary(blacklist, tally)]),
	);
	let repeats = 0;
	for (const { blacklist, type, value, status, reason = '', times = 1 } of values) {
		const summary = summaryOf.get(blacklist)!;
		if (status === 'added' || status === 'failed') summary[status] += 1;
		if (status !== 'invalid' && status !== 'failed') continue;
		summary.problems.push({ value, type, reason });
		for (let time = 1; time < times && repeats < MOST_REPEATS; time++, repeats++) {
			summary.problems.push({ value, type, reason });
		}
	}
	return [...tallies].map(([blacklist, { rows }]) => ({
		json: summaryOf.get(blacklist)!,
		pairedItem: rows.map((item) => ({ item })),
	}));
}

function newSummary(blacklist: string, { valid, distinct, invalid }: BlacklistTally): Summary {
	return { blacklist, added: 0, duplicates: valid - distinct, invalid, failed: 0, problems: [] };
}
