import { Failure, sentences, type Facts } from './failure';
import { MAYBE } from './outcomes';

/**
 * Why a request is not sent after another one failed: it repeats what the service last said. It was not sent, so it
 * leaves no doubt, whatever became of the other one.
 */
export function notSentAfter({ message, said, whatToDo, facts }: Failure): Failure {
	const why = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
	const advice = facts.doubt ? 'Try again later.' : whatToDo;
	return new Failure(`Not sent: ${why}`, sentences(said, advice), { wayOn: 'retry' });
}

/**
 * Why a request that changes nothing, or was not sent, ends with the time of its run.
 *
 * @param last what the run last met, if that was a failure
 */
export function tooLate(last?: Failure): Failure {
	const why = last
		? sentences(last.message, last.said)
		: 'The service, or other requests of the account, took too long.';
	return new Failure('Not sent, or not answered in time', sentences(why, 'Try again later'), {
		wayOn: 'retry',
		httpCode: last?.httpCode,
	});
}

/** What another retry of the same execution may be sending, in the same n8n process. */
export function otherRetryInProgress(): Failure {
	return new Failure(
		'Not sent: another retry of this execution is in progress',
		`It ${MAYBE} there. See the result under "Executions". If something is missing there, retry that execution.`,
		{ doubt: 'unknown', wayOn: 'none' },
	);
}

/**
 * What may have been carried out in an earlier try: its outcome is unknown, or the service reported a job as failed in
 * an earlier try of "Retry On Fail", where nobody asked to send it again.
 *
 * @param earlier its reason, as sentences
 */
export function sentBefore(
	earlier: { reason: string } & Pick<Facts, 'doubt' | 'httpCode'>,
): Failure {
	const { reason, doubt = 'unknown', httpCode } = earlier;
	return new Failure(
		`Not sent again: the request ${MAYBE} in an earlier try`,
		`Earlier: ${reason} It ${MAYBE}.`,
		{ doubt, httpCode, wayOn: 'retry', isFromEarlier: true },
	);
}

/** A job that may have been created in an earlier iteration of a loop, or for an earlier call of the tool. */
export function sentInEarlierPass(): Failure {
	return new Failure(
		`Not sent again: the same request ${MAYBE} earlier in this execution`,
		`It ${MAYBE}.`,
		{ doubt: 'unknown', wayOn: 'retry', isFromEarlier: true },
	);
}

/** What a lost execution may have sent: n8n ended in the middle of it, and kept nothing of it. */
export function ofLostExecution(): Failure {
	return new Failure(
		'Not sent: n8n crashed in the middle of this execution, and kept nothing of what it had done',
		`Some items ${MAYBE}.`,
		{ doubt: 'unknown', wayOn: 'log' },
	);
}
