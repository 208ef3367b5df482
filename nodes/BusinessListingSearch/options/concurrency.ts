import type { INodeProperties } from 'n8n-workflow';

import { isUnset, readWholeNumber } from '../../shared/input';
import type { Item } from '../form/item';

const HIGHEST = 100;

export const concurrencyOption: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: HIGHEST },
	default: 10,
	description: `The most requests at the same time in each run, from 1 to ${HIGHEST}. Add it only if the service told you a limit: without it, the node finds the number by itself.`,
};

/**
 * Checks the option "Concurrency".
 *
 * @returns undefined when nothing is set
 * @throws Refusal for anything but a whole number from 1 to 100
 */
export function readConcurrency(item: Item): number | undefined {
	const value = item.option(concurrencyOption);
	if (isUnset(value)) return undefined;
	const advice = `Enter a whole number from 1 to ${HIGHEST}, or remove the option.`;
	return readWholeNumber('Concurrency', value, advice, [1, HIGHEST]);
}
