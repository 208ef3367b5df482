import {
	randomString,
	type IContextObject,
	type IDataObject,
	type IExecuteData,
} from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import { RetriedRuns, type Shared } from './retriedRuns';
import type { FailedTask, RunContext } from './task';

/** The key of what this package keeps in a context of n8n. */
const KEY = 'businessListingSearch';

/** What n8n keeps of a run, by the fingerprints of its tasks. */
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
 * The node's context in the latest attempt, by the execution data, which all attempts of Retry On Fail share: if
 * n8n loses the context in between, nothing is sent again.
 */
const latest = new WeakMap<IExecuteData, IContextObject>();

/** Where n8n keeps something, and what tells a run from the others of its execution. */
export interface Place {
	/** The node's context, which n8n keeps across attempts and stores with a failed execution. */
	own: IContextObject;
	/** The context of the execution, which all its nodes have in common. */
	execution: IContextObject;
	node: string;
	/** n8n's run index: it increases with each pass of a loop. */
	runIndex: number;
	/** As entered: the value of an expression can differ with every attempt. */
	parameters: IDataObject;
}

/** @param isTool whether its calls, which are no attempts of one run, share the execution data */
export function placeOf(context: RunContext, isTool = false): Place {
	const { name: node, parameters } = context.getNode();
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	const [own, execution] = [contextOf(context, 'node'), contextOf(context, 'flow')];
	const data = context.getExecuteData();
	if (!isTool) {
		own[KEY] ??= latest.get(data)?.[KEY];
		latest.set(data, own);
	}
	return { own, execution, node, runIndex, parameters };
}

/** n8n's agents run a node without an execution, and so without a context: then nothing is kept. */
function contextOf(context: RunContext, type: 'node' | 'flow'): IContextObject {
	try {
		return context.getContext(type);
	} catch {
		return {};
	}
}

/** The record of a run, which n8n keeps with its execution, and all retries of that share. */
export class KeptRecord {
	readonly record: RunRecord;
	/** The tasks that this attempt or another retry has sent, except those that can be sent again. */
	readonly claimed: Set<string>;
	readonly isLaterPass: boolean;
	private readonly own: IContextObject;
	private readonly key: string;

	constructor({ own, execution, node, runIndex, parameters }: Place) {
		// Left out: what they change of a request is in the identity of its task anyway, and changing
		// them can make a failed run succeed.
		const { options, requestOptions, ...others } = parameters;
		const run = `${runIndex} ${fingerprintOf(withoutLabels(others))}`;
		const { id, isLoaded } = idOf(execution);
		const stored = own[KEY] as RunRecord | undefined;
		this.own = own;
		this.isLaterPass = runIndex > 0;
		this.key = `${id} ${node} ${run}`;
		const { record, claimed } = sharedOf(this.key, run, stored, isLoaded);
		this.record = record;
		this.claimed = claimed;
		// At once, so that what another retry has done is stored with this one.
		if (stored === undefined || stored.run === run) this.store();
	}

	store(): void {
		this.own[KEY] = this.record;
	}

	/** Drops the record: all of the run is done, so it is not retried. */
	drop(): void {
		delete this.own[KEY];
	}

	/** Counts a task that the record does not have yet. */
	count(fingerprint: string): void {
		const { done, failed } = this.record;
		if (!(fingerprint in done) && !(fingerprint in failed)) retried.grow(this.key);
	}
}

/** The id of an execution, the same for all its retries, and whether n8n has loaded it. */
function idOf(execution: IContextObject): { id: string; isLoaded: boolean } {
	const known = execution[KEY] as { id: string } | undefined;
	if (known) return { id: known.id, isLoaded: !ofThisProcess.has(known) };
	const created = { id: randomString(11) };
	execution[KEY] = created;
	ofThisProcess.add(created);
	return { id: created.id, isLoaded: false };
}

/** @returns what n8n passes, with what an earlier retry of the same execution has made of it */
function sharedOf(
	key: string,
	run: string,
	stored: RunRecord | undefined,
	isLoaded: boolean,
): Shared<RunRecord> {
	const known = retried.get(key);
	const loaded = stored?.run === run ? stored : undefined;
	if (known && loaded) merge(known.record, loaded, () => retried.grow(key));
	const record = loaded ?? { run, done: {}, names: {}, failed: {} };
	const size = 1 + Object.keys(record.done).length + Object.keys(record.failed).length;
	const shared = known ?? { record, claimed: new Set(), size };
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
		if (fingerprint in done || failed[fingerprint]?.doubt === 'unknown') continue;
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
