import { outputOf } from '../../../shared/output';
import { routingOf } from '../../run/items';
import { TIMED_OUT_ADVICE } from '../../run/requestOptions';
import { fillInName, BLACKLIST_NOT_FOUND, parseSuccess } from './blacklist';

/** Delete Blacklist: deletes the whole list (service interface, section 4, rule 5). */
export const deleteRouting = routingOf({
	method: 'DELETE',
	path: '/api/v1/blacklist/:name',
	advice: { ...BLACKLIST_NOT_FOUND, ...TIMED_OUT_ADVICE },
	prepare: fillInName,
	parse(response) {
		parseSuccess(response);
		return [{ deleted: true }];
	},
});

export const deleteOutput = outputOf({ deleted: { type: 'boolean' } });
