import type { NodeHint } from 'n8n-workflow';

import { IS_DRY } from './dryRun';

const INFO = { type: 'info', location: 'outputPane' } as const;

const isOf = (resource: string, operation: string) =>
	`$parameter.resource === "${resource}" && $parameter.operation === "${operation}"`;

/** More input items than a person means to send without thinking of it. */
const ARE_MANY = `!(${IS_DRY}) && $input.all().length > 100`;

/** If neither of the options that limit a run is set. Not after it: it would stand above every good run. */
const manyJobsHint: NodeHint = {
	...INFO,
	message:
		'Each input item creates a job, with a separate request. To limit a run, add "Maximum Jobs per Run" or "Minimum Remaining Requests" under "Options".',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ${isOf('job', 'create')} && $parameter.options.maxJobs === undefined && $parameter.options.minRemaining === undefined && ${ARE_MANY} }}`,
};

const manyValuesHint: NodeHint = {
	...INFO,
	message:
		'Each value is a request. To see first what would be sent, add "Dry Run" under "Options".',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ${isOf('blacklist', 'addItems')} && ${ARE_MANY} }}`,
};

/** For a pasted list, which would be one job. Always: whoever pastes it may have run the node before. */
const longKeywordHint: NodeHint = {
	...INFO,
	message: 'One keyword is one job. For many keywords, pass one input item per keyword.',
	whenToDisplay: 'always',
	displayCondition: `={{ ${isOf('job', 'create')} && /^[^=][^]{80}/.test($rawParameter.keyword) }}`,
};

/**
 * For fields that were dragged in without anything between them. An address can be meant so, and so can an optional
 * part: where an expression has a choice or a sum.
 */
const fieldsTouchHint: NodeHint = {
	...INFO,
	message:
		'There is nothing between two fields: {{ … }}{{ … }}. Put a space ("Keyword") or a comma ("Values") between them.',
	whenToDisplay: 'always',
	// Written so that n8n does not take the braces for an expression of their own.
	displayCondition:
		'={{ /[{]{2}[^?+{}]*[}]{2}[{]{2}[^?+{}]*[}]{2}/.test($rawParameter.keyword ?? $rawParameter.values) }}',
};

/** Shown as long as the option is on, which is easily forgotten. */
const dryRunHint: NodeHint = {
	message: '"Dry Run" is on: this node sends nothing',
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
	displayCondition: `={{ ${IS_DRY} }}`,
};

/** What n8n shows above the output of the node. */
export const HINTS = [manyJobsHint, manyValuesHint, longKeywordHint, fieldsTouchHint, dryRunHint];
