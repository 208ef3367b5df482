import type { NodeHint } from 'n8n-workflow';

import { IS_DRY } from '../options/dryRun';

const INFO = { type: 'info', location: 'outputPane' } as const;

/**
 * For more input items than a person means to send without thinking of it, if no option limits them. Not after a run:
 * it would stand above every good one.
 */
const manyItemsHint: NodeHint = {
	...INFO,
	message:
		'Each different search and each different value is one request. To see first what would be sent, add "Dry Run" under "Options". To limit jobs, add "Maximum Jobs per Run" or "Minimum Remaining Requests".',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ["create", "addItems"].includes($parameter.operation) && $parameter.options.maxJobs === undefined && $parameter.options.minRemaining === undefined && !(${IS_DRY}) && $input.all().length > 100 }}`,
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
export const HINTS = [manyItemsHint, dryRunHint];
