import type { INodeProperties } from 'n8n-workflow';

import { Failure } from '../../shared/errors/failure';
import { readOption } from './readOption';
import type { Item } from '../form/item';

export const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to only check the input and show what would be sent. Nothing is sent, so it costs nothing.',
};

/**
 * Reads the option "Dry Run".
 *
 * @throws Failure for anything but a boolean, and for an expression that returns nothing: what was to be tried must
 * not be sent. In a retry it is refused, because n8n retries an execution only until one retry succeeds.
 */
export function readDryRun(item: Item): boolean {
	const isOn = readOption<boolean>(item, dryRunOption) === true;
	if (isOn && item.isOfRetry) {
		throw new Failure(
			'"Dry Run" is on in a retry of an execution',
			'After a retry that succeeds, n8n offers no other one. Remove the option.',
		);
	}
	return isOn;
}

/** For a condition of a hint. */
export const IS_DRY = 'String($parameter.options?.dryRun).toLowerCase() === "true"';
