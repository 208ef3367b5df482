import { Failure, Refusal } from '../errors/failure';
import { isThrottled, OUTCOMES } from '../errors/outcomes';
import type { ServiceResponse } from '../http/response';
import { OVERDUE } from '../waits';

/**
 * What the end of a request says about the service:
 *
 * - `answered`: it answers, whatever it says
 * - `throttled`: it asked to wait
 * - `trouble`: it failed or timed out, or the connection was refused or broke
 * - `other`: nothing
 */
export type Health = 'answered' | 'throttled' | 'trouble' | 'other';

/** @param timeout of the request, in milliseconds: a short one says nothing about a slow service */
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
