import { Failure, Refusal } from '../errors/failure';
import { isThrottled, OUTCOMES } from '../errors/outcomes';
import type { ServiceResponse } from '../http/response';
import { OVERDUE } from '../waits';

/**
 * What the end of a request says about the service: `answered`, it answered, whatever it said; `throttled`, it
 * asked for a pause; `trouble`, it failed, timed out, or the connection broke or was refused; `other`,
 * nothing.
 */
export type Health = 'answered' | 'throttled' | 'trouble' | 'other';

/**
 * Reads the end of a request.
 *
 * @param timeout of the request, in milliseconds: one shorter than a slow service takes says nothing about it
 */
export function healthOf(result: ServiceResponse | Failure | Refusal, timeout: number): Health {
	if (result instanceof Refusal) return 'other';
	if (!(result instanceof Failure)) return 'answered';
	const { reason } = result;
	if (isThrottled(reason)) return 'throttled';
	const { aboutService } = OUTCOMES[reason];
	if (aboutService !== 'trouble') return aboutService === 'nothing' ? 'other' : 'answered';
	const isTimeout = reason === 'timedOut' || reason === 'notConnectedInTime';
	return isTimeout && timeout < OVERDUE ? 'other' : 'trouble';
}
