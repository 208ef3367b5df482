import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Entry, Row } from './collect';

/** @returns an item for each value, in the order of the input, linked to the row it came from */
export function outputItems(entries: Entry[]): INodeExecutionData[] {
	return entries.map(({ row, blacklist, type, value, status, reason }) => ({
		json: { blacklist, type, value, status, ...(reason !== undefined && { reason }) },
		pairedItem: { item: row },
	}));
}

interface Summary extends IDataObject {
	blacklist: string;
	added: number;
	duplicates: number;
	invalid: number;
	failed: number;
	problems: Array<{ value: string; type: string; reason: string }>;
}

/** @returns an item for each blacklist that a row names, linked to all rows that name it */
export function summarizeEntries(rows: Row[], entries: Entry[]): INodeExecutionData[] {
	const summaries = new Map<string, { json: Summary; pairedItem: Array<{ item: number }> }>();
	for (const { row, blacklist } of rows) {
		const summary = summaries.get(blacklist) ?? { json: newSummary(blacklist), pairedItem: [] };
		summary.pairedItem.push({ item: row });
		summaries.set(blacklist, summary);
	}
	for (const { blacklist, type, value, status, reason = '' } of entries) {
		const summary = summaries.get(blacklist)?.json;
		if (!summary) continue;
		if (status === 'added') summary.added += 1;
		else if (status === 'duplicate') summary.duplicates += 1;
		else if (status !== 'pending') {
			summary[status] += 1;
			summary.problems.push({ value, type, reason });
		}
	}
	return [...summaries.values()];
}

function newSummary(blacklist: string): Summary {
	return { blacklist, added: 0, duplicates: 0, invalid: 0, failed: 0, problems: [] };
}
