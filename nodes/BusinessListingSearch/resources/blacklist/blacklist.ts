import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { Advice } from '../../../shared/errors/explain';
import { Refusal } from '../../../shared/errors/failure';
import type { ServiceRequest } from '../../../shared/http/exchange';
import {
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../../shared/http/response';
import { GAP_IN_NAME, isBlank, readText, type Form } from '../../../shared/input';
import { formOf } from '../form';

/** What to do about a 404. */
export const BLACKLIST_NOT_FOUND: Advice = {
	notFound: 'Check the name in "Blacklist", and "Base URL" in the credential.',
};

const BLACKLIST = { label: 'Blacklist', name: 'blacklist', gap: GAP_IN_NAME };

/**
 * Reads a blacklist name, which becomes a single path segment (service interface, section 4, rule 1).
 *
 * @throws Refusal as `readText` does, and for names that no URL can carry: empty, `.` and `..` (URL
 * parsers resolve these two even when percent-encoded)
 */
export function readBlacklist(value: unknown, form: Form): string {
	const name = readText(BLACKLIST, value, form);
	if (isBlank(name)) {
		throw new Refusal('"Blacklist" is empty', 'Choose a blacklist or enter its name.');
	}
	if (!isBlacklistName(name)) {
		throw new Refusal(
			`"Blacklist" cannot be "${name}"`,
			'A URL cannot contain this name. Choose a blacklist with another name.',
		);
	}
	return name;
}

/** Whether a name can be part of a URL: not blank, `.` or `..`. */
export function isBlacklistName(name: string): boolean {
	return !isBlank(name) && name !== '.' && name !== '..';
}

const blacklistField = (operation: string[], hint?: string): INodeProperties => ({
	displayName: 'Blacklist',
	name: 'blacklist',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The blacklist to use',
	displayOptions: { show: { resource: ['blacklist'], operation } },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a blacklist...',
			hint,
			typeOptions: { searchListMethod: 'searchBlacklists', searchable: true },
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. customers',
		},
	],
});

/** The blacklist that an operation works on: one field, of which only Delete's has no hint. */
export const blacklistFields = [
	blacklistField(['addItem', 'addItems'], 'To add to a new blacklist, search for its name'),
	blacklistField(['delete']),
];

/**
 * Fills in `:name` in the path. Not declared at the field, because n8n evaluates the expression of a
 * field with a routing twice more per item.
 */
export function fillInName(this: IExecuteSingleFunctions, request: ServiceRequest): void {
	const value = this.getNodeParameter('blacklist', undefined, { extractValue: true });
	const name = readBlacklist(value, formOf(this));
	request.url = request.url.replace(':name', () => encodeURIComponent(name));
}

/**
 * Parses the response to a call that changes a blacklist: `{ success }` (service interface, section 4,
 * rules 3 and 5).
 *
 * @throws Failure when `success` is false, or missing
 */
export function checkSuccess(response: ServiceResponse): void {
	const { success } = (response.body ?? {}) as IDataObject;
	if (success === true) return;
	throw success === false
		? unsuccessfulResponse(response)
		: unexpectedResponse(response, '"success"');
}
