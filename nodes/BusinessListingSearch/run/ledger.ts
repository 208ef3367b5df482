import type { IDataObject } from 'n8n-workflow';

import { fingerprintOf } from './fingerprint';
import type { KeptRecord } from './record';
import type { FailedTask, Plan } from './task';

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
}

/**
 * What became of each task of a run, in this attempt and earlier ones. Retry On Fail and n8n's Retry button run
 * the whole node again: what is done or unknown is not paid for twice.
 */
export class Ledger {
	readonly total: number;
	done = 0;
	/** In the order in which they failed. */
	readonly failed: FailedTask[] = [];
	/** The ids of paid jobs. */
	readonly ids: PaidId[] = [];
	/** Whether a task has been sent, in this attempt, or in an earlier one that recorded it. */
	hasSent: boolean;
	private readonly idField: string | undefined;
	/** The tasks that are counted. */
	private readonly settled = new Set<string>();

	constructor(
		private readonly kept: KeptRecord,
		{ total, idField }: Pick<Plan, 'total' | 'idField'>,
	) {
		this.total = total;
		this.idField = idField;
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
	 * Finds a task in what earlier attempts did. One that is done is counted.
	 *
	 * @param account undefined if the credential cannot be read: then the account that was used last
	 */
	find(identity: unknown, account: string | undefined): Known {
		const { record } = this.kept;
		record.account = account ?? record.account;
		const key = fingerprintOf([record.account, identity]);
		const output = this.outputOf(key);
		if (output) this.settle(key, output);
		return { key, output, failed: record.failed[key] };
	}

	/**
	 * Adds a task that was carried out.
	 *
	 * @param changes whether it changed something, and must not be sent again
	 * @returns its ids
	 */
	addDone(key: string, output: IDataObject[], changes: boolean, name?: string): PaidId[] {
		if (changes) {
			const { record } = this.kept;
			if (name !== undefined && this.idField !== undefined) record.names[key] = name;
			record.done[key] = JSON.stringify(output);
			delete record.failed[key];
			this.kept.store();
		}
		return this.settle(key, output);
	}

	/** Adds a task that failed. @param isKept whether it is told in later attempts: it was sent, and leaves a doubt */
	addFailed(key: string, failed: FailedTask, isKept: boolean): void {
		if (isKept) {
			this.kept.record.failed[key] = failed;
			this.kept.store();
		}
		this.settled.add(key);
		this.failed.push(failed);
	}

	/**
	 * Adds what earlier attempts recorded and this one did not reach.
	 *
	 * @param retell tells a failure of an earlier attempt
	 */
	close(retell: (failed: FailedTask) => FailedTask): void {
		for (const key of this.recorded) {
			if (this.settled.has(key)) continue;
			const failed = this.kept.record.failed[key];
			if (failed) this.addFailed(key, retell(failed), false);
			else this.countDone(key, this.outputOf(key)!);
		}
	}

	private get recorded(): string[] {
		const { done, failed } = this.kept.record;
		return [...Object.keys(done), ...Object.keys(failed)];
	}

	private outputOf(key: string): IDataObject[] | undefined {
		const text = this.kept.record.done[key];
		return text === undefined ? undefined : (JSON.parse(text) as IDataObject[]);
	}

	/** Counts a task as done, and drops the record of a run that is all done. */
	private settle(key: string, output: IDataObject[]): PaidId[] {
		const ids = this.countDone(key, output);
		if (this.done === this.total) this.kept.drop();
		return ids;
	}

	private countDone(key: string, output: IDataObject[]): PaidId[] {
		const { idField } = this;
		const name = this.kept.record.names[key];
		const ids = idField ? output.map((json) => ({ id: String(json[idField]), name })) : [];
		this.settled.add(key);
		this.done += 1;
		this.ids.push(...ids);
		return ids;
	}
}
