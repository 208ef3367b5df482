import { Requester, Stopped } from '../../shared/account/requester';
import {
	doubtOf,
	FailedInEarlierTry,
	LostExecution,
	OtherRetryInProgress,
	UnknownOutcome,
} from '../../shared/errors/notSent';
import { sentences, told } from '../../shared/errors/explain';
import { Failure } from '../../shared/errors/failure';
import { OUTCOMES } from '../../shared/errors/outcomes';
import type { CredentialLoader, Credential } from '../../shared/http/credential';
import type { Known, Ledger } from './done/ledger';
import { isOfLostExecution } from './done/lostExecution';
import { Report } from './told/report';
import {
	isChange,
	methodOf,
	type FailedTask,
	type Plan,
	type RunContext,
	type Task,
	type TaskEnd,
} from './task';
import { TimeSlice } from './timeSlice';

/** A task on its way through the run. */
interface TaskState {
	readonly task: Task;
	/** Both are set when the task is accepted. */
	credential?: Credential;
	known?: Known;
	end?: TaskEnd;
}

/**
 * One run of the node. It accepts all tasks, then sends them in order, some at the same time, none of them twice. It
 * stops at the first error after which it does not go on, and when the execution is cancelled: then it starts nothing
 * more, and waits for the requests in flight.
 */
export class Run {
	/** How many calls of `carryOut` have not ended. */
	private active = 0;
	private isStopped = false;
	private readonly slice = new TimeSlice();
	private readonly requester: Requester;
	private readonly report: Report;
	private readonly cancellation: AbortSignal | undefined;
	private readonly isOfLostExecution: boolean;

	/** @param context of the node, or of the first item to arrive */
	constructor(
		context: RunContext,
		private readonly plan: Plan,
		private readonly credentials: CredentialLoader,
		private readonly ledger: Ledger,
	) {
		this.requester = new Requester({
			// The user is watching a test in the editor.
			isUrgent: context.getMode() === 'manual',
			limits: plan.limits,
			startsWithin: plan.startsWithin,
		});
		this.report = new Report(context, plan, ledger);
		this.isOfLostExecution = isOfLostExecution(context);
		this.cancellation = context.getExecutionCancelSignal();
	}

	/**
	 * Carries out tasks: all of the run, or, if it goes on after failures, those that n8n passes together.
	 *
	 * @returns how each ended; what ended the run says what the run had done
	 */
	async carryOut(tasks: Task[]): Promise<TaskEnd[]> {
		this.active += 1;
		this.listen();
		const states = tasks.map((task): TaskState => ({ task }));
		for (const state of states) {
			await this.slice.yieldToN8n();
			await this.step(state, () => this.accept(state));
		}
		const guarded = states.filter(({ task }) => task.guard);
		await Promise.all(guarded.map((state) => this.step(state, () => this.readGuard(state))));
		const sending: Array<Promise<void>> = [];
		for (const state of states) {
			// Sending is not awaited, so only this gives n8n a turn.
			await this.slice.yieldToN8n();
			await this.step(state, () => this.askGuard(state, sending));
			sending.push(this.step(state, () => this.send(state)));
		}
		await Promise.all(sending);
		this.active -= 1;
		if (this.active === 0) this.becomeIdle();
		const shown = shownOf(states);
		return states.map((state) => this.conclude(state, shown));
	}

	/** Takes the next step of a task, unless the task has ended. */
	private async step(state: TaskState, take: () => Promise<TaskEnd | undefined>): Promise<void> {
		if (state.end) return;
		try {
			if (this.isStopped) throw new Stopped();
			state.end = await take();
		} catch (error) {
			state.end = this.fail(state, error);
		}
	}

	/**
	 * Decides that nothing is sent twice: not what is done, or unknown, or failed in this Retry On Fail, or was lost in a
	 * crash, or is sent by another retry.
	 *
	 * @throws the reason not to send the task
	 */
	private async accept(state: TaskState): Promise<TaskEnd | undefined> {
		const { ledger, plan } = this;
		const { task } = state;
		const loading = this.credentials.load(task.context, task.item);
		state.credential = await loading.catch(() => undefined);
		const known = ledger.recall(task.identity, state.credential?.idToStore);
		state.known = known;
		if (known.output) return { kind: 'done', output: known.output };
		// Before a refusal and a dry run: an earlier attempt may have carried the task out.
		if (known.failed?.doubt === 'unknown') throw new UnknownOutcome(known.failed.reason);
		const { failedInTry } = known;
		if (failedInTry) throw new FailedInEarlierTry(failedInTry.reason, failedInTry.httpCode);
		if (task.refused) throw task.refused.error;
		await loading;
		if (!isChange(task)) return undefined;
		if (this.isOfLostExecution) throw new LostExecution(plan.createsJobs);
		if (!ledger.takeTurn()) throw new OtherRetryInProgress();
		return undefined;
	}

	private async readGuard({ task, credential }: TaskState): Promise<undefined> {
		await task.guard!.read({ requester: this.requester, task, credential: credential! });
	}

	/**
	 * Asks whether a task may be sent. If a refusal ends the run, the tasks before it are carried out first.
	 *
	 * @param before ends with the tasks before it
	 */
	private async askGuard(
		{ task }: TaskState,
		before: Array<Promise<void>>,
	): Promise<TaskEnd | undefined> {
		try {
			await task.guard?.check();
		} catch (refusal) {
			if (!this.plan.goesOnAfter(refusal)) await Promise.all(before);
			throw this.isStopped ? new Stopped() : refusal;
		}
		return task.isDry ? { kind: 'checked' } : undefined;
	}

	private async send({ task, credential, known }: TaskState): Promise<TaskEnd> {
		const { ledger, report } = this;
		const lane = this.plan.createsJobs ? 'jobs' : 'others';
		ledger.hasSent = true;
		const response = await this.requester.request(task.context, task.request, credential!, lane);
		const output = task.parse(response);
		report.progress(ledger.addDone(known!.key, output, isChange(task), task.name));
		return { kind: 'done', output };
	}

	private fail({ task, known }: TaskState, error: unknown): TaskEnd {
		if (error instanceof Stopped) return { kind: 'notStarted' };
		const { ledger, report } = this;
		const doubt = doubtOf(error, methodOf(task));
		// An error that leaves no doubt itself keeps the doubt of an earlier attempt.
		const earlier = doubt ? undefined : known!.failed;
		const explanation = report.explain(task, error, earlier);
		const words = told(explanation);
		const failed: FailedTask = {
			label: task.label,
			reason: sentences(words.message, words.description),
			doubt: doubt ?? earlier?.doubt,
			httpCode: words.httpCode,
		};
		// A refusal repeats the doubt of an earlier attempt, which is recorded already.
		const isOfThisAttempt = doubt !== undefined && error instanceof Failure;
		if (isOfThisAttempt) report.noteDoubt(failed);
		ledger.addFailed(known!.key, failed, isOfThisAttempt);
		const endedRun = !this.plan.goesOnAfter(error);
		// What is unknown only from an earlier attempt ends the run once all others are done.
		if (endedRun && !isFromEarlierTry(error)) this.stop();
		report.progress();
		return { kind: 'failed', error, explanation, told: words, failed, endedRun };
	}

	/** Starts nothing more, and lets what is in flight finish. */
	private stop(): void {
		this.isStopped = true;
		this.requester.stop();
	}

	private readonly cancel = (): void => {
		this.isStopped = true;
		this.requester.cancel();
	};

	private listen(): void {
		this.cancellation?.addEventListener('abort', this.cancel);
		if (this.cancellation?.aborted) this.cancel();
	}

	/** The node may be done, unless n8n passes another batch. */
	private becomeIdle(): void {
		this.cancellation?.removeEventListener('abort', this.cancel);
		const { ledger } = this;
		if (ledger.done === this.plan.total) ledger.drop();
		else if (this.isStopped) ledger.addUnreached();
		ledger.leaveTurn();
		if (this.cancellation?.aborted) this.report.noteCancelled();
	}

	private conclude({ task, end }: TaskState, shown: TaskState | undefined): TaskEnd {
		if (end?.kind !== 'failed') return end!;
		if (end.endedRun && shown?.end !== end) return { kind: 'notStarted' };
		return { ...end, told: this.report.conclude(task, end) };
	}
}

/**
 * Of what ended the run, n8n shows one: first what concerns the account, because a retry meets it again at every
 * item, and last what is not sent because of an earlier attempt.
 */
function shownOf(states: TaskState[]): TaskState | undefined {
	const stopped = states.filter(({ end }) => end?.kind === 'failed' && end.endedRun);
	const find = (test: (error: unknown) => boolean) =>
		stopped.find(({ end }) => end?.kind === 'failed' && test(end.error));
	return (
		find((error) => error instanceof Failure && OUTCOMES[error.reason].isOfAccount === true) ??
		find((error) => !isFromEarlierTry(error)) ??
		stopped[0]
	);
}

/** Whether a task is not sent only because it failed, or may have been carried out, in an earlier attempt. */
function isFromEarlierTry(error: unknown): boolean {
	return error instanceof UnknownOutcome;
}
