import type { INodePropertyRouting } from 'n8n-workflow';

import { received } from '../../transport/send';
import { addressBlacklist } from './blacklist';
import { readSuccess } from './success';

/** Delete Blacklist: deletes the whole list (service interface, section 4, rule 5). */
export const deleteRouting: INodePropertyRouting = {
	request: { method: 'DELETE', url: '/api/v1/blacklist/:name' },
	send: { paginate: true, preSend: [addressBlacklist] },
	output: {
		postReceive: [
			received((answer) => {
				readSuccess(answer);
				return [{ deleted: true }];
			}),
		],
	},
};
