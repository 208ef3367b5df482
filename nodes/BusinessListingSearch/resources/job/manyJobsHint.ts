import type { NodeHint } from 'n8n-workflow';

import { IS_DRY } from '../dryRun';

/** Shown before a run that would create many jobs, if neither of the options that limit it is set. */
export const manyJobsHint: NodeHint = {
	message:
		'Each input item creates a job, with a separate request. To limit a run, add "Maximum Jobs per Run" or "Minimum Remaining Requests" under "Options".',
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ $parameter.resource === "job" && $parameter.operation === "create" && $parameter.options.maxJobs === undefined && $parameter.options.minRemaining === undefined && !(${IS_DRY}) && $input.all().length > 100 }}`,
};
