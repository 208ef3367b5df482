import { randomString, type IContextObject, type IDataObject } from 'n8n-workflow';

import { fingerprint } from './fingerprint';
import { MOST_REASONS } from './tally';
import type { RunContext } from './task';

/** The key of this package's memory in the node's context. */
const KEY = 'businessListingSearch';

/** How many retried runs are remembered in this process. */
const MOST_RETRIED = 20;

/** What is remembered of a run, by the marks of its tasks. */
interface Kept {
	/** Identifies it, also when n8n has stored and loaded it. */
	id: string;
	/** The run it belongs to: the next pass of a loop, or changed parameters, make another one. */
	run: string;
	/** The account that was used last. */
	account?: string;
	/** The outputs of what was carried out, as JSON. */
	done: Record<string, string>;
	/** Tasks that may have been carried out. */
	unknown: string[];
	/** Their names in a list of failures, and those of tasks that the service failed to carry out. */
	labels: Record<string, string>;
	/** What happened to them: the only record of it, because n8n keeps the last attempt's error. */
	reasons: Record<string, string>;
	/** The execution that was cancelled, with the run's summary in the log. */
	cancelled?: string;
}

/** What several retries of an execution have in common. */
interface Shared {
	kept: Kept;
	/** The tasks that one of them has sent, except those it gave back. */
	taken: Set<string>;
}

/**
 * The runs that were loaded from a stored execution, by id, the latest last. n8n lets a person retry
 * the same execution twice, at once or one after the other, and loads what is stored of it each time.
 */
const retried = new Map<string, Shared>();

/**
 * The node's context. n8n's agents run a node without an execution, and so without a context: then
 * nothing is remembered, and nothing can be run again.
 */
export function nodeContext(context: RunContext): IContextObject {
	try {
		return context.getContext('node');
	} catch {
		return {};
	}
}

/** What the attempts of this process remember: the next attempt of the execution gets this object. */
const ofThisProcess = new WeakSet<object>();

/** @returns what n8n passes, or what an earlier retry of the same execution has made of it */
function shared(stored: Partial<Kept>, run: string): Shared {
	const { id } = stored;
	const known = id === undefined ? undefined : retried.get(id);
	if (known) return known;
	const created = {
		id: randomString(11),
		run,
		done: {},
		unknown: [],
		labels: {},
		reasons: {},
	};
	const own: Shared = { kept: { ...created, ...stored }, taken: new Set() };
	if (id !== undefined && !ofThisProcess.has(stored)) {
		retried.set(id, own);
		const [oldest] = retried.keys();
		if (retried.size > MOST_RETRIED) retried.delete(oldest!);
	}
	return own;
}

/**
 * Remembers which tasks of a run are done and which have an unknown outcome, so that Retry On Fail
 * and n8n's Retry button, which run the whole node again, pay for none of them twice. It lives in the
 * node's context, which n8n keeps across attempts and stores with a failed execution; as text,
 * because n8n stores a text in much less space than an object.
 */
export class Memory {
	private readonly kept: Kept;
	private readonly unknown: Set<string>;
	private readonly recalled = new Set<string>();
	private readonly taken: Set<string>;
	/** The names of tasks that were sent in an earlier attempt and not done, by mark. */
	readonly failedBefore: ReadonlyMap<string, string>;

	/**
	 * @param context the node's context
	 * @param runIndex n8n's run index: it increases with each pass of a loop
	 * @param parameters as entered: the value of an expression can differ with every attempt
	 */
	constructor(
		private readonly context: IContextObject,
		runIndex: number,
		parameters: IDataObject,
	) {
		// Left out: what they change of a request is in the identity of its task anyway, and changing
		// them can make a failed run succeed.
		const { options, requestOptions, ...others } = parameters;
		const run = `${runIndex} ${fingerprint(withoutLabels(others))}`;
		const kept = context[KEY] as Partial<Kept> | undefined;
		// Only the latest run can be retried, so nothing older is kept.
		const { kept: same, taken } = shared(kept?.run === run ? kept : {}, run);
		this.kept = same;
		ofThisProcess.add(same);
		// At once, so that all retries of an execution that had done nothing find the same id.
		context[KEY] ??= same;
		this.taken = taken;
		this.unknown = new Set(same.unknown);
		this.failedBefore = new Map(Object.entries(same.labels));
	}

	/**
	 * The account of a task's mark.
	 *
	 * @param current undefined if the credential cannot be read: then the account that was used last
	 */
	accountFor(current: string | undefined): string | undefined {
		this.kept.account = current ?? this.kept.account;
		return this.kept.account;
	}

	/** @returns the output of a task that was done in an earlier attempt */
	recall(mark: string): IDataObject[] | undefined {
		const output = this.kept.done[mark];
		this.recalled.add(mark);
		return output === undefined ? undefined : (JSON.parse(output) as IDataObject[]);
	}

	/**
	 * Takes a task, right before it is sent.
	 *
	 * @returns whether it can be sent: not if another retry of the execution has taken it
	 */
	take(mark: string): boolean {
		if (this.taken.has(mark)) return false;
		this.taken.add(mark);
		return true;
	}

	/** Gives back a task that was taken and can be sent again. */
	giveBack(mark: string): void {
		this.taken.delete(mark);
	}

	/** Whether a task may have been carried out in an earlier attempt. */
	isUnknown(mark: string): boolean {
		return this.unknown.has(mark);
	}

	/** Whether a task was carried out, in this attempt or an earlier one. */
	isDone(mark: string): boolean {
		return mark in this.kept.done;
	}

	/** @returns what happened to a task that was sent and not done */
	whatHappened(mark: string): string | undefined {
		return this.kept.reasons[mark];
	}

	/** Records that a task was carried out, with its output. */
	finish(mark: string, output: IDataObject[]): void {
		this.kept.done[mark] = JSON.stringify(output);
		delete this.kept.labels[mark];
		delete this.kept.reasons[mark];
		this.context[KEY] = this.kept;
	}

	/**
	 * Records that a task may have been carried out.
	 *
	 * @param label its name in a list of failures
	 * @param reason what happened, in sentences
	 */
	leaveUnknown(mark: string, label: string, reason: string): void {
		if (!this.unknown.has(mark)) this.kept.unknown.push(mark);
		this.unknown.add(mark);
		this.leaveFailed(mark, label, reason);
	}

	/** Records that the service failed to carry out a task; as `leaveUnknown`, but it is sent again. */
	leaveFailed(mark: string, label: string, reason: string): void {
		const { labels, reasons } = this.kept;
		const isRoom = Object.keys(reasons).length < MOST_REASONS;
		if (isRoom || mark in reasons) reasons[mark] = reason;
		labels[mark] = label;
		this.context[KEY] = this.kept;
	}

	/** The outputs of tasks done in an earlier attempt and not recalled in this one. */
	get notRecalled(): IDataObject[][] {
		return Object.entries(this.kept.done)
			.filter(([mark]) => !this.recalled.has(mark))
			.map(([, output]) => JSON.parse(output) as IDataObject[]);
	}

	/** Whether this execution was cancelled in an earlier attempt: its summary is already in the log. */
	wasCancelled(execution: string): boolean {
		const { cancelled } = this.kept;
		return cancelled !== undefined && cancelled === execution;
	}

	/** Records that the execution was cancelled. */
	noteCancelled(execution: string): void {
		this.kept.cancelled = execution;
		this.context[KEY] = this.kept;
	}

	/** Forgets the run: all of it is done, so it is not retried. */
	forget(): void {
		delete this.context[KEY];
	}
}

/** Whether there was an earlier attempt of this run, and its summary is not in the log. */
export function hasUnloggedAttempt(
	context: IContextObject,
	runIndex: number,
	execution: string,
): boolean {
	const { run, cancelled } = (context[KEY] ?? {}) as Partial<Kept>;
	return String(run).startsWith(`${runIndex} `) && cancelled !== execution;
}

/** Leaves out the cached label of a choice, which contains the item count of a blacklist. */
function withoutLabels(parameters: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(parameters).map(([name, value]) => {
			if (typeof value !== 'object' || value === null || !('__rl' in value)) return [name, value];
			const { mode, value: chosen } = value;
			return [name, { mode, chosen }];
		}),
	) as IDataObject;
}
