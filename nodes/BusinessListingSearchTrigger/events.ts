import type { Usage } from '../shared/usage';

/** What can start a workflow, in the order it is put out. */
export const EVENTS = ['allowanceLow', 'allowanceRenewed', 'planChanged'] as const;

export type Event = (typeof EVENTS)[number];

/** What is remembered from one poll to the next. */
export interface State extends Usage {
	/** The last `remaining` that was a number. */
	lastNumber?: number;
	/** Whether Allowance Low may fire: it fires once, and again only after the allowance was not low. */
	isArmed?: boolean;
}

/**
 * Compares the usage with the one before.
 *
 * @param before what was remembered; undefined at the first poll, which only remembers
 * @param threshold fewer remaining requests than this are low; undefined when nobody asks for that
 * @returns all events there are, whether asked for or not, and what to remember from now on
 */
export function compare(
	before: State | undefined,
	{ plan, remaining }: Usage,
	threshold: number | undefined,
): { events: Event[]; remembered: State } {
	const last = before?.lastNumber;
	const now = typeof remaining === 'number' ? remaining : last;
	const isLow = (number: number | undefined) =>
		number !== undefined && threshold !== undefined && number < threshold;
	// Where the event was not asked for so far, the number before tells.
	const wasArmed = last !== undefined && (before?.isArmed ?? !isLow(last));
	const fires = {
		allowanceLow: wasArmed && isLow(now),
		allowanceRenewed: last !== undefined && now !== undefined && now > last,
		planChanged: before !== undefined && plan !== before.plan,
	};
	const remembered: State = { plan, remaining };
	if (now !== undefined) remembered.lastNumber = now;
	if (now !== undefined && threshold !== undefined) remembered.isArmed = !isLow(now);
	return { events: EVENTS.filter((event) => fires[event]), remembered };
}
