import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { readBoolean } from '../../shared/input';
import { isSet } from '../run/form';
import type { RunContext } from '../run/task';

/** @param returns what a dry run returns, as the end of the description */
export const dryRunOption = (returns: string): INodeProperties => ({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description: `Whether to check the input without sending anything, and return ${returns}`,
});

/**
 * Reads the option "Dry Run".
 *
 * @throws Refusal for anything but a boolean, and for an expression that returns nothing: what was to be tried must
 * not be sent
 */
export function readDryRun(context: RunContext, value: unknown): boolean {
	return isSet(context, dryRunOption(''), value) && readBoolean('Dry Run', value);
}

/** Shown as long as the option is on, which is easily forgotten. */
export const dryRunHint: NodeHint = {
	message: '"Dry Run" is on: this node sends nothing',
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
	displayCondition: '={{ String($parameter.options?.dryRun).toLowerCase() === "true" }}',
};
