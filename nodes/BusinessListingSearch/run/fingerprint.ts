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
		return JSON.stringify(value, writable()) ?? '';
	}
}

/** For what JSON cannot hold: a BigInt becomes a text, and a repeated object null. */
function writable(): (field: string, value: unknown) => unknown {
	const written = new Set<object>();
	return (_field, value) => {
		if (typeof value === 'bigint') return String(value);
		if (typeof value !== 'object' || value === null) return value;
		if (written.has(value)) return null;
		written.add(value);
		return value;
	};
}
