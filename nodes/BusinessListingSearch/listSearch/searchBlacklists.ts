import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Requester } from '../../shared/account/requester';
import { asNodeError, explanationOf } from '../../shared/errors/explain';
import { loadCredential } from '../../shared/http/credential';
import { GET_BLACKLISTS, parseBlacklists } from '../resources/blacklist/getAll';

/** Timeout of the list in milliseconds: the user is waiting for the dropdown. */
const PATIENCE = 15_000;

/**
 * The choices of the "Blacklist" dropdown, live from the account (service interface, section 4, rule
 * 4), without names that begin with "=".
 *
 * @param filter what the user typed into its search; matches anywhere in a name
 * @throws NodeApiError that says what happened and what to do
 */
export async function searchBlacklists(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const { method, path: url } = GET_BLACKLISTS;
		const requester = new Requester({ isUrgent: true, patience: PATIENCE });
		const credential = await loadCredential(this);
		const response = await requester.request(this, { method, url }, credential);
		const wanted = filter.toLowerCase();
		const results = parseBlacklists(response)
			.map(({ name, count }) => ({
				name: `${String(name)} (${String(count)})`,
				value: String(name),
			}))
			// n8n takes a text that begins with "=" for an expression: `=x` would become `x`.
			.filter(({ value }) => value.toLowerCase().includes(wanted) && !value.startsWith('='));
		return { results };
	} catch (error) {
		throw asNodeError(this.getNode(), explanationOf(error));
	}
}
