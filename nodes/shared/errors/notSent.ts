import { LONGEST_RETRY_AFTER } from '../time/waits';
import { Failure, messageOf, Refusal } from './failure';
import { MAYBE, mayBeCarriedOut, nodeFailureOf, OUTCOMES } from './outcomes';

/** @param requests the requests that it concerns, for the message: those of another kind may get through */
export function serviceInTrouble(requests: string): Refusal {
	return new Refusal(
		'Not sent: the service keeps failing, or cannot be reached',
		`The last ${requests} got an error or no answer. Try again later.`,
		{ forSchedulers: { cause: 'temporarily-unavailable' } },
	);
}

export function keepsAskingToWait(requests: string): Refusal {
	return new Refusal(
		'Not sent: the service keeps telling n8n to wait',
		`It has accepted no ${requests} for two minutes. Try again later.`,
		{ forSchedulers: { cause: 'rate-limited' } },
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
		{ forSchedulers: { cause: 'rate-limited', retryAfterMs: retryAfter } },
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
		'Other requests of the account come first. Try again later.',
		{ forSchedulers: { cause: 'temporarily-unavailable' } },
	);
}

/** Why the rest of a run is not sent after a failure that concerns the account; undefined after any other. */
export function notSentAfter(failure: Failure): Refusal | undefined {
	const { isOfAccount, whatToDo } = OUTCOMES[failure.reason];
	if (!isOfAccount) return undefined;
	const message = messageOf(failure);
	return new Refusal(
		`Not sent: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
		`Another request of this run was refused. ${whatToDo}`,
		{ forSchedulers: nodeFailureOf(failure.reason) },
	);
}

/** Whether a failed request may have been carried out: its outcome is unknown, or the service says that it failed. */
export type Doubt = 'reportedFailed' | 'unknown';

/** The doubt that an error leaves about a request with this method; undefined if it leaves none. */
export function doubtOf(error: unknown, method: string): Doubt | undefined {
	if (error instanceof NotSentAgain) return error.doubt;
	if (!(error instanceof Failure) || !mayBeCarriedOut(error.reason, method)) return undefined;
	return OUTCOMES[error.reason].verdict === 'reportedFailed' ? 'reportedFailed' : 'unknown';
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
			`It ${MAYBE} there. See the result under "Executions". If something is missing there, retry that execution.`,
			{ forSchedulers: null, wayOn: 'none' },
		);
	}
}

/** What an earlier attempt leaves in doubt: its reason, as sentences, and the status that the service answered with. */
interface EarlierDoubt {
	reason: string;
	doubt?: Doubt;
	httpCode?: string;
}

/**
 * Refuses to send again what may have been carried out in an earlier try: its outcome is unknown, or the service
 * reported a job as failed in an earlier try of "Retry On Fail", where nobody asked to send it again.
 */
export class SentBefore extends NotSentAgain {
	override readonly doubt: Doubt;

	constructor({ reason, doubt = 'unknown', httpCode }: EarlierDoubt, isRepeatable: boolean) {
		super(
			`Not sent again: the request ${MAYBE} in an earlier try`,
			`Earlier: ${reason} It ${MAYBE}${isRepeatable ? '' : ': look in your account'}.`,
			{ forSchedulers: null, httpCode },
		);
		this.doubt = doubt;
	}
}

/** Refuses a job that may have been created in an earlier iteration of a loop, or for an earlier call of the tool. */
export class SentInEarlierPass extends NotSentAgain {
	constructor() {
		super(
			`Not sent again: the same request ${MAYBE} earlier in this execution`,
			`It ${MAYBE}: look in your account.`,
			{ forSchedulers: null },
		);
	}
}

/** Refuses what a lost execution may have sent: n8n ended in the middle of it, and kept nothing of it. */
export class LostExecution extends NotSentAgain {
	/** @param isRepeatable whether nobody can look it up */
	constructor(isRepeatable: boolean) {
		super(
			'Not sent: n8n crashed in the middle of this execution, and kept nothing of what it had done',
			`Some items ${MAYBE}${isRepeatable ? '' : ': look in the log of the n8n server, and in your account'}.`,
			{ forSchedulers: null, wayOn: 'log' },
		);
	}
}
