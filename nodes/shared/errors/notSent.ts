import { LONGEST_RETRY_AFTER } from '../waits';
import { Failure, messageOf, Refusal, type RefusalFacts } from './failure';
import { mayBeCarriedOut, nodeFailureOf, OUTCOMES } from './outcomes';

/** @param requests the requests that it concerns, for the message: those of another kind may get through */
export function serviceInTrouble(requests: string): Refusal {
	return new Refusal(
		'Not sent: the service keeps failing, or cannot be reached',
		`The last ${requests} got an error or no answer. Try again later.`,
		{ forSchedulers: { cause: 'temporarily-unavailable' }, next: 'retry' },
	);
}

export function keepsAskingToWait(requests: string): Refusal {
	return new Refusal(
		'Not sent: the service keeps telling n8n to wait',
		`It has accepted no ${requests} for two minutes. Try again later.`,
		{ forSchedulers: { cause: 'rate-limited' }, next: 'retry' },
	);
}

/**
 * The error for the other requests of a run, after one was told to wait for longer than this node does.
 *
 * @param retryAfter what the service asked for, in milliseconds
 */
export function askedToWaitTooLong(retryAfter: number): Refusal {
	const seconds = Math.ceil(retryAfter / 1000);
	return new Refusal(
		`Not sent: the service said to wait ${seconds} seconds`,
		`This node waits at most ${LONGEST_RETRY_AFTER / 1000} seconds. Try again after that time.`,
		{ forSchedulers: { cause: 'rate-limited', retryAfterMs: retryAfter }, next: 'retry' },
	);
}

/**
 * The error for a request whose turn does not come in time.
 *
 * @param pauseLeft how long its lane waits, in milliseconds, because the service asked for a pause
 * @param isInTrouble whether the service is in trouble with the requests of the lane
 */
export function noTurn(requests: string, pauseLeft: number, isInTrouble: boolean): Error {
	if (pauseLeft > 0) {
		return new Failure('tooManyRequests', { statusCode: 429, retryAfter: pauseLeft });
	}
	if (isInTrouble) return serviceInTrouble(requests);
	return new Refusal(
		'The request waited too long for its turn',
		'Nothing was sent. Other requests of the account come first. Try again later.',
		{ forSchedulers: { cause: 'temporarily-unavailable' }, next: 'retry' },
	);
}

/** Why the rest of a run is not sent after a failure that concerns the account; undefined after any other. */
export function notSentAfter(failure: Failure): Refusal | undefined {
	const { isOfAccount, whatToDo, next = 'retry', namesAddress } = OUTCOMES[failure.reason];
	if (!isOfAccount) return undefined;
	const message = messageOf(failure);
	return new Refusal(
		`Not sent: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
		`Another request of this run was refused. ${whatToDo}`,
		{ forSchedulers: nodeFailureOf(failure.reason), next, namesAddress },
	);
}

/** Whether a failed request may have been carried out: its outcome is unknown, or the service says that it failed. */
export type Doubt = 'failed' | 'unknown';

/** The doubt that an error leaves about a request with this method; undefined if it leaves none. */
export function doubtOf(error: unknown, method: string): Doubt | undefined {
	if (error instanceof NotSentAgain) return error.doubt;
	if (!(error instanceof Failure) || !mayBeCarriedOut(error.reason, method)) return undefined;
	return OUTCOMES[error.reason].verdict === 'failed' ? 'failed' : 'unknown';
}

/** Refuses what may have been carried out before. */
export abstract class NotSentAgain extends Refusal {
	readonly doubt: Doubt = 'unknown';
}

/** Refuses what another retry of the same execution may be sending, in the same n8n process. */
export class OtherRetryInProgress extends NotSentAgain {
	constructor() {
		super(
			'Not sent: another retry of this execution is in progress',
			'It may have been carried out there. See the result under "Executions". If something is missing there, retry that execution.',
			{ forSchedulers: null, next: 'none' },
		);
	}
}

/** Refuses to send again what may have been carried out in an earlier try. */
export class UnknownOutcome extends NotSentAgain {
	/** @param before sentences about that try, which say that the request may have been carried out */
	constructor(before: string, facts: RefusalFacts = { next: 'continue' }) {
		super(
			'Not sent again: the request may have been carried out in an earlier try',
			`Earlier try: ${before}`,
			{ forSchedulers: null, ...facts },
		);
	}
}

/**
 * Refuses a job that the service reported as failed in an earlier try of "Retry On Fail": nobody asked to send it
 * again. A retry of the execution sends it, because a person selects that.
 */
export class FailedInEarlierTry extends UnknownOutcome {
	override readonly doubt = 'failed';

	/** @param httpCode the status that the service answered with */
	constructor(before: string, httpCode: string | undefined) {
		super(before, { next: 'retry', httpCode });
	}
}

/** Refuses what a lost execution may have sent: n8n ended in the middle of it, and kept nothing of it. */
export class LostExecution extends NotSentAgain {
	constructor(createsJobs: boolean) {
		const logged = createsJobs
			? 'The log of the n8n server names each job_id with its keyword.'
			: 'The log of the n8n server only counts what was done.';
		super(
			'Not sent: n8n crashed in the middle of this execution, and kept nothing of what it had done',
			`It may have been carried out. This retry sent nothing. ${logged}`,
			{ forSchedulers: null, next: 'log' },
		);
	}
}
