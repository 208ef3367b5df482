/**
 * Reads the header `Retry-After`: seconds, or a date.
 *
 * @param date the header `Date` of the same response: the clocks of the service and of this machine
 * can differ
 * @returns milliseconds; 0 for a date that has passed, and for anything else, which asks to wait but not
 * for how long; undefined without the header
 */
export function parseRetryAfter(value: unknown, date?: unknown): number | undefined {
	const text = String(value ?? '').trim();
	if (text === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	const wait = Date.parse(text) - (Date.parse(String(date)) || Date.now());
	return wait > 0 ? wait : 0;
}
