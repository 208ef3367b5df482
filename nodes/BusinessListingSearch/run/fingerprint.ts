import type { IExecuteData, INodeExecutionData } from 'n8n-workflow';

/** The marks of the input items, by execution data: the attempts of Retry On Fail share both objects. */
const inputMarks = new WeakMap<IExecuteData, WeakMap<INodeExecutionData, string>>();

/**
 * The fingerprint of an input item when the node first saw it: with n8n's legacy engine for expressions, an
 * expression can change the item.
 */
export function inputMark(executeData: IExecuteData, item: INodeExecutionData): string {
	const marks = inputMarks.get(executeData) ?? new WeakMap<INodeExecutionData, string>();
	inputMarks.set(executeData, marks);
	const mark = marks.get(item) ?? fingerprint(item.json);
	marks.set(item, mark);
	return mark;
}

/**
 * A short hash (cyrb53): 53 bits, in 11 characters. It is only compared with those of an earlier
 * attempt of the same run.
 *
 * @param value anything n8n keeps as JSON
 */
export function fingerprint(value: unknown): string {
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
