import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { Refusal } from '../transport/failure';
import { readWholeNumber } from './input';

const HIGHEST = 50;

/** @param usual how many where a person sets nothing */
export function concurrencyOption(usual: number): INodeProperties {
	return {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: HIGHEST, numberPrecision: 0 },
		default: usual,
		description: `How many requests may be under way at once, from 1 to ${HIGHEST}`,
	};
}

/** @returns a function that reads the option "Concurrency" of an item */
export function readConcurrency(usual: number): (this: IExecuteSingleFunctions) => number {
	return function () {
		return checkConcurrency(this.getNodeParameter('options.concurrency', usual));
	};
}

/** @throws Refusal for anything but a whole number from 1 to 50 */
export function checkConcurrency(value: unknown): number {
	const concurrency = readWholeNumber('Concurrency', value);
	if (concurrency < 1 || concurrency > HIGHEST) {
		throw new Refusal(
			`"Concurrency" is not between 1 and ${HIGHEST}: ${concurrency}`,
			`Enter a whole number from 1 to ${HIGHEST}, or remove the option.`,
		);
	}
	return concurrency;
}
