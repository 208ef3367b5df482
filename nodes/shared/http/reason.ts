import type { ConnectionTrouble, Trouble } from './failure';
import { verdictOf } from './verdict';

/** Why a request failed, as error messages distinguish it. */
export type Reason =
	| ConnectionTrouble
	| 'abandoned'
	| 'unexpectedAnswer'
	| 'unsuccessful'
	| 'rejectedInput'
	| 'refusedKey'
	| 'allowanceUsedUp'
	| 'notFound'
	| 'tooManyRequests'
	| 'unavailable'
	| 'redirect'
	| 'notAccepted'
	| 'notProcessed';

const STATUSES: Record<number, Reason> = {
	400: 'rejectedInput',
	401: 'refusedKey',
	402: 'allowanceUsedUp',
	403: 'refusedKey',
	404: 'notFound',
	409: 'rejectedInput',
	422: 'rejectedInput',
	429: 'tooManyRequests',
};

/** Finds the reason of a failure, which decides its error message and its cause for n8n. */
export function reasonOf(trouble: Trouble): Reason {
	switch (trouble.kind) {
		case 'connection':
			return trouble.what;
		case 'shape':
			return 'unexpectedAnswer';
		case 'status':
			return reasonOfStatus(trouble);
		default:
			return trouble.kind;
	}
}

function reasonOfStatus(trouble: Trouble & { kind: 'status' }): Reason {
	const { statusCode } = trouble;
	const known = STATUSES[statusCode];
	if (known !== undefined) return known;
	switch (verdictOf(trouble, 'GET')) {
		case 'toldToWait':
			return 'unavailable';
		case 'rejected':
			return statusCode < 400 ? 'redirect' : 'notAccepted';
		default:
			return 'notProcessed';
	}
}

/** Whether the service rejected the content of this request, so that others can still succeed. */
export function isInputRejected(trouble: Trouble): boolean {
	return ['rejectedInput', 'unsuccessful'].includes(reasonOf(trouble));
}
