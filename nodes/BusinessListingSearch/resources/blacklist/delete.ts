import { ENDPOINTS } from '../../../shared/service/endpoints';
import { ifSuccessful, type Operation } from '../../run/operation';
import { BLACKLIST, blacklistField } from './field';

export const deleteForm = [blacklistField('The blacklist to delete')];

const DELETED = ifSuccessful({ deleted: true });

/** Delete Blacklist: deletes the whole list (service interface, section 4, rule 5). */
export const deleteBlacklist: Operation = {
	...ENDPOINTS.deleteBlacklist,
	changes: 'blacklists',
	// A name read by Get Many must not lead to another list.
	pathParameter: { ...BLACKLIST, isExact: true },
	parserOf: () => DELETED,
};
