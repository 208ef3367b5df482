import {
	randomString,
	type IContextObject,
	type IDataObject,
	type IExecuteData,
} from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import type { FailedTask, RunContext } from './task';

/** The key of what this package keeps in a context of n8n. */
export const KEY = 'businessListingSearch';

/** How many tasks retries share, in about 60 MB: all that fail in an outage, however a workflow retries them. */
const MOST_TASKS = 200_000;

/** What n8n keeps of a run, by the fingerprints of its tasks. */
interface RunRecord {
	/** The same in all retries of the execution. */
	id: string;
	/** n8n's run index: it increases with each pass of a loop. */
	pass: number;
	/** The fingerprint of the parameters: others make another run. */
	parameters: string;
	/** The account that was used last. */
	account?: string;
	/** The outputs of what was carried out, as JSON: n8n stores a text in much less space than an object. */
	done: Record<string, string>;
	/** The names that their ids are listed with. */
	names: Record<string, string>;
	/** What failed or may have been carried out. n8n keeps only the last attempt's error. */
	failed: Record<string, FailedTask>;
}

/** What the retries of an execution have in common in this process. */
interface Shared {
	record: RunRecord;
	/** How many tasks the record has, and one more for the run. */
	size: number;
	/** The retry in progress. */
	holder?: KeptRecord;
}

/**
 * The runs that were stored with a failed execution, the one retried last at the end. n8n lets a person, or a
 * workflow, retry the same execution several times, at once or one after the other, and loads what it has stored
 * each time.
 */
const retried = new Map<string, Shared>();

/**
 * The node's context in the latest attempt, by the execution data, which all attempts of Retry On Fail share: if
 * n8n loses the context in between, nothing is sent again.
 */
const latest = new WeakMap<IExecuteData, IContextObject>();

/** The record of a run, which n8n keeps with its execution, and all retries of that share. */
export class KeptRecord {
	readonly record: RunRecord;
	readonly isLaterPass: boolean;
	/** The node's context, which n8n keeps across attempts and stores with a failed execution. */
	private readonly own: IContextObject;
	private readonly shared: Shared | undefined;

	/** @param isTool whether its calls, which are no attempts of one run, share the execution data */
	constructor(context: RunContext, isTool = false) {
		const { $runIndex: pass } = context.getWorkflowDataProxy(0);
		const parameters = fingerprintOf(identifying(context.getNode().parameters));
		this.own = contextOf(context, 'node');
		// The calls of a tool are no attempts of one run.
		if (!isTool) {
			const data = context.getExecuteData();
			this.own[KEY] ??= latest.get(data)?.[KEY];
			latest.set(data, this.own);
		}
		this.isLaterPass = pass > 0;
		const stored = this.own[KEY] as RunRecord | undefined;
		const ofThisPass = stored?.pass === pass ? stored : undefined;
		const ofThisRun = ofThisPass?.parameters === parameters ? ofThisPass : undefined;
		this.record = ofThisRun ?? newRecord(pass, parameters, ofThisPass?.id);
		// Not a tool: its calls in a retry can be in progress together.
		if (ofThisPass && context.getMode() === 'retry' && !isTool) {
			this.shared = share(this.record);
			this.record = this.shared.record;
		}
		// At once: retries know each other even if nothing was done, and what another one did is stored.
		if (!stored || ofThisRun) this.store();
	}

	store(): void {
		this.own[KEY] = this.record;
	}

	/** Drops the record: all of the run is done, so it is not retried. */
	drop(): void {
		delete this.own[KEY];
	}

	/** Takes the turn among the retries of the execution. @returns false while another one has it */
	take(): boolean {
		if (!this.shared) return true;
		this.shared.holder ??= this;
		return this.shared.holder === this;
	}

	/** Leaves the turn to another retry. */
	release(): void {
		if (this.shared?.holder !== this) return;
		this.shared.holder = undefined;
		this.shared.size = sizeOf(this.record);
	}
}

function newRecord(pass: number, parameters: string, id = randomString(11)): RunRecord {
	return { id, pass, parameters, done: {}, names: {}, failed: {} };
}

/** The node's context, or that of the execution, which all its nodes have in common. */
export function contextOf(context: RunContext, type: 'node' | 'flow'): IContextObject {
	try {
		return context.getContext(type);
	} catch {
		// n8n's agents run a node without an execution, and so without a context: then nothing is kept.
		return {};
	}
}

/**
 * What identifies a run. "Options" and "Request Options" are left out: changing them can make a failed run succeed.
 * So is the label of a choice, which contains the item count of a blacklist.
 */
function identifying(parameters: IDataObject): unknown {
	const others = Object.entries(parameters).filter(
		([name]) => !/^(options|requestOptions)$/.test(name),
	);
	return others.map(([name, value]) => {
		if (typeof value !== 'object' || value === null || !('__rl' in value)) return [name, value];
		return [name, value.mode, value.value];
	});
}

/** @returns what retries in this process have made of a run, and what n8n loaded of it */
function share(loaded: RunRecord): Shared {
	const key = `${loaded.id} ${loaded.parameters}`;
	const shared: Shared = retried.get(key) ?? { record: loaded, size: 0 };
	merge(shared.record, loaded);
	shared.size = sizeOf(shared.record);
	retried.delete(key);
	retried.set(key, shared);
	forgetOldest(key);
	return shared;
}

/** Adds what a retry on another worker may have done: what is done wins, then what is unknown. */
function merge({ done, names, failed }: RunRecord, loaded: RunRecord): void {
	Object.assign(done, loaded.done);
	Object.assign(names, loaded.names);
	for (const [key, failure] of Object.entries(loaded.failed)) {
		if (failed[key]?.doubt !== 'unknown') failed[key] = failure;
	}
	for (const key of Object.keys(done)) delete failed[key];
}

/** Forgets the runs whose latest retry is oldest, if there are too many tasks. */
function forgetOldest(newest: string): void {
	let tasks = 0;
	for (const { size } of retried.values()) tasks += size;
	for (const [oldest, { size }] of retried) {
		if (tasks <= MOST_TASKS || oldest === newest) return;
		retried.delete(oldest);
		tasks -= size;
	}
}

function sizeOf({ done, failed }: RunRecord): number {
	return 1 + Object.keys(done).length + Object.keys(failed).length;
}
