import type { IDataObject } from 'n8n-workflow';

import type { KeptRecord } from './record';
import type { FailedTask } from './task';

/** What must not be lost of a task: its id, and what it is listed with. */
export interface PaidId {
	id: string;
	name?: string;
}

/**
 * What became of each task of a run, in this attempt and earlier ones, by its fingerprint. Retry On Fail and
 * n8n's Retry button run the whole node again: what is done or unknown is not paid for twice.
 */
export class Ledger {
	total = Infinity;
	done = 0;
	/** In the order in which they failed. */
	readonly failed: FailedTask[] = [];
	/** The ids of paid jobs. */
	readonly ids: PaidId[] = [];
	/** Whether a task has been sent, in this attempt, or in an earlier one that recorded it. */
	hasSent: boolean;
	/** The tasks that are counted. */
	private readonly settled = new Set<string>();

	/** @param idField the field of an output that must not be lost */
	constructor(
		private readonly kept: KeptRecord,
		private readonly idField?: string,
	) {
		this.hasSent = this.recorded.length > 0;
	}

	/** Whether the node has run in this execution before, as in a loop. */
	get isLaterPass(): boolean {
		return this.kept.isLaterPass;
	}

	/** How many tasks are neither done nor unknown. */
	get missing(): number {
		return this.total - this.done - this.unknown;
	}

	get unknown(): number {
		return this.failed.filter(({ doubt }) => doubt === 'unknown').length;
	}

	/**
	 * The account of a task's fingerprint.
	 *
	 * @param current undefined if the credential cannot be read: then the account that was used last
	 */
	rememberAccount(current: string | undefined): string | undefined {
		const { record } = this.kept;
		record.account = current ?? record.account;
		return record.account;
	}

	/** @returns the output of a task that was carried out in an earlier attempt, which counts it as done */
	recall(fingerprint: string): IDataObject[] | undefined {
		const output = this.outputOf(fingerprint);
		if (output) this.settle(fingerprint, output);
		return output;
	}

	/** @returns how a task failed that was sent, in this attempt or an earlier one, and is not done */
	failureOf(fingerprint: string): FailedTask | undefined {
		return this.kept.record.failed[fingerprint];
	}

	/** Claims a task, right before it is sent. @returns false if another retry of the execution has claimed it */
	claim(fingerprint: string): boolean {
		const { claimed } = this.kept;
		if (claimed.has(fingerprint)) return false;
		claimed.add(fingerprint);
		return true;
	}

	/** Releases a task once its end is recorded: unless it is done or unknown, it can be sent again. */
	release(fingerprint: string): void {
		const { record, claimed } = this.kept;
		const isUnknown = record.failed[fingerprint]?.doubt === 'unknown';
		if (!(fingerprint in record.done) && !isUnknown) claimed.delete(fingerprint);
	}

	/**
	 * Adds a task that was carried out.
	 *
	 * @param changes whether it changed something, and must not be sent again
	 * @returns its ids
	 */
	addDone(fingerprint: string, output: IDataObject[], changes: boolean, name?: string): PaidId[] {
		if (changes) {
			const { record } = this.kept;
			this.kept.count(fingerprint);
			if (name !== undefined && this.idField !== undefined) record.names[fingerprint] = name;
			record.done[fingerprint] = JSON.stringify(output);
			delete record.failed[fingerprint];
			this.kept.store();
		}
		return this.settle(fingerprint, output);
	}

	/** Adds a task that failed. @param isKept whether it is told in later attempts: it was sent, and leaves a doubt */
	addFailed(fingerprint: string, failed: FailedTask, isKept: boolean): void {
		if (isKept) {
			this.kept.count(fingerprint);
			this.kept.record.failed[fingerprint] = failed;
			this.kept.store();
		}
		this.settled.add(fingerprint);
		this.failed.push(failed);
	}

	/** @returns whether this is the first time that the execution is cancelled, and records it */
	recordCancelled(execution: string): boolean {
		const { record } = this.kept;
		// An agent's execution has no id.
		if (record.cancelled !== undefined && record.cancelled === execution) return false;
		record.cancelled = execution;
		this.kept.store();
		return true;
	}

	/**
	 * Adds what earlier attempts recorded and this one did not reach.
	 *
	 * @param retell tells a failure of an earlier attempt
	 */
	close(retell: (failed: FailedTask) => FailedTask): void {
		for (const fingerprint of this.recorded) {
			if (this.settled.has(fingerprint)) continue;
			const failed = this.failureOf(fingerprint);
			if (failed) this.failed.push(retell(failed));
			else this.countDone(fingerprint, this.outputOf(fingerprint)!);
		}
	}

	private get recorded(): string[] {
		const { done, failed } = this.kept.record;
		return [...Object.keys(done), ...Object.keys(failed)];
	}

	private outputOf(fingerprint: string): IDataObject[] | undefined {
		const text = this.kept.record.done[fingerprint];
		return text === undefined ? undefined : (JSON.parse(text) as IDataObject[]);
	}

	/** Counts a task as done, and drops the record of a run that is all done. */
	private settle(fingerprint: string, output: IDataObject[]): PaidId[] {
		const ids = this.countDone(fingerprint, output);
		if (this.done === this.total) this.kept.drop();
		return ids;
	}

	private countDone(fingerprint: string, output: IDataObject[]): PaidId[] {
		const { idField } = this;
		const name = this.kept.record.names[fingerprint];
		const ids = idField ? output.map((json) => ({ id: String(json[idField]), name })) : [];
		this.settled.add(fingerprint);
		this.done += 1;
		this.ids.push(...ids);
		return ids;
	}
}
