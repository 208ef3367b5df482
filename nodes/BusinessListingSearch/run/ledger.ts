import { randomString, type IContextObject } from 'n8n-workflow';

import type { Call } from '../input/call';
import { fingerprintOf } from '../input/fingerprint';
import { nodeContextOf } from './n8n';
import type { Done, FailedTask, InDoubt } from './task';

/** The key of what this package keeps in the node's context. */
const KEY = 'businessListingSearch';

/** How many executions are remembered: as many as n8n keeps by default. */
const MOST_EXECUTIONS = 10_000;

/** What n8n keeps of one pass of the node, by the keys of its tasks. Each key begins with the number of the pass. */
interface RunRecord {
	/** The same in all retries of the execution. */
	id: string;
	/** n8n's run index: it increases with each pass of a loop. */
	pass: number;
	/** What was carried out, as JSON: n8n stores a text in much less space than an object. */
	done: Record<string, string>;
	/**
	 * What may have been carried out, in this pass and earlier ones: a loop can bring it back. The calls of a tool share it.
	 */
	inDoubt: Record<string, InDoubt>;
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
 * What became of each task of a run in earlier attempts. Retry On Fail and n8n's Retry button run the whole node again:
 * what is done is not sent again, whatever was changed in between. It knows so from the record in the node's context,
 * which n8n keeps across tries, and stores with a failed execution. The retries of one execution share it in this
 * process.
 */
export class Ledger {
	private readonly record: RunRecord;
	/** The node's context. */
	private readonly own: IContextObject;
	private readonly shared: RetriedRun | undefined;
	private readonly execution: string;
	/** The requests in doubt of earlier passes. */
	private held: Set<string> | undefined;

	constructor({ context, runIndex: pass, isTool }: Call) {
		this.execution = context.getExecutionId();
		this.own = nodeContextOf(context);
		const stored = this.own[KEY] as RunRecord | undefined;
		const ofThisPass = stored?.pass === pass ? stored : undefined;
		// A later pass gets a copy: the retries of an earlier one must not share it. The calls of a tool share one map.
		const inDoubt = isTool ? stored?.inDoubt : { ...stored?.inDoubt };
		const loaded = ofThisPass ?? newRecord(pass, inDoubt);
		// An agent can call its tool several times at once, so the calls of a tool do not take turns.
		const isShared = ofThisPass !== undefined && context.getMode() === 'retry' && !isTool;
		this.shared = isShared ? share(loaded) : undefined;
		this.record = this.shared?.record ?? loaded;
		// Stored now: two retries of a run that did nothing must find the same id.
		this.store();
	}

	/** Takes the turn among the retries of the execution. @returns false while another one has it */
	takeTurn(): boolean {
		if (!this.shared) return true;
		this.shared.holder ??= this;
		return this.shared.holder === this;
	}

	/** Leaves the turn to another retry. */
	releaseTurn(): void {
		if (this.shared?.holder === this) this.shared.holder = undefined;
	}

	/**
	 * Recalls what earlier attempts did with a task: what became of it if it is done, otherwise how it failed if it was sent.
	 *
	 * @param identity what tells it from all others of the run
	 */
	recall(identity: unknown): {
		key: string;
		done?: Done | undefined;
		inDoubt?: InDoubt | undefined;
	} {
		const { pass, done, inDoubt } = this.record;
		const key = `${pass} ${fingerprintOf(identity)}`;
		const text = done[key];
		return {
			key,
			done: text === undefined ? undefined : (JSON.parse(text) as Done),
			inDoubt: inDoubt[key],
		};
	}

	/** Whether this execution has sent it: a person's retry is another one. */
	hasSent({ executions }: InDoubt): boolean {
		return executions.includes(this.execution);
	}

	/** Adds a task that was carried out. */
	addDone(key: string, done: Done): void {
		const { record } = this;
		record.done[key] = JSON.stringify(done);
		// What is done is no longer in doubt.
		delete record.inDoubt[key];
		this.store();
	}

	/**
	 * Adds a task that was sent, and may have been carried out. It outlives Wait nodes, and a restart of n8n during one.
	 *
	 * @param request what it asked for
	 */
	addDoubt(key: string, failed: FailedTask, request: string, sentBy: string): void {
		const { inDoubt } = this.record;
		const { executions = [], requests = [] }: Partial<InDoubt> = inDoubt[key] ?? {};
		inDoubt[key] = {
			...failed,
			executions: [...executions, this.execution],
			requests: [...requests, request],
			sentBy,
		};
		this.store();
	}

	/** Whether a request may have been carried out in an earlier pass of the node: it can come back from a loop. */
	isHeld(request: string): boolean {
		const { inDoubt, pass } = this.record;
		this.held ??= new Set(
			Object.entries(inDoubt).flatMap(([key, { requests }]) =>
				Number.parseInt(key) < pass ? requests : [],
			),
		);
		return this.held.has(request);
	}

	/** Removes what is done from what n8n stores: a run that is all done is not retried. What retries share is kept. */
	forget(): void {
		this.own[KEY] = { ...this.record, done: {} };
	}

	private store(): void {
		this.own[KEY] = this.record;
	}
}

function newRecord(pass: number, inDoubt: RunRecord['inDoubt'] = {}): RunRecord {
	return { id: randomString(11), pass, done: {}, inDoubt };
}

/** @returns what the retries of a run share in this process, with what n8n has loaded of the run */
function share(loaded: RunRecord): RetriedRun {
	const key = loaded.id;
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
function merge({ done, inDoubt }: RunRecord, loaded: RunRecord): void {
	Object.assign(done, loaded.done);
	for (const [key, failed] of Object.entries(loaded.inDoubt)) {
		const own = inDoubt[key]?.doubt;
		// This process keeps its own entry for an equal doubt: it lists more executions.
		if (!own || (own !== 'unknown' && failed.doubt === 'unknown')) inDoubt[key] = failed;
	}
	for (const key of Object.keys(done)) delete inDoubt[key];
}
