import { explain, type Explanation } from './explain';
import { Failure, Refusal, sentences } from './failure';
import { MAYBE, mayBeCarriedOut, OUTCOMES } from './outcomes';

/**
 * Why a request is not sent after another one failed: it repeats what the service last said. It was not sent, so it
 * leaves no doubt, whatever became of the other one.
 */
export function notSentAfter({ reason, facts }: Failure): Refusal {
	const { message, said, whatToDo, forSchedulers } = explain(new Failure(reason, facts));
	return new Refusal(
		`Not sent: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
		sentences(said, whatToDo),
		{ forSchedulers },
	);
}

/** Why the time of a run is over, if nothing failed. */
const SLOW: Partial<Explanation> = {
	message: 'The service, or other requests of the account, took too long',
	forSchedulers: { cause: 'temporarily-unavailable' },
};

/**
 * Why a request that changes nothing, or was not sent, ends with the time of its run.
 *
 * @param last what the run last met, if that was a failure
 */
export function tooLate(last?: Failure): Refusal {
	const { message, said, httpCode, forSchedulers } = last ? explain(last) : SLOW;
	const description = sentences(message, said, 'Try again later');
	return new Refusal('Not sent, or not answered in time', description, { httpCode, forSchedulers });
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
