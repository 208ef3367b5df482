import { toldToWait, type Failure } from '../http/failure';
import { nodeFailureOf, OUTCOMES } from '../http/outcomes';
import { Refusal } from '../refusal';

/** The error for a request that the service's trouble keeps from being sent. */
export function inTrouble(): Refusal {
	return new Refusal(
		'Not sent: the service keeps failing, or cannot be reached',
		'The latest requests of the account failed. Run the workflow again later for what is missing.',
		{ cause: 'temporarily-unavailable' },
	);
}

/**
 * The error for a request whose turn does not come in time.
 *
 * @param account how long all its requests wait, in milliseconds, because the service asked for a pause, or
 * because it is in trouble
 */
export function noTurn({
	pauseLeft,
	troubleLeft,
}: {
	pauseLeft: number;
	troubleLeft: number;
}): Error {
	if (pauseLeft > 0) return toldToWait(pauseLeft);
	if (troubleLeft > 0) return inTrouble();
	return new Refusal(
		'The request waited too long for its turn',
		'Nothing was sent. Other requests of the account come first. Try again later.',
		{ cause: 'temporarily-unavailable' },
	);
}

/** Why the rest of a run is not sent after this failure, which concerns the account; else undefined. */
export function notSentAfter({ reason }: Failure): Refusal | undefined {
	const { rest } = OUTCOMES[reason];
	return rest && new Refusal(rest.message, rest.whatToDo, nodeFailureOf(reason));
}
