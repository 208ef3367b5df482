import { comparable, type Usage } from '../shared/service/usage';

/** What can start a workflow, in output order. */
export const EVENTS = ['allowanceLow', 'allowanceRenewed', 'planChanged'] as const;

export type Event = (typeof EVENTS)[number];

/** What a poll keeps for the next one: the usage that it read, and what follows from it. */
export interface State extends Usage {
	/** The last `remaining` that was a count. */
	lastNumber?: number | undefined;
	/**
	 * Whether Allowance Low may fire: it fires once, and again only after the allowance has
	 * recovered. Undefined if the event was not chosen.
	 */
	isArmed?: boolean | undefined;
}

/**
 * Compares the usage with the previous one.
 *
 * @param before the state of the previous poll; undefined at the first one, which can report that the
 * allowance is low and nothing else
 * @param threshold fewer remaining requests than this are low; undefined when that event is not
 * chosen
 * @param isFollowed whether this process has polled before: after a start of n8n, a state later than `before` may be
 * lost
 * @returns all events that occurred, chosen or not, and the new state
 */
export function compare(
	before: State | undefined,
	{ plan, remaining }: Usage,
	threshold: number | undefined,
	isFollowed: boolean,
): { events: Event[]; state: State } {
	const last = before?.lastNumber;
	// What is not a count cannot be compared: the next poll compares with the last count.
	const now = comparable(remaining);
	const isLow = (number: number | undefined) =>
		number !== undefined && threshold !== undefined && number < threshold;
	const isRenewed = last !== undefined && now !== undefined && now > last;
	// If the threshold was lowered, the last count decides. If a state may be lost, the allowance may have recovered
	// before this renewal was seen.
	const wasArmed = before?.isArmed !== false || !isLow(last) || (isRenewed && !isFollowed);
	const fires = {
		allowanceLow: wasArmed && isLow(now),
		allowanceRenewed: isRenewed,
		planChanged: before !== undefined && plan !== before.plan,
	};
	const staysArmed = now === undefined ? wasArmed : !isLow(now);
	const isArmed = threshold === undefined ? undefined : staysArmed;
	const state = { plan, remaining, lastNumber: now ?? last, isArmed };
	return { events: EVENTS.filter((event) => fires[event]), state };
}
