import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { isUnset, readWholeNumberFrom } from '../../../shared/input';
import { Refusal } from '../../../shared/refusal';
import { noJobWasCreated } from './noJob';

export const maxJobsOption: INodeProperties = {
	displayName: 'Maximum Jobs',
	name: 'maxJobs',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
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
	return function (this: IExecuteSingleFunctions): (done: number) => void {
		smallest = Math.min(smallest, readMaxJobs(this.getNodeParameter('options.maxJobs', '')));
		return (done) => refuseAbove(smallest, total, done);
	};
}

/**
 * Reads the option "Maximum Jobs".
 *
 * @returns Infinity when the option is not set
 * @throws Refusal for anything but a whole number from 1, and for an expression that returns undefined
 */
export function readMaxJobs(value: unknown): number {
	// n8n also gives undefined for an expression that throws: the limit must not vanish then.
	if (value === undefined) {
		throw new Refusal(
			'"Maximum Jobs" has no value',
			'Its expression returns nothing. Correct the expression, or remove the option.',
		);
	}
	if (isUnset(value)) return Infinity;
	return readWholeNumberFrom(
		1,
		'Maximum Jobs',
		value,
		'Enter a whole number of 1 or more, or remove the option.',
	);
}

/** @throws Refusal when there are more input items */
function refuseAbove(maximum: number, total: number, done: number): void {
	if (total <= maximum) return;
	const [items, most] = [total, maximum].map((number) => number.toLocaleString('en-US'));
	throw new Refusal(
		`${noJobWasCreated(done)}: ${items} items would create ${items} jobs, but "Maximum Jobs" is ${most}`,
		'Check that the input contains only items you want jobs for, or raise "Maximum Jobs" under "Options".',
	);
}
