import {
	randomString,
	type IContextObject,
	type IDataObject,
	type IExecuteData,
} from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import type { FailedTask, RunContext } from '../task';

/** The key of what this package keeps in the node's context. */
const KEY = 'businessListingSearch';

/** How many executions are remembered: as many as n8n keeps by default. */
const MOST_EXECUTIONS = 10_000;

/** What must not be lost of a task: its id, and what it is listed with. */
export interface PaidId {
	id: string;
	name?: string;
}

/** What is known of a task before it is sent. */
export interface Known {
	/** Identifies it across all attempts of the run. */
	key: string;
	/** Its output, if an earlier attempt has carried it out. */
	output?: IDataObject[];
	/** How it failed in an earlier attempt that had sent it, if it is not done. */
	failed?: FailedTask;
	/** How the service reported it as failed in an earlier try of "Retry On Fail". */
	failedInTry?: FailedTask;
}

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
	/** The names under which the ids are listed. */
	names: Record<string, string>;
	/** What failed or may have been carried out. n8n keeps only the last attempt's error. */
	failed: Record<string, FailedTask>;
}

/** What the retries of an execution have in common in this process. */
interface RetriedRun {
	record: RunRecord;
	/** The retry in progress. */
	holder?: Ledger;
}

/**
 * The runs that were stored with a failed execution, the one retried last at the end. n8n lets a person, or a
 * workflow, retry the same execution several times, at once or one after the other, and loads what it has stored
 * each time.
 */
const sharedByRetries = new Map<string, RetriedRun>();

/**
 * The jobs that the service reported as failed, by the execution data, which the tries of Retry On Fail share and a
 * retry of the execution does not. Not in the record: what another retry loads would overwrite it.
 */
const failedInTries = new WeakMap<IExecuteData, Map<string, FailedTask>>();

/**
 * What became of each task of a run, in this attempt and earlier ones. Retry On Fail and n8n's Retry button run
 * the whole node again: what is done or unknown is not paid for twice. It knows so from
 *
 * - the record in the node's context, which n8n keeps across tries, and stores with a failed execution
 * - `sharedByRetries`, which the retries of one execution share in this process
 * - `failedInTries`, which the tries of one execution share
 */
export class Ledger {
	done = 0;
	/** In the order in which they failed. */
	readonly failed: FailedTask[] = [];
	/** The ids of paid jobs. */
	readonly ids: PaidId[] = [];
	/** Whether a task has been sent, in this attempt, or in an earlier one that recorded it. */
	hasSent: boolean;
	/** Whether the node has run in this execution before, as in a loop. */
	readonly isLaterPass: boolean;
	/** The tasks that are counted. */
	private readonly settled = new Set<string>();
	private readonly record: RunRecord;
	/** The node's context, which n8n keeps across attempts and stores with a failed execution. */
	private readonly own: IContextObject;
	private readonly shared: RetriedRun | undefined;
	private readonly failedInTries: Map<string, FailedTask>;
	private readonly createsJobs: boolean;

	/**
	 * @param createsJobs whether each task is paid for, and has a `job_id`
	 * @param isTool whether its calls, which are no attempts of one run, share the execution data
	 */
	constructor(
		context: RunContext,
		{ createsJobs = false, isTool = false }: { createsJobs?: boolean; isTool?: boolean } = {},
	) {
		const { $runIndex: pass } = context.getWorkflowDataProxy(0);
		const parameters = fingerprintOf(identifying(context.getNode().parameters));
		this.createsJobs = createsJobs;
		this.isLaterPass = pass > 0;
		this.failedInTries = isTool || !createsJobs ? new Map() : failedInTriesOf(context);
		this.own = contextOf(context);
		const stored = this.own[KEY] as RunRecord | undefined;
		const ofThisPass = stored?.pass === pass ? stored : undefined;
		const ofThisRun = ofThisPass?.parameters === parameters ? ofThisPass : undefined;
		const loaded = ofThisRun ?? newRecord(pass, parameters, ofThisPass?.id);
		// An agent can call its tool several times at once, so the calls of a tool do not take turns.
		const isShared = ofThisPass !== undefined && context.getMode() === 'retry' && !isTool;
		this.shared = isShared ? share(loaded) : undefined;
		this.record = this.shared?.record ?? loaded;
		this.hasSent = this.recorded.length > 0;
		// Stores at once, so that two retries of a run that has done nothing find the same id. A record with other
		// parameters stays until this run does something.
		if (ofThisRun || !ofThisPass) this.store();
	}

	get unknown(): number {
		return this.failed.filter(({ doubt }) => doubt === 'unknown').length;
	}

	/** Takes the turn among the retries of the execution. @returns false while another one has it */
	takeTurn(): boolean {
		if (!this.shared) return true;
		this.shared.holder ??= this;
		return this.shared.holder === this;
	}

	/** Leaves the turn to another retry. */
	leaveTurn(): void {
		if (this.shared?.holder === this) this.shared.holder = undefined;
	}

	/**
	 * Recalls what earlier attempts did with a task, and counts it if it is done.
	 *
	 * @param account undefined if the credential cannot be read: then the account that was used last
	 */
	recall(identity: unknown, account: string | undefined): Known {
		const { record } = this;
		record.account = account ?? record.account;
		const key = fingerprintOf([record.account, identity]);
		const output = this.outputOf(key);
		if (output) this.countDone(key, output);
		const failedInTry = this.failedInTries.get(key);
		return { key, output, failed: record.failed[key], failedInTry };
	}

	/**
	 * Adds a task that was carried out.
	 *
	 * @param changes whether it changed something, and must not be sent again
	 * @returns its ids
	 */
	addDone(key: string, output: IDataObject[], changes: boolean, name?: string): PaidId[] {
		if (changes) {
			const { record } = this;
			if (name !== undefined && this.createsJobs) record.names[key] = name;
			record.done[key] = JSON.stringify(output);
			delete record.failed[key];
			this.store();
		}
		return this.countDone(key, output);
	}

	/** Adds a task that failed. @param isKept whether it is told in later attempts: it was sent, and leaves a doubt */
	addFailed(key: string, failed: FailedTask, isKept: boolean): void {
		if (isKept) {
			this.record.failed[key] = failed;
			if (failed.doubt === 'failed') this.failedInTries.set(key, failed);
			this.store();
		}
		this.settled.add(key);
		this.failed.push(failed);
	}

	/** Adds what earlier attempts recorded and this one did not reach. */
	addUnreached(): void {
		for (const key of this.recorded) {
			if (this.settled.has(key)) continue;
			const failed = this.record.failed[key];
			if (failed) this.addFailed(key, { ...failed, isEarlier: true }, false);
			else this.countDone(key, this.outputOf(key)!);
		}
	}

	/** Forgets a run that is all done, which is not retried. */
	drop(): void {
		delete this.own[KEY];
	}

	private store(): void {
		this.own[KEY] = this.record;
	}

	private get recorded(): string[] {
		const { done, failed } = this.record;
		return [...Object.keys(done), ...Object.keys(failed)];
	}

	private outputOf(key: string): IDataObject[] | undefined {
		const text = this.record.done[key];
		return text === undefined ? undefined : (JSON.parse(text) as IDataObject[]);
	}

	private countDone(key: string, output: IDataObject[]): PaidId[] {
		const name = this.record.names[key];
		const ids = this.createsJobs ? output.map(({ job_id: id }) => ({ id: String(id), name })) : [];
		this.settled.add(key);
		this.done += 1;
		this.ids.push(...ids);
		return ids;
	}
}

function newRecord(pass: number, parameters: string, id = randomString(11)): RunRecord {
	return { id, pass, parameters, done: {}, names: {}, failed: {} };
}

function failedInTriesOf(context: RunContext): Map<string, FailedTask> {
	const data = context.getExecuteData();
	const failed = failedInTries.get(data) ?? new Map<string, FailedTask>();
	failedInTries.set(data, failed);
	return failed;
}

/** The node's context. */
function contextOf(context: RunContext): IContextObject {
	try {
		return context.getContext('node');
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
function share(loaded: RunRecord): RetriedRun {
	const key = `${loaded.id} ${loaded.parameters}`;
	const shared: RetriedRun = sharedByRetries.get(key) ?? { record: loaded };
	merge(shared.record, loaded);
	sharedByRetries.delete(key);
	sharedByRetries.set(key, shared);
	// The first is the one whose latest retry is oldest.
	const [oldest] = sharedByRetries.keys();
	if (sharedByRetries.size > MOST_EXECUTIONS) sharedByRetries.delete(oldest!);
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
