import type { IDataObject } from 'n8n-workflow';

import { AUTOMATIC } from '../../shared/account/account';
import { Requester, Stopped } from '../../shared/account/requester';
import { explanationOf, type Explanation } from '../../shared/explain';
import { CredentialReader, type Credential } from '../../shared/http/credential';
import { Failure } from '../../shared/http/failure';
import { changesSomething, OUTCOMES } from '../../shared/http/outcomes';
import { Refusal } from '../../shared/refusal';
import { now } from '../../shared/time';
import { Batches } from './batches';
import { fingerprint } from './fingerprint';
import { Memory, nodeContext } from './memory';
import { TakenElsewhere, UnknownOutcome } from './notSent';
import { Pauses } from './pauses';
import { Progress } from './progress';
import { Queue } from './queue';
import { summarize, type FailedTask, type Tally } from './tally';
import type { Outcome, Plan, RunContext, Sending, Task } from './task';

/** A task that was not done in an earlier attempt. */
interface Pending {
	task: Task;
	/** Identifies it across all attempts of the run. */
	mark: string;
	credential?: Credential;
	refusal?: unknown;
}

/**
 * One run of the node: sends its tasks in order, some concurrently, with retries, none of them twice.
 * It ends when all are settled, at the first error it does not continue after, or when the execution
 * is cancelled. Then nothing new is started, requests in flight are allowed to finish, and one
 * summary says what was done.
 */
export class Run {
	private state: 'gathering' | 'starting' | 'sending' | 'stopping' | 'ended' = 'gathering';
	private readonly gathered: Task[] = [];
	private readonly unsettled = new Set<Task>();
	/** The marks of the tasks that failed in this attempt. */
	private readonly failedMarks = new Set<string>();
	private readonly requester: Requester;
	private readonly credentials = new CredentialReader();
	private readonly memory: Memory;
	private readonly progress: Progress;
	private readonly tally: Tally;
	private readonly cancellation: AbortSignal | undefined;
	/** Whether a request of this attempt has been sent. */
	private hasSent = false;
	private queue: Queue | undefined;
	private batches: Batches | undefined;
	/** Resolves when the task before has started, under "Batching". */
	private started = Promise.resolve();
	/** The failures that end the run; the user sees the first of them, in the order of the tasks. */
	private readonly endedBy = new Map<Task, { error: unknown; failed: FailedTask }>();

	/** @param context of the node, or of the first item to arrive */
	constructor(
		private readonly context: RunContext,
		private readonly plan: Plan,
	) {
		const { name, parameters } = context.getNode();
		// The user is watching a test in the editor.
		this.requester = new Requester({ isUrgent: context.getMode() === 'manual' });
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.memory = new Memory(nodeContext(context), $runIndex, parameters);
		this.progress = new Progress(context.logger, name);
		this.tally = { total: plan.total, what: plan.what, done: 0, failed: [] };
		if (plan.keeps !== undefined) this.tally.kept = { field: plan.keeps, values: [] };
		this.cancellation = context.getExecutionCancelSignal();
	}

	get hasEnded(): boolean {
		return this.state === 'ended';
	}

	/** Whether a task has been sent, in this attempt or an earlier one. */
	private get hasStarted(): boolean {
		return this.hasSent || this.tally.done > 0 || this.memory.failedBefore.size > 0;
	}

	/** Adds a task. It is sent when the run has started and its turn has come. */
	add(task: Task): void {
		if (this.unsettled.size === 0) this.cancellation?.addEventListener('abort', this.cancel);
		this.unsettled.add(task);
		if (this.cancellation?.aborted) this.cancel();
		if (this.state === 'gathering' || this.state === 'starting') this.gathered.push(task);
		else if (this.state === 'ended') this.settle(task, { kind: 'notStarted' });
		else {
			this.admit(task)
				.then((pending) => this.enqueue(pending))
				.catch((error) => this.fail(task, error));
		}
	}

	/**
	 * Starts to send the tasks added so far, unless one of them must not be sent and ends the run.
	 *
	 * @param total how many tasks there are, if fewer arrived than expected
	 */
	start(sending: Sending, total = this.plan.total): void {
		if (this.state !== 'gathering') return;
		this.state = 'starting';
		this.tally.total = total;
		// Nothing in it throws by design; if something does, it must not be lost or crash n8n.
		this.begin(sending).catch((error) => {
			for (const task of this.unsettled) this.fail(task, error);
		});
	}

	private async begin({ concurrency, batching }: Sending): Promise<void> {
		const admitted: Array<Pending | undefined> = [];
		const pauses = new Pauses();
		for (const task of this.gathered) {
			await pauses.take();
			const pending = await this.admit(task);
			if (this.state !== 'starting') return;
			admitted.push(pending);
			if (pending?.refusal !== undefined && !this.plan.goesOnAfter(pending.refusal)) {
				this.fail(task, pending.refusal, pending.mark);
				return;
			}
		}
		this.state = 'sending';
		this.queue = new Queue(concurrency ?? AUTOMATIC[this.plan.kind].most);
		if (concurrency === undefined) this.requester.automatic = this.plan.kind;
		if (batching) this.batches = new Batches(batching.size, batching.interval);
		for (const pending of admitted) this.enqueue(pending);
	}

	/** Tells the run that no more tasks arrive: if it has not started, it never will. */
	close(): void {
		if (this.state === 'gathering') this.end();
	}

	/**
	 * @returns undefined when there is nothing to send: the task was done in an earlier attempt and is
	 * now settled, or the run has ended
	 */
	private async admit(task: Task): Promise<Pending | undefined> {
		let credential: Credential | undefined;
		let { refusal } = task;
		try {
			credential = await this.credentials.read(task.context, task.item);
		} catch (error) {
			refusal ??= error;
		}
		if (this.state === 'ended') return undefined;
		const mark = fingerprint([this.memory.accountFor(credential?.idToStore), task.identity]);
		const remembered = this.memory.recall(mark);
		if (!remembered) return { task, mark, credential, refusal: this.errorToReport(refusal, mark) };
		this.succeed(task, remembered, false);
		return undefined;
	}

	private enqueue(pending: Pending | undefined): void {
		if (pending) this.queue?.add(async () => await this.perform(pending));
	}

	private async perform({ task, mark, credential, refusal }: Pending): Promise<void> {
		const { context, request, precondition } = task;
		const { requester, memory } = this;
		let letNextStart = () => {};
		let isTaken = false;
		try {
			if (refusal !== undefined || !credential) return this.fail(task, refusal, mark);
			letNextStart = await this.batchTurn();
			const hasStarted = () => this.hasStarted;
			const check = await precondition?.({ requester, context, request, credential, hasStarted });
			const response = await requester.request(context, request, credential, () => {
				// Not earlier: now the tasks before it have been sent.
				if (memory.isUnknown(mark)) throw this.unknownOutcome(mark);
				check?.();
				if (changesSomething(methodOf(task))) {
					isTaken = memory.take(mark);
					if (!isTaken) throw new TakenElsewhere();
				}
				this.hasSent = true;
				this.batches?.start(now());
				letNextStart();
			});
			const output = task.read(response);
			if (changesSomething(methodOf(task))) memory.finish(mark, output);
			this.succeed(task, output);
		} catch (error) {
			// Left unsettled: `end` settles it as not started.
			if (error instanceof Stopped) return;
			if (error instanceof Failure) this.remember(task, mark, error);
			this.fail(task, this.errorToReport(error, mark), mark);
		} finally {
			letNextStart();
			if (isTaken && !memory.isDone(mark) && !memory.isUnknown(mark)) memory.giveBack(mark);
		}
	}

	/** Records a request that the service has, or may have: whether it is sent again depends on this. */
	private remember(task: Task, mark: string, failure: Failure): void {
		const method = methodOf(task);
		if (!changesSomething(method)) return;
		const { verdict } = OUTCOMES[failure.reason];
		if (verdict !== 'unknown' && verdict !== 'failed') return;
		const reason = reasonOf(this.explain(task, failure));
		if (verdict === 'unknown') {
			// It can contain the id of a paid job, and only so many reasons are remembered.
			const isOfJob = this.plan.keeps !== undefined && failure.facts.serviceMessage !== undefined;
			if (isOfJob) this.progress.note(`${task.label}: ${reason}`);
			this.memory.leaveUnknown(mark, task.label, reason);
		} else this.memory.leaveFailed(mark, task.label, reason);
	}

	/** What is refused now may still have been carried out in an earlier attempt. */
	private errorToReport(error: unknown, mark: string): unknown {
		const mayBeDone = error instanceof Refusal && this.memory.isUnknown(mark);
		return mayBeDone ? this.unknownOutcome(mark) : error;
	}

	private unknownOutcome(mark: string): UnknownOutcome {
		return new UnknownOutcome(this.memory.whatHappened(mark));
	}

	/**
	 * Waits until the batch of the next task starts.
	 *
	 * @returns a function to call when the task has started, or will not start: then the next one may
	 */
	private async batchTurn(): Promise<() => void> {
		const { batches, started } = this;
		if (!batches) return () => {};
		let letNextStart = () => {};
		this.started = new Promise((resolve) => (letNextStart = resolve));
		await started;
		// Not caught and thrown again: n8n's linter allows only its own errors in a catch.
		let isDue = false;
		try {
			for (let wait = batches.wait(now()); wait > 0; wait = batches.wait(now())) {
				await this.requester.pause(wait);
			}
			isDue = true;
		} finally {
			if (!isDue) letNextStart();
		}
		return letNextStart;
	}

	private succeed(task: Task, output: IDataObject[], isNew = true): void {
		const kept = this.keptOf(output);
		this.tally.done += 1;
		this.tally.kept?.values.push(...kept);
		if (this.tally.done === this.tally.total) this.memory.forget();
		this.settle(task, { kind: 'done', output }, isNew ? kept : []);
	}

	private fail(task: Task, error: unknown, mark?: string): void {
		const explanation = this.explain(task, error);
		const failed: FailedTask = {
			label: task.label,
			reason: reasonOf(explanation),
			isUnknown: this.leavesUnknown(task, error),
		};
		this.tally.failed.push(failed);
		if (mark !== undefined) this.failedMarks.add(mark);
		if (this.plan.goesOnAfter(error)) {
			const { isUnknown } = failed;
			this.settle(task, { kind: 'failed', error, explanation, isUnknown, endedTheRun: false });
		} else {
			this.endedBy.set(task, { error, failed });
			this.stop();
		}
	}

	private leavesUnknown(task: Task, error: unknown): boolean {
		if (error instanceof UnknownOutcome) return true;
		if (!(error instanceof Failure) || !changesSomething(methodOf(task))) return false;
		return OUTCOMES[error.reason].verdict === 'unknown';
	}

	private explain(task: Task, error: unknown): Explanation {
		return explanationOf(error, methodOf(task), this.plan.advice);
	}

	private settle(task: Task, outcome: Outcome, kept?: string[]): void {
		this.unsettled.delete(task);
		// The node may have finished. If n8n passes another batch later, `add` listens again.
		if (this.unsettled.size === 0) this.cancellation?.removeEventListener('abort', this.cancel);
		task.settle(outcome);
		// The summary of an ended run is the last line.
		if (this.state !== 'ended') this.progress.step(this.tally.total, kept);
		this.endIfSettled();
	}

	private endIfSettled(): void {
		const settled = this.tally.done + this.tally.failed.length;
		if (settled === this.tally.total && this.unsettled.size === 0) this.end();
	}

	/** Sends nothing more, and ends the run when the requests in flight have finished. */
	private stop(): void {
		if (this.state === 'ended') return;
		this.state = 'stopping';
		this.requester.stop();
		this.queue?.stop();
		void Promise.resolve(this.queue?.idle()).then(() => this.end());
	}

	private readonly cancel = (): void => {
		if (this.state === 'ended') return;
		this.requester.cancel();
		this.stop();
	};

	private end(): void {
		if (this.state === 'ended') return;
		this.state = 'ended';
		this.progress.end();
		this.countEarlier();
		// n8n keeps nothing of a cancelled node, so the log is the only record of what it had done. A
		// later attempt of the same run has nothing to add.
		const execution = this.context.getExecutionId();
		if (this.cancellation?.aborted && !this.memory.wasCancelled(execution)) {
			this.memory.noteCancelled(execution);
			const { name } = this.context.getNode();
			this.context.logger.warn(`${name} was cancelled. ${summarize(this.tally)}`);
		}
		let isTold = false;
		for (const task of this.unsettled) {
			const end = this.endedBy.get(task);
			if (!end) this.settle(task, { kind: 'notStarted' });
			else this.settleEnd(task, end, isTold);
			isTold ||= end !== undefined;
		}
	}

	/**
	 * Adds what an earlier attempt did, may have done, or failed to do, and this one did not reach, so
	 * that the summary is true.
	 */
	private countEarlier(): void {
		if (this.tally.done === this.tally.total) return;
		for (const output of this.memory.notRecalled) {
			this.tally.done += 1;
			this.tally.kept?.values.push(...this.keptOf(output));
		}
		for (const [mark, label] of this.memory.failedBefore) {
			if (this.failedMarks.has(mark) || this.memory.isDone(mark)) continue;
			const isUnknown = this.memory.isUnknown(mark);
			const reason = isUnknown
				? reasonOf(this.unknownOutcome(mark))
				: `Failed in an earlier attempt. ${this.memory.whatHappened(mark) ?? ''}`.trim();
			this.tally.failed.push({ label, reason, isUnknown });
		}
	}

	/** What the run had done, for the message of a failure. */
	private summarizeWithout(told: FailedTask): string | undefined {
		if (this.hasStarted) return summarize(this.tally, told);
		// Preconditions are checked later, and say themselves that no job was created.
		const isRefusedAtOnce = this.queue === undefined && this.tally.total > 1;
		return isRefusedAtOnce && !/nothing was sent/i.test(told.reason)
			? 'Nothing was sent.'
			: undefined;
	}

	private keptOf(output: IDataObject[]): string[] {
		const { keeps } = this.plan;
		return keeps === undefined ? [] : output.map((json) => String(json[keeps]));
	}

	/** @param isTold whether another task already reports the end of the run */
	private settleEnd(
		task: Task,
		{ error, failed }: { error: unknown; failed: FailedTask },
		isTold: boolean,
	): void {
		const { isUnknown } = failed;
		const explanation = this.explain(task, error);
		if (!isTold) {
			const sum = this.summarizeWithout(failed);
			explanation.description = [explanation.description, sum].filter((part) => part).join(' ');
		}
		this.settle(task, { kind: 'failed', error, explanation, isUnknown, endedTheRun: !isTold });
	}
}

function methodOf({ request }: Task): string {
	return request.method ?? 'GET';
}

function reasonOf({ message, description }: Pick<Explanation, 'message' | 'description'>): string {
	return `${message}. ${description}`;
}
