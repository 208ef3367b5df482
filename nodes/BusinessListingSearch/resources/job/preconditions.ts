import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Precondition } from '../../run/task';
import { maxJobsPreconditions } from './maxJobs';
import { minRemainingPreconditions } from './minRemaining';

/**
 * The preconditions of each job of a run. "Maximum Jobs" comes first: if it refuses, not even the usage
 * is read.
 *
 * @param total how many input items the run has
 */
export function jobPreconditions(total: number) {
	const maxJobs = maxJobsPreconditions(total);
	const minRemaining = minRemainingPreconditions();
	return function (this: IExecuteSingleFunctions): Precondition {
		const checkTotal = maxJobs.call(this);
		const checkRemaining = minRemaining.call(this);
		return async (run) => {
			checkTotal(run.hasStarted());
			return await checkRemaining(run);
		};
	};
}
