import { randomString, type IContextObject, type IDataObject } from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import { RetriedRuns, type Shared } from './retriedRuns';
import type { FailedTask, RunContext } from './task';

/** The key of this package's memory in the node's context. */
const KEY = 'businessListingSearch';

/** What is remembered of a run, by the fingerprints of its tasks. */
interface RunRecord {
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

/** By the id of the execution, the node and the run. */
const retried = new RetriedRuns<RunRecord>();

/** The ids of executions that began in this process, as n8n keeps them. */
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
	 * @param execution the context of its execution, which all its nodes have in common
	 * @param node its name
	 * @param runIndex n8n's run index: it increases with each pass of a loop
	 * @param parameters as entered: the value of an expression can differ with every attempt
	 */
	constructor(
		private readonly context: IContextObject,
		execution: IContextObject,
		node: string,
		runIndex: number,
		parameters: IDataObject,
	) {
		// Left out: what they change of a request is in the identity of its task anyway, and changing
		// them can make a failed run succeed.
		const { options, requestOptions, ...others } = parameters;
		const run = `${runIndex} ${fingerprintOf(withoutLabels(others))}`;
		const stored = context[KEY] as RunRecord | undefined;
		const { id, isLoaded } = identify(execution);
		this.key = `${id} ${node} ${run}`;
		const { record, taken } = sharedOf(stored, isLoaded, run, this.key);
		this.record = record;
		this.taken = taken;
		// At once, so that what another retry has done is stored with this one.
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

	/** Forgets the run: all of it is done, so it is not retried. */
	forget(): void {
		delete this.context[KEY];
	}
}

/**
 * A context of n8n: the node's, or that of the whole execution (`flow`). n8n's agents run a node without an
 * execution, and so without a context: then nothing is remembered, and nothing can be run again.
 */
export function contextOf(context: RunContext, type: 'node' | 'flow'): IContextObject {
	try {
		return context.getContext(type);
	} catch {
		return {};
	}
}

/** The id of an execution, the same for all its retries, and whether n8n has loaded it. */
function identify(execution: IContextObject): { id: string; isLoaded: boolean } {
	const known = execution[KEY] as { id: string } | undefined;
	if (known) return { id: known.id, isLoaded: !ofThisProcess.has(known) };
	const created = { id: randomString(11) };
	execution[KEY] = created;
	ofThisProcess.add(created);
	return { id: created.id, isLoaded: false };
}

/** @returns what n8n passes, with what an earlier retry of the same execution has made of it */
function sharedOf(
	stored: RunRecord | undefined,
	isLoaded: boolean,
	run: string,
	key: string,
): Shared<RunRecord> {
	const known = retried.get(key);
	const loaded = stored?.run === run ? stored : undefined;
	if (known && loaded) merge(known.record, loaded, () => retried.grow(key));
	const record = loaded ?? { run, done: {}, names: {}, failed: {} };
	const size = 1 + Object.keys(record.done).length + Object.keys(record.failed).length;
	const shared = known ?? { record, taken: new Set(), size };
	if (known || isLoaded) retried.keep(key, shared);
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
