import type { IDataObject } from 'n8n-workflow';

import type { Limits } from '../../shared/account/ownLimit';
import { Requester, Stopped } from '../../shared/account/requester';
import { explanationOf, type Explanation } from '../../shared/explain';
import { CredentialReader, type Credential } from '../../shared/http/credential';
import { Failure } from '../../shared/http/failure';
import { changesSomething, OUTCOMES } from '../../shared/http/outcomes';
import { fingerprint } from './fingerprint';
import { Memory, nodeContext } from './memory';
import { TakenElsewhere, UnknownOutcome } from './notSent';
import { Report, type FailedTask } from './report';
import type { Outcome, Plan, RunContext, Task } from './task';
import { TimeSlice } from './timeSlice';

/** A task that was not done in an earlier attempt. */
interface Pending {
	task: Task;
	/** Identifies it across all attempts of the run. */
	mark: string;
	credential?: Credential;
	refusal?: unknown;
}

/** A failure that ends the run. */
interface Ending {
	error: unknown;
	explanation: Explanation;
	failed: FailedTask;
}

/**
 * One run of the node: sends its tasks in order, some concurrently, with retries, none of them twice.
 * It is over when all are settled. It ends early at the first error it does not continue after, and when
 * the execution is cancelled: nothing new is started, requests in flight are allowed to finish, and one
 * summary says what was done.
 */
export class Run {
	private state: 'gathering' | 'starting' | 'sending' | 'stopping' | 'ended' = 'gathering';
	private readonly gathered: Task[] = [];
	private readonly unsettled = new Set<Task>();
	/** The marks of the tasks that the report has. */
	private readonly reported = new Set<string>();
	private readonly requester: Requester;
	private readonly credentials = new CredentialReader();
	private readonly memory: Memory;
	private readonly report: Report;
	private readonly cancellation: AbortSignal | undefined;
	/** Whether the tasks gathered at first have been checked, so that requests can follow. */
	private isAdmitted = false;
	/** Whether a task has been sent, in this attempt, or in an earlier one that recorded it. */
	private hasSent: boolean;
	/** How many tasks wait for their turn, or are in flight. */
	private active = 0;
	/** The failures that end the run; n8n shows the first of them, in the order of the tasks. */
	private readonly endedBy = new Map<Task, Ending>();

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
		this.hasSent = this.memory.recorded.length > 0;
		this.report = new Report(context.logger, name, plan);
		this.cancellation = context.getExecutionCancelSignal();
	}

	/** Adds a task. It is sent when the run has started and its turn has come. */
	add(task: Task): void {
		this.unsettled.add(task);
		if (this.state !== 'gathering') this.listen();
		if (this.state === 'ended') this.settle(task, { kind: 'notStarted' });
		else if (this.state === 'sending') this.addLate(task);
		else this.gathered.push(task);
	}

	/**
	 * Starts to send the tasks added so far, unless one of them must not be sent and ends the run.
	 *
	 * @param total how many tasks there are, if fewer arrived than expected
	 */
	start(limits: Limits, total = this.plan.total): void {
		if (this.state !== 'gathering') return;
		this.state = 'starting';
		this.report.total = total;
		this.listen();
		// Nothing in it throws by design; if something does, it must not be lost or crash n8n.
		this.begin(limits).catch((error) => {
			for (const task of this.unsettled) this.fail(task, error);
		});
	}

	/** Not before the run starts: n8n drops the items gathered so far if it cannot build a later one. */
	private listen(): void {
		this.cancellation?.addEventListener('abort', this.cancel);
		if (this.cancellation?.aborted) this.cancel();
	}

	private async begin(limits: Limits): Promise<void> {
		const admitted: Pending[] = [];
		const slice = new TimeSlice();
		let next = 0;
		for (; next < this.gathered.length; next++) {
			await slice.yieldToN8n();
			const pending = await this.admit(this.gathered[next]!);
			if (this.state !== 'starting') return;
			if (pending) admitted.push(pending);
			if (this.endsBefore(pending)) return;
		}
		this.isAdmitted = true;
		for (const pending of admitted) {
			await slice.yieldToN8n();
			await this.prepare(pending);
			if (this.state !== 'starting') return;
			if (this.endsBefore(pending)) return;
		}
		this.state = 'sending';
		this.requester.keepTo(limits, this.plan.automatic);
		for (const task of this.gathered.slice(next)) this.addLate(task);
		for (const pending of admitted) {
			await slice.yieldToN8n();
			if (this.state !== 'sending') return;
			void this.perform(pending);
		}
	}

	/** Ends the run if a task is refused before anything is sent, unless the run goes on after that. */
	private endsBefore(pending: Pending | undefined): boolean {
		if (pending?.refusal === undefined || this.plan.goesOnAfter(pending.refusal)) return false;
		this.fail(pending.task, pending.refusal, pending.mark);
		return true;
	}

	private addLate(task: Task): void {
		const sendOne = async () => {
			const pending = await this.admit(task);
			if (pending) await this.prepare(pending);
			if (pending && this.state === 'sending') await this.perform(pending);
		};
		sendOne().catch((error) => this.fail(task, error));
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
		const output = this.memory.outputOf(mark);
		if (!output) return { task, mark, credential, refusal: this.errorToReport(refusal, mark) };
		this.succeed(task, mark, output, false);
		return undefined;
	}

	/** Lets the guard of a task read what it depends on. */
	private async prepare(pending: Pending): Promise<void> {
		const { task, mark, credential, refusal } = pending;
		if (refusal !== undefined || !credential || this.memory.failureOf(mark)?.isUnknown) return;
		const { requester } = this;
		const { context, request } = task;
		const hasStarted = () => this.hasSent;
		try {
			await task.guard?.prepare({ requester, context, request, credential, hasStarted });
		} catch (error) {
			// If the run has stopped, the task is not started anyway.
			pending.refusal = error;
		}
	}

	private async perform({ task, mark, credential, refusal }: Pending): Promise<void> {
		this.active += 1;
		if (refusal !== undefined || !credential) this.fail(task, refusal, mark);
		else await this.send(task, mark, credential);
		this.active -= 1;
		this.endIfIdle();
	}

	private async send(task: Task, mark: string, credential: Credential): Promise<void> {
		const { memory } = this;
		const changes = changesSomething(methodOf(task));
		let isTaken = false;
		let hasStarted = false;
		try {
			const response = await this.requester.request(task.context, task.request, credential, () => {
				// Not earlier: now the tasks before it have been sent.
				if (memory.failureOf(mark)?.isUnknown) throw this.unknownOutcome(mark);
				task.guard?.check(this.hasSent);
				isTaken = changes && memory.take(mark);
				if (changes && !isTaken) throw new TakenElsewhere();
				this.hasSent = hasStarted = true;
			});
			const output = task.read(response);
			if (changes) memory.recordDone(mark, output);
			this.succeed(task, mark, output);
		} catch (error) {
			// Left unsettled: `end` settles it as not started.
			if (error instanceof Stopped || (!hasStarted && this.state !== 'sending')) return;
			if (error instanceof Failure && changes) this.remember(task, mark, error);
			this.fail(task, this.errorToReport(error, mark), mark);
		} finally {
			if (isTaken) memory.giveBack(mark);
		}
	}

	/** Records a request that the service has, or may have: whether it is sent again depends on this. */
	private remember(task: Task, mark: string, failure: Failure): void {
		const { verdict } = OUTCOMES[failure.reason];
		if (verdict !== 'unknown' && verdict !== 'failed') return;
		const failed = this.failedTask(task, failure, this.explain(task, failure));
		// What the service said can contain the id of a paid job.
		if (this.plan.keeps !== undefined && failed.isUnknown) {
			this.report.note(`${failed.label}: ${failed.reason}`);
		}
		this.memory.recordFailed(mark, failed);
	}

	/** What is refused now may still have been carried out in an earlier attempt. */
	private errorToReport(error: unknown, mark: string): unknown {
		const isRefused = error !== undefined && !(error instanceof Failure);
		const mayBeDone = isRefused && this.memory.failureOf(mark)?.isUnknown;
		return mayBeDone ? this.unknownOutcome(mark) : error;
	}

	private unknownOutcome(mark: string): UnknownOutcome {
		return new UnknownOutcome(this.memory.failureOf(mark)?.reason);
	}

	private succeed(task: Task, mark: string, output: IDataObject[], isNew = true): void {
		const kept = this.keptOf(output);
		this.reported.add(mark);
		this.report.addDone(kept);
		if (this.report.done === this.report.total) this.memory.forget();
		this.settle(task, { kind: 'done', output }, isNew ? kept : []);
	}

	private fail(task: Task, error: unknown, mark?: string): void {
		const explanation = this.explain(task, error);
		const failed = this.failedTask(task, error, explanation);
		this.report.addFailed(failed);
		if (mark !== undefined) this.reported.add(mark);
		if (this.plan.goesOnAfter(error)) {
			const { isUnknown } = failed;
			this.settle(task, { kind: 'failed', error, explanation, isUnknown, endedTheRun: false });
		} else {
			this.endedBy.set(task, { error, explanation, failed });
			this.stop();
		}
	}

	private failedTask(task: Task, error: unknown, explanation: Explanation): FailedTask {
		const isUnknown =
			error instanceof UnknownOutcome ||
			(error instanceof Failure &&
				changesSomething(methodOf(task)) &&
				OUTCOMES[error.reason].verdict === 'unknown');
		return { label: task.label, reason: sentencesOf(explanation), isUnknown };
	}

	private explain(task: Task, error: unknown): Explanation {
		return explanationOf(error, methodOf(task), this.plan.advice);
	}

	private settle(task: Task, outcome: Outcome, news?: string[]): void {
		this.unsettled.delete(task);
		// The node may have finished. If n8n passes another batch later, `add` listens again.
		if (this.unsettled.size === 0) this.cancellation?.removeEventListener('abort', this.cancel);
		task.settle(outcome);
		// The summary of an ended run is the last line.
		if (this.state !== 'ended') this.report.log(news);
	}

	/** Sends nothing more, and ends the run when the requests in flight have finished. */
	private stop(): void {
		if (this.state === 'ended') return;
		this.state = 'stopping';
		this.requester.stop();
		void Promise.resolve().then(() => this.endIfIdle());
	}

	private endIfIdle(): void {
		if (this.state === 'stopping' && this.active === 0) this.end();
	}

	private readonly cancel = (): void => {
		if (this.state === 'ended') return;
		this.requester.cancel();
		this.stop();
	};

	private end(): void {
		if (this.state === 'ended') return;
		this.state = 'ended';
		this.countEarlier();
		// n8n keeps nothing of a cancelled node, so the log is the only record of what it had done. A
		// later attempt of the same run has nothing to add.
		const execution = this.context.getExecutionId();
		if (this.cancellation?.aborted && this.memory.recordCancelled(execution)) {
			const { name } = this.context.getNode();
			this.context.logger.warn(`${name} was cancelled. ${this.report.summarize()}`);
		}
		for (const task of this.unsettled) {
			const ending = this.endedBy.get(task);
			if (ending) this.settleEnd(task, ending);
			else this.settle(task, { kind: 'notStarted' });
		}
	}

	/**
	 * Adds what an earlier attempt did, may have done, or failed to do, and this one did not reach, so
	 * that the summary is true.
	 */
	private countEarlier(): void {
		for (const mark of this.memory.recorded) {
			if (this.reported.has(mark)) continue;
			const output = this.memory.outputOf(mark);
			if (output) {
				this.report.addDone(this.keptOf(output));
				continue;
			}
			const failed = this.memory.failureOf(mark)!;
			const reason = failed.isUnknown
				? sentencesOf(this.unknownOutcome(mark))
				: `Failed in an earlier attempt. ${failed.reason}`;
			this.report.addFailed({ ...failed, reason });
		}
	}

	/** What the run had done, for the message of a failure. */
	private summarizeWithout(told: FailedTask): string | undefined {
		if (this.hasSent) return this.report.summarize(told);
		const isRefusedAtOnce = !this.isAdmitted && this.report.total > 1;
		return isRefusedAtOnce && !/nothing was sent/i.test(told.reason)
			? 'Nothing was sent.'
			: undefined;
	}

	private keptOf(output: IDataObject[]): string[] {
		const { keeps } = this.plan;
		return keeps === undefined ? [] : output.map((json) => String(json[keeps]));
	}

	private settleEnd(task: Task, { error, explanation, failed }: Ending): void {
		const sum = this.summarizeWithout(failed);
		explanation.description = [explanation.description, sum].filter((part) => part).join(' ');
		const { isUnknown } = failed;
		this.settle(task, { kind: 'failed', error, explanation, isUnknown, endedTheRun: true });
	}
}

function methodOf({ request }: Task): string {
	return request.method ?? 'GET';
}

function sentencesOf({
	message,
	description,
}: Pick<Explanation, 'message' | 'description'>): string {
	return `${message}. ${description}`;
}
