import type { Failure as NodeFailure } from 'n8n-workflow';

import type { Trouble } from './failure';
import { reasonOf, type Reason } from './reason';

/** Whether waiting helps, or somebody has to act; undefined where nobody can tell. */
const CAUSES: Record<Reason, NodeFailure['cause'] | undefined> = {
	rejectedInput: 'configuration-invalid',
	refusedKey: 'credential-invalid',
	allowanceUsedUp: 'quota-exhausted',
	notFound: 'configuration-invalid',
	tooManyRequests: 'rate-limited',
	unavailable: 'temporarily-unavailable',
	redirect: 'configuration-invalid',
	notAccepted: 'configuration-invalid',
	notProcessed: 'temporarily-unavailable',
	unexpectedAnswer: 'configuration-invalid',
	unsuccessful: 'configuration-invalid',
	noAddress: 'temporarily-unavailable',
	blocked: 'configuration-invalid',
	notConnected: 'temporarily-unavailable',
	// Waiting does not change a certificate.
	notSecure: 'configuration-invalid',
	timedOut: 'temporarily-unavailable',
	broken: 'temporarily-unavailable',
	abandoned: undefined,
};

/**
 * Why a request failed, in the terms of n8n's schedulers (`failure` of n8n-workflow 2.41), with the wait
 * that the service asked for.
 */
export function nodeFailureOf(trouble: Trouble): NodeFailure | undefined {
	const cause = CAUSES[reasonOf(trouble)];
	switch (cause) {
		case 'rate-limited':
		case 'quota-exhausted':
		case 'temporarily-unavailable': {
			const wait = trouble.kind === 'status' ? trouble.retryAfter : undefined;
			return wait ? { cause, retryAfterMs: wait } : { cause };
		}
		case undefined:
			return undefined;
		default:
			return { cause };
	}
}
