import { ENDPOINTS } from '../../../shared/service/endpoints';
import { routingOf } from '../../run/declarative';
import { ifSuccessful } from '../../run/operation';
import { BLACKLIST, BLACKLIST_NOT_FOUND } from './field';

/** Delete Blacklist: deletes the whole list (service interface, section 4, rule 5). */
export const deleteRouting = routingOf({
	...ENDPOINTS.deleteBlacklist,
	changes: 'blacklists',
	// A name read by Get Many must not lead to another list.
	pathParameters: { name: { ...BLACKLIST, isExact: true } },
	advice: {
		...BLACKLIST_NOT_FOUND,
		unsuccessful: { whatToDo: 'Check "Blacklist": there may be none of this name.' },
	},
	parse: ifSuccessful({ deleted: true }),
});
