import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ENDPOINTS } from '../../../shared/service/endpoints';
import { unexpectedResponse, type ServiceResponse } from '../../../shared/service/response';
import { isUnset, readBoolean, readWholeNumber } from '../../../shared/readField';
import type { Item } from '../../input/item';
import type { Operation } from '../../run/operation';

/** Get Blacklist: all lists of the account (service interface, section 4, rule 4). */
export const getAll: Operation = {
	...ENDPOINTS.getBlacklists,
	parserOf(item) {
		const most = mostBlacklists(item);
		return (response) => parseBlacklists(response).slice(0, most);
	},
};

export const getAllForm: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/**
 * How many blacklists to return at most. Not declared at the field: n8n applies "Limit" also where
 * "Return All" is an expression that returns true.
 *
 * @throws Failure that names the parameter
 */
function mostBlacklists(item: Item): number {
	const returnAll = item.parameter('Return All', 'returnAll', false);
	if (!isUnset(returnAll) && readBoolean('Return All', returnAll)) return Infinity;
	return readWholeNumber('Limit', item.parameter('Limit', 'limit', 50), [1]);
}

/**
 * Parses the list of blacklists.
 *
 * @returns one `{ name, count }` each; an entry with `nb` in place of `count`, like one in the
 * service's document (section 2), is also returned with `count`
 * @throws Failure when the response is not such a list
 */
export function parseBlacklists(response: ServiceResponse): IDataObject[] {
	if (!Array.isArray(response.body)) throw unexpectedResponse(response, 'a list of blacklists');
	return (response.body as unknown[]).map((entry) => {
		const { name, nb, count: counted } = (entry ?? {}) as IDataObject;
		const count = counted ?? nb;
		if (typeof name !== 'string' || isUnset(count)) {
			throw unexpectedResponse(response, 'a "name" and a "count" for each blacklist');
		}
		return { name, count };
	});
}
