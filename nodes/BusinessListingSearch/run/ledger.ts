import {
	randomString,
	type IContextObject,
	type IDataObject,
	type IExecuteData,
} from 'n8n-workflow';

import { fingerprintOf } from '../form/fingerprint';
import type { RunContext } from '../form/call';
import { contextOf } from './n8n';
import type { DoneEnd, FailedTask, Identity, Known } from './task';

/** The keys of what this package keeps in the node's context: of one pass, and of all passes. */
const KEY = 'businessListingSearch';
const KEY_OF_HELD = 'businessListingSearchHeld';

/** How many executions are remembered: as many as n8n keeps by default. */
const MOST_EXECUTIONS = 10_000;

/** What n8n keeps of a run, by the keys of its tasks. */
interface RunRecord {
	/** The same in all retries of the execution. */
	id: string;
	/** n8n's run index: it increases with each pass of a loop. */
	pass: number;
	/** The outputs of what was carried out, as JSON: n8n stores a text in much less space than an object. */
	done: Record<string, string>;
	/** The names under which the ids are listed. */
	names: Record<string, string>;
	/** What failed or may have been carried out. n8n keeps only the last attempt's error. */
	inDoubt: Record<string, FailedTask>;
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

/** What the tries of Retry On Fail have sent, by place: under which key, and how it failed if they do not send it again. */
type Tried = Map<string, { key: string; inDoubt?: FailedTask }>;

/**
 * By the execution data, which the tries of Retry On Fail share and a retry of the execution does not. Nobody changes
 * the form between two tries, but an expression can give something else, such as the time.
 */
const triedWith = new WeakMap<IExecuteData, Tried>();

/**
 * What became of each task of a run in earlier attempts. Retry On Fail and n8n's Retry button run the whole node again:
 * what is done is not sent again, whatever was changed in between. It knows so from
 *
 * - the record in the node's context, which n8n keeps across tries, and stores with a failed execution
 * - `sharedByRetries`, which the retries of one execution share in this process
 * - `triedWith`, which the tries of one execution share
 */
export class Ledger {
	/** Whether the node has run in this execution before, as in a loop. */
	readonly isLaterPass: boolean;
	/** n8n's run index. */
	readonly pass: number;
	private readonly record: RunRecord;
	/** The node's context, which n8n keeps across attempts and stores with a failed execution. */
	private readonly own: IContextObject;
	private readonly shared: RetriedRun | undefined;
	private readonly tried: Tried;

	/** @param isTool whether its calls are no attempts of one run */
	constructor(context: RunContext, isTool = false) {
		const { $runIndex: pass } = context.getWorkflowDataProxy(0);
		this.pass = pass;
		this.isLaterPass = pass > 0;
		this.tried = triedOf(context);
		this.own = contextOf(context);
		const stored = this.own[KEY] as RunRecord | undefined;
		const ofThisPass = stored?.pass === pass ? stored : undefined;
		const loaded = ofThisPass ?? newRecord(pass);
		// An agent can call its tool several times at once, so the calls of a tool do not take turns.
		const isShared = ofThisPass !== undefined && context.getMode() === 'retry' && !isTool;
		this.shared = isShared ? share(loaded) : undefined;
		this.record = this.shared?.record ?? loaded;
		// At once, so that two retries of a run that has done nothing find the same id.
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

	/** Recalls what earlier attempts did with a task. */
	recall({ place: where, request }: Identity): Known {
		const { done, names, inDoubt } = this.record;
		const place = fingerprintOf([this.pass, where]);
		const tried = this.tried.get(place);
		const key = tried?.key ?? fingerprintOf([where, request]);
		const text = done[key];
		const output = text === undefined ? undefined : (JSON.parse(text) as IDataObject[]);
		return {
			place,
			key,
			output,
			name: names[key],
			inDoubt: inDoubt[key],
			inDoubtOfTry: tried?.inDoubt,
		};
	}

	/** All that earlier attempts have done, and what they leave in doubt. */
	get earlier(): { done: DoneEnd[]; failed: FailedTask[] } {
		const { done, names, inDoubt } = this.record;
		const ends = Object.entries(done).map(([key, text]): DoneEnd => {
			const output = JSON.parse(text) as IDataObject[];
			return { kind: 'done', output, name: names[key] };
		});
		return { done: ends, failed: Object.values(inDoubt) };
	}

	/** Adds a task that was carried out. @param name under which its id is listed */
	addDone({ place, key }: Known, output: IDataObject[], name?: string): void {
		const { done, names, inDoubt } = this.record;
		if (name !== undefined) names[key] = name;
		done[key] = JSON.stringify(output);
		delete inDoubt[key];
		this.tried.set(place, { key });
		this.store();
	}

	/**
	 * Adds a task that was sent, and may have been carried out.
	 *
	 * @param isTriedAgain whether Retry On Fail sends it again
	 */
	addDoubt({ place, key }: Known, failed: FailedTask, isTriedAgain: boolean): void {
		this.record.inDoubt[key] = failed;
		if (!isTriedAgain) this.tried.set(place, { key, inDoubt: failed });
		this.store();
	}

	/** Remembers for later passes that a request may have been carried out. It outlives a wait, and a restart of n8n. */
	holdForLaterPasses(request: unknown): void {
		const all = this.held;
		all[fingerprintOf(request)] ??= this.pass;
		this.own[KEY_OF_HELD] = all;
	}

	/** Whether a request may have been carried out in an earlier pass of the node: it can come back from a loop. */
	isHeld(request: unknown): boolean {
		return (this.held[fingerprintOf(request)] ?? Infinity) < this.pass;
	}

	/** Forgets a run that is all done, which is not retried. */
	forget(): void {
		delete this.own[KEY];
	}

	private get held() {
		return (this.own[KEY_OF_HELD] ?? {}) as Record<string, number>;
	}

	private store(): void {
		this.own[KEY] = this.record;
	}
}

function newRecord(pass: number): RunRecord {
	return { id: randomString(11), pass, done: {}, names: {}, inDoubt: {} };
}

function triedOf(context: RunContext): Tried {
	const data = context.getExecuteData();
	// An agent's calls share its data, and are no tries of each other.
	if (data.node.name !== context.getNode().name) return new Map();
	const tried = triedWith.get(data) ?? new Map<string, { key: string }>();
	triedWith.set(data, tried);
	return tried;
}

/** @returns what retries in this process have made of a run, and what n8n loaded of it */
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
function merge({ done, names, inDoubt }: RunRecord, loaded: RunRecord): void {
	Object.assign(done, loaded.done);
	Object.assign(names, loaded.names);
	for (const [key, failed] of Object.entries(loaded.inDoubt)) {
		if (inDoubt[key]?.doubt !== 'unknown') inDoubt[key] = failed;
	}
	for (const key of Object.keys(done)) delete inDoubt[key];
}
