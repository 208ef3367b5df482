import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { Advice } from '../../../shared/explain';
import type { ServiceRequest } from '../../../shared/http/exchange';
import { readText } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';

/** What to do where the service does not know a blacklist, or the whole address. */
export const BLACKLIST_NOT_FOUND: Advice = {
	notFound: 'Check that "Blacklist" names one that exists, and "Base URL" in the credential.',
};

/**
 * The path segment of a blacklist name (service interface, section 4, rule 1): whatever a name
 * contains reaches the service as one segment.
 *
 * @throws Refusal for names that cannot be one: empty, `.` and `..` (every URL parser takes these two
 * for steps in the path, percent-encoded or not), or with half a character in it
 */
export function blacklistSegment(value: unknown): string {
	const name = readText('Blacklist', value);
	if (name.trim() === '') {
		throw new Refusal('"Blacklist" is empty', 'Choose a blacklist or enter the name of one.');
	}
	if (name === '.' || name === '..') {
		throw new Refusal(
			`"Blacklist" cannot be "${name}"`,
			'This name cannot be written in an address. Choose a blacklist of another name.',
		);
	}
	try {
		return encodeURIComponent(name);
	} catch {
		return refuseBrokenText();
	}
}

function refuseBrokenText(): never {
	throw new Refusal(
		'"Blacklist" contains a broken character',
		'Half of a character (such as an emoji that was cut in two) cannot be sent. Enter the name again.',
	);
}

/** The blacklist that an operation works on. */
export const blacklistField: INodeProperties = {
	displayName: 'Blacklist',
	name: 'blacklist',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The blacklist to work on',
	displayOptions: {
		show: { resource: ['blacklist'], operation: ['addItem', 'addItems', 'delete'] },
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a blacklist...',
			typeOptions: { searchListMethod: 'searchBlacklists', searchable: true },
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. customers',
		},
	],
};

/**
 * For the operations on one blacklist: fills in `:name` in their path. It is not declared at the field,
 * because n8n evaluates the expression of a field with a routing twice more for every item.
 */
export function addressBlacklist(this: IExecuteSingleFunctions, request: ServiceRequest): void {
	const name = this.getNodeParameter('blacklist', undefined, { extractValue: true });
	request.url = request.url.replace(':name', () => blacklistSegment(name));
}
