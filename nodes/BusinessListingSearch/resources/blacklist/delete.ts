import { outputSchema } from '../../../shared/output';
import { routingOf } from '../../run/items';
import { TIMED_OUT_ADVICE } from '../../run/requestOptions';
import { fillInName, BLACKLIST_NOT_FOUND, checkSuccess } from './blacklist';

/** Delete Blacklist: deletes the whole list (service interface, section 4, rule 5). */
export const deleteRouting = routingOf({
	method: 'DELETE',
	path: '/api/v1/blacklist/:name',
	advice: {
		...BLACKLIST_NOT_FOUND,
		...TIMED_OUT_ADVICE,
		unsuccessful: 'Check the name in "Blacklist": there may be no blacklist of this name.',
	},
	completeRequest: fillInName,
	parse(response) {
		checkSuccess(response);
		return [{ deleted: true }];
	},
});

export const deleteOutput = outputSchema({ deleted: { type: 'boolean' } });
