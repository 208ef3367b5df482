import type { Fault } from '../../sandbox';

type StatusFault = Extract<Fault, { kind: 'status' }>;

/**
 * A fault that responds with this status.
 * @param options `retryAfter` is the value of the Retry-After header
 */
export function status(
	code: number,
	{ retryAfter, ...more }: Partial<StatusFault> & { retryAfter?: string } = {},
): StatusFault {
	const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter };
	return { headers, ...more, kind: 'status', status: code };
}
