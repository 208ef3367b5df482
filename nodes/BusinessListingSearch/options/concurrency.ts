import type { INodeProperties } from 'n8n-workflow';

const HIGHEST = 100;

/** Without it, `LANES` in `pacing/lane.ts` has the number to begin with. */
export const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: HIGHEST },
	default: 10,
	description: `The most requests at the same time in each run, from 1 to ${HIGHEST}. Add it only if the service told you a limit: without it, the node finds the number by itself.`,
};
