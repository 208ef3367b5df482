import type { INodeExecutionData } from 'n8n-workflow';

/** By item: n8n makes new objects each time it runs a node, and the attempts of Retry On Fail share them. */
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
 * A short hash (cyrb53): 53 bits, in 11 characters. It is only compared with those of an earlier
 * attempt of the same run.
 *
 * @param value anything n8n keeps as JSON
 */
export function fingerprintOf(value: unknown): string {
	const text = serialize(value);
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	const number = 4294967296 * (2097151 & low) + (high >>> 0);
	return number.toString(36).padStart(11, '0');
}

function serialize(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		// What JSON cannot hold, n8n does not keep either. The index still tells the items apart.
		return '';
	}
}
