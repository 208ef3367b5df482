import type { Output } from '../../shared/output';
import { blacklistOutputs } from './blacklist';
import { jobOutputs } from './job';
import { usageOutputs } from './usage';

/** What each operation returns, by resource and operation. The build writes a file for each. */
export const OUTPUTS: Record<string, Record<string, Output>> = {
	blacklist: blacklistOutputs,
	job: jobOutputs,
	usage: usageOutputs,
};
