import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readBlacklists } from '../resources/blacklist/getAll';
import { asNodeError, explanationOf } from '../transport/nodeError';
import { Requester } from '../transport/requester';

/**
 * The choices of the "Blacklist" dropdown, live from the account (service interface, section 4,
 * rule 4).
 *
 * @param filter what a person typed into its search; matches anywhere in a name
 * @throws NodeApiError that says what happened and what to do
 */
export async function searchBlacklists(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const request = { method: 'GET', url: '/api/v1/blacklist' } as const;
		const answer = await new Requester().request(this, request);
		const wanted = filter.toLowerCase();
		const results = readBlacklists(answer)
			.map(({ name, count }) => ({ name: `${name} (${count})`, value: String(name) }))
			.filter(({ value }) => value.toLowerCase().includes(wanted));
		return { results };
	} catch (error) {
		throw asNodeError(this.getNode(), explanationOf(error, 'GET'));
	}
}
