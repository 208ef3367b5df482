import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Requester } from '../../shared/account/requester';
import { asNodeError, explanationOf } from '../../shared/errors/explain';
import { readCredential } from '../../shared/http/credential';
import { getBlacklists, readBlacklists } from '../resources/blacklist/getAll';

/** Timeout of the list in milliseconds: the user is waiting for the dropdown. */
const PATIENCE = 15_000;

/**
 * The choices of the "Blacklist" dropdown, live from the account (service interface, section 4, rule
 * 4).
 *
 * @param filter what the user typed into its search; matches anywhere in a name
 * @throws NodeApiError that says what happened and what to do
 */
export async function searchBlacklists(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const { method, path: url } = getBlacklists;
		const requester = new Requester({ isUrgent: true, patience: PATIENCE });
		const credential = await readCredential(this);
		const response = await requester.request(this, { method, url }, credential);
		const wanted = filter.toLowerCase();
		const results = readBlacklists(response)
			.filter(({ name }) => String(name).toLowerCase().includes(wanted))
			.map(({ name, count }) => choiceOf(String(name), String(count)));
		return { results };
	} catch (error) {
		throw asNodeError(this.getNode(), explanationOf(error));
	}
}

/**
 * n8n stores both texts of a choice in the parameter, and takes one that begins with "=" for an
 * expression: the blacklist `=customers` would become `customers`.
 */
function choiceOf(name: string, count: string): { name: string; value: string } {
	if (!name.startsWith('=')) return { name: `${name} (${count})`, value: name };
	// Braces would end the expression.
	const text = JSON.stringify(name).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
	return { name: `"${name}" (${count})`, value: `={{ ${text} }}` };
}
