import type { Failure } from '../../shared/errors/failure';
import { sentBefore } from '../../shared/errors/notSent';
import type { CredentialLoader } from '../../shared/service/credential';
import { fingerprintOf } from '../input/fingerprint';
import type { RunOptions } from '../options/runOptions';
import type { Ledger } from './ledger';
import type { Changes, InDoubt, Plan, Task, TaskState } from './task';

/** Finds the tasks that an earlier attempt has sent, and those that ask for the same as another one. */
export class Repeats {
	/**
	 * The first task for each request. For what an earlier attempt has sent, and this one does not send, the key has a
	 * prefix, and equals no request.
	 */
	private readonly firsts = new Map<string, TaskState>();

	constructor(
		private readonly ledger: Ledger,
		private readonly credentials: CredentialLoader,
		private readonly plan: Plan,
		private readonly options: RunOptions,
	) {}

	/**
	 * @param isStopped whether the run has stopped: then the credential is not read
	 * @returns the task with its credential and its first, and its end if it is done
	 */
	async stateOf(task: Task, isStopped: boolean): Promise<TaskState> {
		const { ledger, plan, options } = this;
		const { done, ...known } = ledger.recall(task.identity);
		const state: TaskState = { task, ...known, refused: options.refusal ?? task.refused };
		if (done) {
			state.end = { kind: 'done', ...done };
			return this.withFirst(state, `done ${done.sentBy}`);
		}
		const { inDoubt } = state;
		// Before refusals and dry runs: an earlier attempt may have carried the task out.
		if (inDoubt && !isSentAgain(inDoubt, ledger, plan.changes)) {
			state.refused = sentBefore(inDoubt);
			return this.withFirst(state, `inDoubt ${inDoubt.sentBy}`);
		}
		if (isStopped) return state;
		const account = await this.credentials.load(task.item).then(
			(credential) => (state.credential = credential).idInMemory,
			(failure: Failure) => (state.refused ??= failure).message,
		);
		const { method, url, body } = task.request;
		state.asked = fingerprintOf([method, account, url, body]);
		return task.refused || options.dryRun ? state : this.withFirst(state, state.asked);
	}

	private withFirst(state: TaskState, request: string): TaskState {
		state.first = this.firsts.get(request);
		if (state.first) state.first.isAwaited = true;
		else this.firsts.set(request, state);
		return state;
	}
}

/**
 * Whether a task in doubt is sent again. If the service reported it as failed: yes, but a job only in a new execution.
 * If it is unknown: only a value, in a new execution. It costs one request, and nobody can look it up.
 */
export function isSentAgain(inDoubt: InDoubt, ledger: Ledger, changes?: Changes): boolean {
	const isNewExecution = !ledger.hasSent(inDoubt);
	return inDoubt.doubt === 'unknown'
		? changes === 'values' && isNewExecution
		: changes !== 'jobs' || isNewExecution;
}
