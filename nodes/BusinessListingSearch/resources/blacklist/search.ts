import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Requester } from '../../../shared/pacing/requester';
import { asFailure } from '../../../shared/errors/failure';
import { asNodeError } from '../../../shared/errors/shown';
import { loadCredentialWithoutItem } from '../../../shared/service/credential';
import { ENDPOINTS } from '../../../shared/service/endpoints';
import { LONGEST_DROPDOWN } from '../../../shared/time/timeLimits';
import { parseBlacklists } from './getAll';
import { canBeSegment } from '../../run/urlPath';

/**
 * The choices of the "Blacklist" dropdown, live from the account (service interface, section 4, rule
 * 4), without names that begin with "=". A search for a name that no list has offers it as a new one,
 * except for Delete.
 *
 * @param filter what the user typed into its search; matches anywhere in a name
 * @throws NodeApiError that says what happened and what to do
 */
export async function searchBlacklists(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const { method, path: url } = ENDPOINTS.getBlacklists;
		// With a Concurrency of its own, it does not wait for the automatic limit.
		const requester = new Requester(true, LONGEST_DROPDOWN, { concurrency: 1 });
		const credential = await loadCredentialWithoutItem(
			this,
			'choose "Name" and enter the name: a list has no input item.',
		);
		const response = await requester.request(this, { method, url }, credential);
		const wanted = filter.trim();
		const all = parseBlacklists(response).map(({ name, count }) => ({
			name: `${String(name)} (${String(count)})`,
			value: String(name),
		}));
		const results = all.filter(({ value }) => value.toLowerCase().includes(wanted.toLowerCase()));
		const isNew =
			this.getCurrentNodeParameter('operation') !== 'delete' &&
			canBeSegment(wanted) &&
			all.every(({ value }) => value !== wanted);
		if (isNew) results.push({ name: `${wanted} (new)`, value: wanted });
		// n8n takes a text that begins with "=" for an expression: `=x` would become `x`.
		return { results: results.filter(({ value }) => !value.startsWith('=')) };
	} catch (error) {
		throw asNodeError(this.getNode(), asFailure(error));
	}
}
