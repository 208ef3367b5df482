import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { Refusal } from '../../../shared/refusal';
import { noJobWasCreated, readGuard } from './guard';

export const maxJobsOption: INodeProperties = {
	displayName: 'Maximum Jobs',
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
 * The option "Maximum Jobs" as a precondition of each job. All input items count, including those done by
 * an earlier attempt. An expression is read for each item, and the smallest number applies to all items
 * that have arrived: the whole run, unless n8n hands items over in batches under Continue.
 *
 * @param total how many input items the run has
 */
export function maxJobsPreconditions(total: number) {
	let smallest = Infinity;
	return function (this: IExecuteSingleFunctions): (hasStarted: boolean) => void {
		const maximum = readGuard(this, 'maxJobs', 'Maximum Jobs', 1);
		smallest = Math.min(smallest, maximum ?? Infinity);
		return (hasStarted) => refuseAbove(smallest, total, hasStarted);
	};
}

/** @throws Refusal when there are more input items */
function refuseAbove(maximum: number, total: number, hasStarted: boolean): void {
	if (total <= maximum) return;
	const [items, most] = [total, maximum].map((number) => number.toLocaleString('en-US'));
	throw new Refusal(
		`${noJobWasCreated(hasStarted)}: ${items} items would create ${items} jobs, but "Maximum Jobs" is ${most}`,
		'Check that the input contains only items you want jobs for, or raise "Maximum Jobs" under "Options".',
	);
}
