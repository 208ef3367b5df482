import { createHash } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import { serialized } from '../../shared/text';

/** The tries of Retry On Fail get the same item objects; every other run of a node gets new ones. */
const inputFingerprints = new WeakMap<INodeExecutionData, string>();

/**
 * The fingerprint of an input item when the node first saw it: with n8n's legacy engine for expressions, an
 * expression can change the item.
 */
export function inputFingerprint(item: INodeExecutionData): string {
	const found = inputFingerprints.get(item) ?? fingerprintOf(item.json);
	inputFingerprints.set(item, found);
	return found;
}

/**
 * A short hash: 66 bits, in 11 characters. It is only compared with those of an earlier attempt of the same run.
 *
 * @param value anything n8n keeps as JSON
 */
export function fingerprintOf(value: unknown): string {
	return createHash('sha256').update(serialized(value)).digest('base64url').slice(0, 11);
}
