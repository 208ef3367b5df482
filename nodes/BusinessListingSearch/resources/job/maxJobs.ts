import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { Guard } from '../../run/task';
import { noJob, readGuard } from './guard';

export const maxJobsOption: INodeProperties = {
	displayName: 'Maximum Jobs per Run',
	name: 'maxJobs',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description:
		'The maximum number of jobs per run. If a run has more input items, no job is created and nothing is sent. Each pass of a loop is a separate run.',
	builderHint: {
		propertyHint: 'Set it if the number of input items is not known when the workflow is built.',
	},
	// An agent calls its tool for one job at a time: the option would limit nothing there.
	displayOptions: { hide: { '@tool': [true] } },
};

/**
 * The option "Maximum Jobs per Run". All input items count, including those done by an earlier attempt.
 *
 * @param total how many input items the run has
 * @returns a function that reads the option of an item; throws Refusal for invalid input
 */
export function guardMaximum(total: number): (this: IExecuteSingleFunctions) => Guard {
	/** The smallest of the items that have arrived: of the whole run, unless n8n hands them over in batches. */
	let maximum = Infinity;
	return function () {
		const own = readGuard(this, 'maxJobs', 'Maximum Jobs per Run', 1) ?? Infinity;
		maximum = Math.min(maximum, own);
		return {
			async read({ hasSent }) {
				if (total <= maximum) return;
				const [items, most] = [total, maximum].map((number) => number.toLocaleString('en-US'));
				throw noJob(
					hasSent(),
					`the run has ${items} items, and "Maximum Jobs per Run" is ${most}`,
					'Raise "Maximum Jobs per Run" under "Options", or put n8n\'s "Limit" node before this one.',
				);
			},
		};
	};
}
