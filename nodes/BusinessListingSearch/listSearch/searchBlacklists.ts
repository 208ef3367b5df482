import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Requester } from '../../shared/account/requester';
import { asNodeError, explanationOf, sentences } from '../../shared/errors/explain';
import { Refusal } from '../../shared/errors/failure';
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
		const credential = await loadCredential(this).catch(refuseWithHint);
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

/** @throws the refusal of a credential, with what to do if it depends on an input item */
function refuseWithHint({ message, description }: Refusal): never {
	throw new Refusal(
		message,
		sentences(
			description,
			'If the credential uses an expression, choose "Name" and enter the name: a list has no input item.',
		),
	);
}
