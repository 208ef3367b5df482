import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import type { Answer } from '../../transport/answer';
import { unexpectedAnswer } from '../../transport/answer';
import { Refusal } from '../../transport/failure';
import { prepared, received } from '../../transport/send';
import { readWholeNumber } from '../input';

/** Get Blacklist: all lists of the account (service interface, section 4, rule 4). */
export const getAllRouting: INodePropertyRouting = {
	request: { method: 'GET', url: '/api/v1/blacklist' },
	send: { paginate: true },
	output: { postReceive: [received(readBlacklists)] },
};

const displayOptions = { show: { resource: ['blacklist'], operation: ['getAll'] } };

export const getAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions,
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
		routing: {
			send: {
				preSend: [
					prepared(function () {
						readLimit(this.getNodeParameter('limit'));
					}),
				],
			},
			output: { maxResults: '={{ $value }}' },
		},
	},
];

/** @throws Refusal for a limit that is no whole number from 1 */
export function readLimit(value: unknown): number {
	const limit = readWholeNumber('Limit', value);
	if (limit < 1) {
		throw new Refusal(`"Limit" is below 1: ${limit}`, 'Enter 1 or more, or turn on "Return All".');
	}
	return limit;
}

/**
 * Reads the list of blacklists.
 *
 * @returns one `{ name, count }` for each; an entry that carries `nb` in place of `count`, as one in
 * the service's document does (section 2), still comes out with `count`
 * @throws Failure when the answer is not such a list
 */
export function readBlacklists(answer: Answer): IDataObject[] {
	const entries = Array.isArray(answer.body) ? (answer.body as unknown[]) : undefined;
	if (!entries) throw unexpectedAnswer(answer, 'a list of blacklists');
	return entries.map((entry) => {
		const { name, nb, count = nb } = (entry ?? {}) as IDataObject;
		if (typeof name !== 'string' || count === undefined) {
			throw unexpectedAnswer(answer, 'a "name" and a "count" for each blacklist');
		}
		return { name, count };
	});
}
