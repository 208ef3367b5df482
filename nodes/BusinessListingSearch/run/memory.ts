import { randomString, type IContextObject, type IDataObject } from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import { RetriedRuns, type Shared } from './retriedRuns';
import type { FailedTask, RunContext } from './task';

/** The key of this package's memory in the node's context. */
const KEY = 'businessListingSearch';

/** What is remembered of a run, by the fingerprints of its tasks. */
interface RunRecord {
	/** Identifies it, also when n8n has stored and loaded it. */
	id: string;
	/** The run it belongs to: the next pass of a loop, or changed parameters, make another one. */
	run: string;
	/** The account that was used last. */
	account?: string;
	/** The outputs of what was carried out, as JSON: n8n stores a text in much less space than an object. */
	done: Record<string, string>;
	/** The names that their ids are listed with. */
	names: Record<string, string>;
	/** What failed or may have been carried out. n8n keeps only the last attempt's error. */
	failed: Record<string, FailedTask>;
	/** The execution that was cancelled, with the run's summary in the log. */
	cancelled?: string;
}

/** By id and run. */
const retried = new RetriedRuns<RunRecord>();

/** What the attempts of this process remember: the next attempt of the execution gets this object. */
const ofThisProcess = new WeakSet<object>();

/**
 * Remembers which tasks of a run are done and which have an unknown outcome, so that Retry On Fail
 * and n8n's Retry button, which run the whole node again, pay for none of them twice. It lives in the
 * node's context, which n8n keeps across attempts and stores with a failed execution.
 */
export class Memory {
	private readonly record: RunRecord;
	private readonly taken: Set<string>;
	private readonly key: string;

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
		const run = `${runIndex} ${fingerprintOf(withoutLabels(others))}`;
		const stored = context[KEY] as RunRecord | undefined;
		const { id = randomString(11) } = stored ?? {};
		this.key = `${id} ${run}`;
		const { record, taken } = sharedOf(stored, id, run, this.key);
		this.record = record;
		this.taken = taken;
		ofThisProcess.add(record);
		// At once, so that all retries of an execution that had done nothing find the same id, and what
		// another retry has done is stored with this one.
		if (stored === undefined || stored.run === run) context[KEY] = record;
	}

	/**
	 * The account of a task's fingerprint.
	 *
	 * @param current undefined if the credential cannot be read: then the account that was used last
	 */
	accountFor(current: string | undefined): string | undefined {
		this.record.account = current ?? this.record.account;
		return this.record.account;
	}

	/** @returns the output of a task that was carried out, in this attempt or an earlier one */
	outputOf(fingerprint: string): IDataObject[] | undefined {
		const output = this.record.done[fingerprint];
		return output === undefined ? undefined : (JSON.parse(output) as IDataObject[]);
	}

	/** @returns what the id of a task that was carried out is listed with */
	nameOf(fingerprint: string): string | undefined {
		return this.record.names[fingerprint];
	}

	/** @returns how a task failed that was sent, in this attempt or an earlier one, and is not done */
	failureOf(fingerprint: string): FailedTask | undefined {
		return this.record.failed[fingerprint];
	}

	/** The fingerprints of all tasks that were carried out, or may have been, or that the service failed to. */
	get recorded(): string[] {
		return [...Object.keys(this.record.done), ...Object.keys(this.record.failed)];
	}

	/**
	 * Takes a task, right before it is sent.
	 *
	 * @returns whether it can be sent: not if another retry of the execution has taken it
	 */
	take(fingerprint: string): boolean {
		if (this.taken.has(fingerprint)) return false;
		this.taken.add(fingerprint);
		return true;
	}

	/** Gives back a task that was taken, unless it is or may be done: then it can be sent again. */
	giveBack(fingerprint: string): void {
		const { done, failed } = this.record;
		if (!(fingerprint in done) && !failed[fingerprint]?.isUnknown) this.taken.delete(fingerprint);
	}

	/** Records that a task was carried out, with its output and what its id is listed with. */
	recordDone(fingerprint: string, output: IDataObject[], name?: string): void {
		this.countNew(fingerprint);
		if (name !== undefined) this.record.names[fingerprint] = name;
		this.record.done[fingerprint] = JSON.stringify(output);
		delete this.record.failed[fingerprint];
		this.context[KEY] = this.record;
	}

	/** Records that a task may have been carried out, or that the service failed to: this one is sent again. */
	recordFailed(fingerprint: string, failure: FailedTask): void {
		this.countNew(fingerprint);
		this.record.failed[fingerprint] = failure;
		this.context[KEY] = this.record;
	}

	/** @returns whether this is the first time that the execution is cancelled, and records it */
	recordCancelled(execution: string): boolean {
		const { cancelled } = this.record;
		// An agent's execution has no id.
		if (cancelled !== undefined && cancelled === execution) return false;
		this.record.cancelled = execution;
		this.context[KEY] = this.record;
		return true;
	}

	private countNew(fingerprint: string): void {
		const { done, failed } = this.record;
		if (!(fingerprint in done) && !(fingerprint in failed)) retried.grow(this.key);
	}

	/**
	 * Forgets the run: all of it is done, so it is not retried. A retry leaves its id, so that those of the same
	 * execution have the next pass of a loop in common, too.
	 */
	forget(): void {
		if (retried.get(this.key)) this.context[KEY] = { id: this.record.id };
		else delete this.context[KEY];
	}
}

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

/**
 * @param stored what n8n passes. Of another run it gives only the id: only the latest run can be retried
 * @returns what n8n passes, or what an earlier retry of the same execution has made of it
 */
function sharedOf(
	stored: RunRecord | undefined,
	id: string,
	run: string,
	key: string,
): Shared<RunRecord> {
	const known = retried.get(key);
	const loaded = stored?.run === run ? stored : undefined;
	if (known && loaded) merge(known.record, loaded, () => retried.grow(key));
	const record = loaded ?? { id, run, done: {}, names: {}, failed: {} };
	const size = 1 + Object.keys(record.done).length + Object.keys(record.failed).length;
	const shared = known ?? { record, taken: new Set(), size };
	if (known || (stored !== undefined && !ofThisProcess.has(stored))) retried.keep(key, shared);
	return shared;
}

/**
 * Adds what n8n loaded, which a retry on another worker may have done: what is done wins, then what is unknown.
 *
 * @param grow called for each task that the record did not have
 */
function merge({ done, names, failed }: RunRecord, loaded: RunRecord, grow: () => void): void {
	Object.assign(names, loaded.names);
	for (const [fingerprint, failure] of Object.entries(loaded.failed)) {
		if (fingerprint in done || failed[fingerprint]?.isUnknown) continue;
		if (!(fingerprint in failed)) grow();
		failed[fingerprint] = failure;
	}
	for (const [fingerprint, output] of Object.entries(loaded.done)) {
		if (!(fingerprint in done) && !(fingerprint in failed)) grow();
		done[fingerprint] = output;
		delete failed[fingerprint];
	}
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
