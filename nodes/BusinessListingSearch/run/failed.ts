import { sentences, type Facts, type Failure } from '../../shared/errors/failure';
import { MAYBE, OUTCOMES } from '../../shared/errors/outcomes';
import { asErrorItem } from '../../shared/errors/shown';
import type { Call } from '../input/call';
import type { FailedEnd, FailedTask, Plan, TaskState } from './task';

/** Where a person looks up one item that may have been carried out. For a whole run, `waysOf` says it. */
const LOOK = {
	account: 'Look in your account.',
	log: 'Look in the log of the n8n server, and in your account.',
};

/** Makes the end of a failed task: its error item, the text for a person, and the entry of the ledger. */
export function failedEnd(
	{ task, inDoubt }: TaskState,
	failure: Failure,
	{ continues }: Call,
	{ changes, goesOnAfter }: Plan,
): FailedEnd {
	const { message, said, whatToDo, facts } = failure;
	const { reason, httpCode, wayOn, doubt } = facts;
	// A failure that leaves no doubt itself keeps the doubt of an earlier attempt.
	const earlier = doubt ? undefined : inDoubt;
	const failed: FailedTask = {
		// A refused task has no name, so it keeps the label of the earlier attempt.
		label: task.name === undefined ? (inDoubt?.label ?? task.label) : task.label,
		reason: sentences(message, said, reason ? '' : whatToDo),
		doubt: doubt ?? earlier?.doubt,
		httpCode,
		...(wayOn === 'content' && { recurs: true }),
	};
	// Nobody can look up a value: a person's retry sends it again.
	const isLookedUp = failed.doubt && changes !== 'values' && wayOn !== 'none';
	const description = sentences(
		failure.description,
		earlier && `Before that: ${earlier.reason} It ${MAYBE}.`,
	);
	const look = isLookedUp && LOOK[wayOn === 'log' ? 'log' : 'account'];
	const forItem = { message, description: sentences(description, look) };
	return {
		kind: 'failed',
		failure,
		description,
		errorItem: asErrorItem(forItem, task.item),
		failed,
		endedRun: !continues && !goesOnAfter?.(failure),
	};
}

/**
 * Of what ended the run, n8n shows one: first what concerns the account, because a retry meets it again at every
 * item, and last what is not sent because of an earlier attempt.
 */
export function shownOf(states: TaskState[]): TaskState | undefined {
	const stopped = states.filter(({ end }) => end?.kind === 'failed' && end.endedRun);
	const find = (test: (facts: Facts) => boolean) =>
		stopped.find(({ end }) => end?.kind === 'failed' && test(end.failure.facts));
	return (
		find(({ reason }) => reason !== undefined && OUTCOMES[reason].isOfAccount === true) ??
		find(({ isFromEarlier }) => !isFromEarlier) ??
		stopped[0]
	);
}
