import type { IDataObject } from 'n8n-workflow';

import type { RunLimits } from '../../shared/account/runLimit';
import { Requester, Stopped } from '../../shared/account/requester';
import { type Explanation, explanationOf, sentences } from '../../shared/errors/explain';
import { Failure, RunRefusal } from '../../shared/errors/failure';
import { LostExecution, TakenElsewhere, UnknownOutcome } from '../../shared/errors/notSent';
import { changesSomething, mayBeCarriedOut, OUTCOMES } from '../../shared/errors/outcomes';
import { CredentialLoader, type Credential } from '../../shared/http/credential';
import { fingerprintOf } from './fingerprint';
import { isOfLostExecution } from './lostExecution';
import { contextOf, Memory } from './memory';
import { nextStep } from './nextStep';
import { Report } from './report';
import type { FailedTask, Plan, RunContext, Task, TaskEnd } from './task';
import { TimeSlice } from './timeSlice';

/** What identifies a task across all attempts of the run, and how it can be sent. */
interface Identified {
	fingerprint: string;
	credential?: Credential;
	/** The reason not to send it, if there is one. */
	refusal?: unknown;
}

/**
 * One run of the node: a queue that sends its tasks in order, some concurrently, with retries, none of
 * them twice. It stops at the first error it does not go on after, and when the execution is cancelled.
 * Then it starts nothing more, lets requests in flight finish, and one summary says what was done.
 *
 * All tasks share one queue of steps (see `carryOut`): all are accepted before anything is read for one, and
 * all reading is done before anything is sent.
 */
export class Run {
	private isStarted = false;
	/** Whether all tasks added before the start were accepted. */
	private areAllAccepted = false;
	private isStopped = false;
	/** Whether a task ends the run once all others are done: it may have been carried out in an earlier attempt. */
	private endsLast = false;
	private isClosed = false;
	/** How many tasks have not ended. */
	private active = 0;
	private begin = () => {};
	/** The latest step. The first one waits for the start. */
	private steps = new Promise<unknown>((resolve) => (this.begin = () => resolve(undefined)));
	private release = () => {};
	private readonly closed = new Promise<void>((resolve) => (this.release = resolve));
	/** The fingerprints of the tasks that the report has. */
	private readonly reported = new Set<string>();
	private readonly slice = new TimeSlice();
	private readonly requester: Requester;
	private readonly memory: Memory;
	private readonly report: Report;
	private readonly cancellation: AbortSignal | undefined;
	/** Whether a task has been sent, in this attempt, or in an earlier one that recorded it. */
	private hasSent: boolean;
	private limits: RunLimits | undefined;
	/** Whether the node has run in this execution before, as in a loop. */
	private readonly isLaterPass: boolean;
	/** Why nothing is sent that changes something, if this is the retry of a lost execution. */
	private readonly lost: LostExecution | undefined;

	/** @param context of the node, or of the first item to arrive */
	constructor(
		private readonly context: RunContext,
		private readonly plan: Plan,
		private readonly credentials = new CredentialLoader(),
	) {
		const { name, parameters } = context.getNode();
		// The user is watching a test in the editor.
		const isUrgent = context.getMode() === 'manual';
		this.requester = new Requester({ isUrgent, startsWithin: plan.startsWithin });
		const { $runIndex } = context.getWorkflowDataProxy(0);
		this.isLaterPass = $runIndex > 0;
		this.lost = isOfLostExecution(context) ? new LostExecution(plan.idField) : undefined;
		const [own, execution] = [contextOf(context, 'node'), contextOf(context, 'flow')];
		this.memory = new Memory(own, execution, name, $runIndex, parameters);
		this.hasSent = this.memory.recorded.length > 0;
		const number = context.getExecutionId();
		const source = number ? `${name} (execution ${number})` : name;
		this.report = new Report(context.logger, source, plan);
		this.cancellation = context.getExecutionCancelSignal();
	}

	/**
	 * Starts the run.
	 *
	 * @param total how many tasks there are, if fewer arrived than expected
	 */
	start(limits: RunLimits, total = this.plan.total): void {
		if (this.isStarted) return;
		this.isStarted = true;
		this.limits = limits;
		this.report.total = total;
		this.listen();
		this.begin();
	}

	/**
	 * Adds a task, before or after the start.
	 *
	 * @returns how it ended; if the run stopped because of it or before it, when the run has closed
	 */
	async add(task: Task): Promise<TaskEnd> {
		this.active += 1;
		if (this.isStarted && !this.isClosed) this.listen();
		const end = await this.carryOut(task).catch((error) => this.fail(task, error));
		this.active -= 1;
		if (this.active === 0) this.becomeIdle();
		if (end.kind === 'done' || (end.kind === 'failed' && !end.stoppedTheRun)) return end;
		await this.closed;
		// If the run has stopped for another reason, n8n must show that one.
		const isShown = end.kind === 'failed' && !(isOld(end.error) && this.isStopped);
		return isShown ? this.withSummary(task, end) : { kind: 'notStarted' };
	}

	private async carryOut(task: Task): Promise<TaskEnd> {
		const { requester, memory } = this;
		const changes = changesSomething(methodOf(task));
		const { fingerprint, credential, refusal } = await this.step(() => this.identify(task));
		const known = memory.outputOf(fingerprint);
		if (known) return this.succeed(fingerprint, known, false);
		let isSent = false;
		try {
			await this.step(() => accept(this.errorToReport(refusal, fingerprint)));
			await this.step(() => this.readForGuard(task, credential!));
			await this.step(() => this.keepToLimits());
			const response = await requester.request(task.context, task.request, credential!, {
				lane: this.plan.lane,
				onTurn: () => {
					this.claim(task, fingerprint);
					isSent = true;
				},
			});
			const output = task.parse(response);
			if (changes) memory.recordDone(fingerprint, output, this.plan.idField && task.name);
			return this.succeed(fingerprint, output);
		} catch (error) {
			if (isSent) this.remember(task, fingerprint, error);
			return this.fail(task, error, fingerprint);
		} finally {
			// After it is recorded: another retry may be about to send the same task.
			if (isSent) memory.giveBack(fingerprint);
		}
	}

	/** Queues a step behind all steps queued so far. */
	private step<Result>(take: () => Result | Promise<Result>): Promise<Result> {
		const taken = this.steps.then(async () => {
			if (this.slice.isOver) await this.slice.yieldToN8n();
			if (this.isStopped) throw new Stopped();
			return await take();
		});
		// At once, before the step that follows.
		this.steps = taken.catch((error) => this.stopAfter(error));
		return taken;
	}

	private async identify(task: Task): Promise<Identified> {
		let { refusal } = task;
		let credential: Credential | undefined;
		try {
			credential = await this.credentials.load(task.context, task.item);
		} catch (error) {
			refusal ??= error;
		}
		if (changesSomething(methodOf(task))) refusal ??= this.lost;
		const fingerprint = fingerprintOf([
			this.memory.accountFor(credential?.idToStore),
			task.identity,
		]);
		return { fingerprint, credential, refusal };
	}

	/** Lets the guard of a task read what it depends on. */
	private async readForGuard(task: Task, credential: Credential): Promise<void> {
		this.areAllAccepted = true;
		const { guard, context, request } = task;
		const { requester } = this;
		const hasSent = () => this.hasSent;
		await guard?.read({ requester, context, request, credential, hasSent });
	}

	private keepToLimits(): void {
		if (this.limits) this.requester.keepTo(this.limits);
		this.limits = undefined;
	}

	/** Claims a task that is about to be sent, after all tasks before it. @throws Refusal if it must not be sent */
	private claim(task: Task, fingerprint: string): void {
		if (this.memory.failureOf(fingerprint)?.isUnknown) throw this.unknownOutcome(fingerprint);
		task.guard?.check(this.hasSent);
		const changes = changesSomething(methodOf(task));
		if (changes && !this.memory.take(fingerprint)) throw new TakenElsewhere();
		this.hasSent = true;
	}

	/** Records what may have been carried out, or what the service failed to do: only the latter is sent again. */
	private remember(task: Task, fingerprint: string, error: unknown): void {
		if (!this.mayBeCarriedOut(task, error)) return;
		const failed = this.failedTask(task, error, this.explain(task, error));
		// What the service said can contain the id of a paid job.
		if (this.plan.idField !== undefined && failed.isUnknown) {
			this.report.note(`${failed.label}: ${failed.reason}`);
		}
		this.memory.recordFailed(fingerprint, failed);
	}

	private succeed(fingerprint: string, output: IDataObject[], isNew = true): TaskEnd {
		const ids = this.idsOf(fingerprint, output);
		this.reported.add(fingerprint);
		this.report.addDone(ids);
		if (this.report.done === this.report.total) this.memory.forget();
		this.report.log(isNew ? ids : []);
		return { kind: 'done', output };
	}

	private fail(task: Task, thrown: unknown, fingerprint?: string): TaskEnd {
		if (thrown instanceof Stopped) return { kind: 'notStarted' };
		const error = this.errorToReport(thrown, fingerprint);
		const isMaybe = this.mayBeCarriedOut(task, error);
		const earlier =
			isMaybe || fingerprint === undefined ? undefined : this.memory.failureOf(fingerprint);
		const explanation = this.explain(task, error, earlier);
		const failed = this.failedTask(task, error, explanation);
		this.report.addFailed(failed);
		if (fingerprint !== undefined) this.reported.add(fingerprint);
		const stoppedTheRun = !this.plan.goesOnAfter(error);
		if (stoppedTheRun && isOld(error)) this.endsLast = true;
		this.stopAfter(error);
		this.report.log();
		const mayBeCarriedOut = isMaybe || earlier !== undefined;
		return { kind: 'failed', error, explanation, failed, mayBeCarriedOut, stoppedTheRun };
	}

	/** What is refused now may still have been carried out in an earlier attempt. */
	private errorToReport(error: unknown, fingerprint: string | undefined): unknown {
		if (fingerprint === undefined || error instanceof Failure) return error;
		return this.memory.failureOf(fingerprint)?.isUnknown ? this.unknownOutcome(fingerprint) : error;
	}

	private unknownOutcome(fingerprint: string): UnknownOutcome {
		return new UnknownOutcome(this.memory.failureOf(fingerprint)!.reason);
	}

	private failedTask(task: Task, error: unknown, explanation: Explanation): FailedTask {
		const isFailed = error instanceof Failure && OUTCOMES[error.reason].verdict === 'failed';
		const isUnknown = this.mayBeCarriedOut(task, error) && !isFailed;
		return { label: task.label, reason: sentencesOf(explanation), isUnknown };
	}

	/** Whether an error says that sending the task again could pay twice. */
	private mayBeCarriedOut(task: Task, error: unknown): boolean {
		if (error instanceof Failure) return mayBeCarriedOut(error.reason, methodOf(task));
		return isOld(error) || error instanceof TakenElsewhere || error instanceof LostExecution;
	}

	/** @param earlier how the task failed in an earlier attempt, which may have carried it out all the same */
	private explain(task: Task, error: unknown, earlier?: FailedTask): Explanation {
		const explanation = explanationOf(error, {
			method: methodOf(task),
			advice: this.plan.advice,
			isTool: this.plan.isTool,
		});
		if (!earlier) return explanation;
		const { description } = explanation;
		return {
			...explanation,
			description: sentences(description, `Before that: ${earlier.reason}`),
		};
	}

	private readonly cancel = (): void => {
		this.isStopped = true;
		this.requester.cancel();
	};

	/** Starts nothing more, unless the run goes on after this error, to its end or to the other tasks. */
	private stopAfter(error: unknown): void {
		if (this.isStopped || isOld(error) || this.plan.goesOnAfter(error)) return;
		this.isStopped = true;
		this.requester.stop();
	}

	/** Not before the start: n8n drops the items added so far if it cannot build a later one. */
	private listen(): void {
		this.cancellation?.addEventListener('abort', this.cancel);
		if (this.cancellation?.aborted) this.cancel();
	}

	private becomeIdle(): void {
		// The node may be done. If n8n passes another batch later, `add` listens again.
		this.cancellation?.removeEventListener('abort', this.cancel);
		if ((this.isStopped || this.endsLast) && !this.isClosed) this.close();
	}

	private close(): void {
		this.isClosed = true;
		this.countEarlier();
		// n8n keeps nothing of a cancelled node, so the log is the only record of what it had done. A
		// later attempt of the same run has nothing to add.
		const execution = this.context.getExecutionId();
		if (this.cancellation?.aborted && this.memory.recordCancelled(execution)) {
			const { name } = this.context.getNode();
			this.context.logger.warn(`${name} was cancelled. ${this.report.summarize()}`);
		}
		this.release();
	}

	/**
	 * Adds what an earlier attempt did, may have done, or failed to do, and this one did not reach, so
	 * that the summary is true.
	 */
	private countEarlier(): void {
		for (const fingerprint of this.memory.recorded) {
			if (this.reported.has(fingerprint)) continue;
			const output = this.memory.outputOf(fingerprint);
			if (output) {
				this.report.addDone(this.idsOf(fingerprint, output));
				continue;
			}
			const failed = this.memory.failureOf(fingerprint)!;
			const reason = failed.isUnknown
				? sentencesOf(this.unknownOutcome(fingerprint))
				: `Failed in an earlier attempt. ${failed.reason}`;
			this.report.addFailed({ ...failed, reason });
		}
	}

	/** Adds what the run had done to the message of a failure that ended it. */
	private withSummary(task: Task, end: Extract<TaskEnd, { kind: 'failed' }>): TaskEnd {
		const summary = this.summarizeWithout(end.failed);
		const { error, explanation } = end;
		const description = sentences(
			explanation.description,
			task.name !== undefined && !(error instanceof RunRefusal) && `Failed at ${task.label}`,
			summary,
			changesSomething(methodOf(task)) &&
				nextStep(
					this.context,
					error,
					this.report.left(this.isLaterPass),
					error !== undefined && error === task.refusal,
				),
		);
		return { ...end, explanation: { ...explanation, description } };
	}

	private summarizeWithout(shown: FailedTask): string | undefined {
		if (this.hasSent || this.report.done > 0) return this.report.summarize(shown);
		const isRefusedAtOnce = !this.areAllAccepted && this.report.total > 1;
		return isRefusedAtOnce && !/nothing was sent/i.test(shown.reason)
			? 'Nothing was sent.'
			: undefined;
	}

	/** The ids in an output, each with what it is listed with. */
	private idsOf(fingerprint: string, output: IDataObject[]): string[] {
		const { idField } = this.plan;
		if (idField === undefined) return [];
		const name = this.memory.nameOf(fingerprint);
		const named = name === undefined ? '' : ` for "${name}"`;
		return output.map((json) => `${String(json[idField])}${named}`);
	}
}

/** Whether a task failed only because its outcome in an earlier attempt is unknown. */
function isOld(error: unknown): boolean {
	return error instanceof UnknownOutcome;
}

/** @throws the reason not to send a task */
function accept(refusal: unknown): void {
	if (refusal !== undefined) throw refusal;
}

function methodOf({ request }: Task): string {
	return request.method ?? 'GET';
}

function sentencesOf({ message, description }: { message: string; description: string }): string {
	return sentences(message, description);
}
