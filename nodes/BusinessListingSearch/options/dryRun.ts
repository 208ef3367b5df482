import type { INodeProperties } from 'n8n-workflow';

export const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to only check the input and show what would be sent. Nothing is sent, so it costs nothing.',
};

/** For a condition of a hint. */
export const IS_DRY = 'String($parameter.options?.dryRun).toLowerCase() === "true"';
