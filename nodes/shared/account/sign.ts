import { Failure, Refusal } from '../errors/failure';
import { asksToWait, OUTCOMES } from '../errors/outcomes';
import type { ServiceResponse } from '../http/response';

/**
 * What the end of a request says about the service: `answered`, it answered, whatever it said; `toldToWait`, it
 * asked for a pause; `trouble`, it failed, timed out, or the connection broke or was refused; `other`,
 * nothing.
 */
export type Sign = 'answered' | 'toldToWait' | 'trouble' | 'other';

/**
 * Reads the end of a request. It says nothing about the service if the run brought it on itself, by its
 * proxy or a short timeout.
 */
export function signOf(
	result: ServiceResponse | Failure | Refusal,
	{ hasProxy, isShort }: { hasProxy: boolean; isShort: boolean },
): Sign {
	if (result instanceof Refusal) return 'other';
	if (!(result instanceof Failure)) return 'answered';
	const { reason } = result;
	if (asksToWait(reason)) return 'toldToWait';
	const { aboutService } = OUTCOMES[reason];
	if (aboutService !== 'trouble') return aboutService === 'nothing' ? 'other' : 'answered';
	const isTimeout = reason === 'timedOut' || reason === 'notConnectedInTime';
	return hasProxy || (isShort && isTimeout) ? 'other' : 'trouble';
}
