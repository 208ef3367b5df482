import { Requester, Stopped } from '../../shared/pacing/requester';
import {
	doubtOf,
	LostExecution,
	OtherRetryInProgress,
	SentBefore,
	SentInEarlierPass,
} from '../../shared/errors/notSent';
import { sentences, told } from '../../shared/errors/explain';
import { Failure } from '../../shared/errors/failure';
import { OUTCOMES } from '../../shared/errors/outcomes';
import type { CredentialLoader } from '../../shared/service/credential';
import type { Ledger } from './ledger';
import { isOfLostExecution } from './lostExecution';
import { endingOf } from './ending';
import { idsOf, Report, tallyOf, type Tally } from './report';
import {
	isChange,
	methodOf,
	type FailedTask,
	type Plan,
	type RunContext,
	type Task,
	type TaskEnd,
	type TaskState,
} from './task';
import { TimeSlice } from './timeSlice';

/**
 * One run of the node. It accepts all tasks, then sends them in order, some at the same time, none of them twice. It
 * stops at the first error after which it does not go on, and when the execution is cancelled: then it starts nothing
 * more, and waits for the requests in flight.
 */
export class Run {
	/** Of all calls of `carryOut`. */
	private readonly states: TaskState[] = [];
	/** How many calls of `carryOut` have not ended. */
	private active = 0;
	/** For how many tasks `admit` has been asked. */
	private asked = 0;
	/** How many tasks are done, or failed. */
	private finished = 0;
	private isStopped = false;
	private readonly slice = new TimeSlice();
	private readonly requester: Requester;
	private readonly report: Report;
	private readonly cancellation: AbortSignal | undefined;
	private readonly isOfLostExecution: boolean;
	private readonly createsJobs: boolean;
	/** Whether a person's retry sends again what may have been carried out. */
	private readonly isRepeatable: boolean;

	/** @param context of the node, or of the first item to arrive */
	constructor(
		private readonly context: RunContext,
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
		this.report = new Report(context, plan);
		this.isOfLostExecution = isOfLostExecution(context);
		this.cancellation = context.getExecutionCancelSignal();
		this.createsJobs = plan.changes === 'jobs';
		this.isRepeatable = plan.changes === 'values';
	}

	/**
	 * Carries out tasks: all of the run, or, if it goes on after failures, those that n8n passes together.
	 *
	 * @returns how each ended; what ended the run says what the run had done
	 */
	async carryOut(tasks: Task[]): Promise<TaskEnd[]> {
		this.active += 1;
		this.listen();
		// Before anything is recalled: another retry that ends meanwhile may have done it.
		const hasTurn = this.ledger.takeTurn();
		const states: TaskState[] = [];
		for (const task of tasks) {
			await this.slice.yieldToN8n();
			states.push(this.recall(task));
		}
		this.states.push(...states);
		for (const state of states) {
			await this.slice.yieldToN8n();
			await this.step(state, () => this.accept(state, hasTurn));
		}
		this.asked += states.length;
		await this.admit(states.filter(({ end }) => !end));
		const sending: Array<Promise<void>> = [];
		for (const state of states) {
			// Sending is not awaited, so only this gives n8n a turn.
			await this.slice.yieldToN8n();
			sending.push(this.step(state, () => this.send(state)));
		}
		await Promise.all(sending);
		this.active -= 1;
		if (this.active === 0) this.becomeIdle();
		const shown = shownOf(states);
		return states.map((state) => this.conclude(state, shown));
	}

	/** What an earlier attempt has done is done, whatever has become of the rest. */
	private recall(task: Task): TaskState {
		const known = this.ledger.recall(task.identity);
		const { output, name } = known;
		if (output) this.finished += 1;
		return { task, known, ...(output && { end: { kind: 'done', output, name } }) };
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
	 * Decides that nothing is sent twice: not what is unknown, or failed in this Retry On Fail, or may have been created in
	 * an earlier pass, or was lost in a crash, or is sent by another retry.
	 *
	 * @throws the reason not to send the task
	 */
	private async accept(state: TaskState, hasTurn: boolean): Promise<undefined> {
		const { ledger, isRepeatable } = this;
		const { task, known } = state;
		// Before a refusal and a dry run: an earlier attempt may have carried the task out.
		if (known.inDoubtOfTry) throw new SentBefore(known.inDoubtOfTry, isRepeatable);
		if (known.inDoubt?.doubt === 'unknown' && !isRepeatable)
			throw new SentBefore(known.inDoubt, false);
		if (task.refused) throw task.refused.error;
		state.credential = await this.credentials.load(task.context, task.item);
		if (!isChange(task)) return;
		if (this.createsJobs && ledger.isHeld(requestOf(state))) throw new SentInEarlierPass();
		if (this.isOfLostExecution) throw new LostExecution(isRepeatable);
		if (!hasTurn) throw new OtherRetryInProgress();
	}

	/** Asks for all tasks together, before the first is sent, whether they may be. */
	private async admit(states: TaskState[]): Promise<void> {
		const { plan, requester } = this;
		if (!plan.admit || this.isStopped || states.length === 0) return;
		const refusals = await plan.admit(states, plan.total - this.asked, requester);
		for (const [index, state] of states.entries()) {
			const refusal = refusals[index];
			if (refusal) await this.step(state, () => Promise.reject(refusal));
		}
	}

	private async send({ task, credential, known }: TaskState): Promise<TaskEnd> {
		if (task.isDry) return { kind: 'checked' };
		const { ledger, createsJobs } = this;
		const lane = createsJobs ? 'jobs' : 'others';
		const response = await this.requester.request(task.context, task.request, credential!, lane);
		const output = task.parse(response);
		const name = createsJobs ? task.name : undefined;
		if (isChange(task)) ledger.addDone(known, output, name);
		this.finished += 1;
		this.report.progress(this.finished, createsJobs ? idsOf(output, name) : []);
		return { kind: 'done', output, name };
	}

	private fail(state: TaskState, error: unknown): TaskEnd {
		if (error instanceof Stopped) return { kind: 'notStarted' };
		const { task, known } = state;
		const { ledger, report, createsJobs } = this;
		const doubt = doubtOf(error, methodOf(task));
		// An error that leaves no doubt itself keeps the doubt of an earlier attempt.
		const earlier = doubt ? undefined : known.inDoubt;
		const explanation = report.explain(task, error, earlier);
		const { message, said, httpCode, whatToDo } = explanation;
		const failed: FailedTask = {
			label: task.label,
			reason: sentences(message, said, error instanceof Failure ? '' : whatToDo),
			doubt: doubt ?? earlier?.doubt,
			httpCode,
			...(explanation.wayOn === 'content' && { recurs: true }),
		};
		// A refusal repeats the doubt of an earlier attempt, which is recorded already.
		if (doubt !== undefined && error instanceof Failure) {
			report.noteDoubt(failed);
			ledger.addDoubt(known, failed, doubt === 'reportedFailed' && !createsJobs);
			if (createsJobs) ledger.holdForLaterPasses(requestOf(state));
		}
		const endedRun = !this.plan.goesOnAfter(error);
		// What is unknown only from an earlier attempt ends the run once all others are done.
		if (endedRun && !isFromEarlierTry(error)) this.stop();
		this.finished += 1;
		report.progress(this.finished);
		return { kind: 'failed', error, explanation, told: told(explanation), failed, endedRun };
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
		const done = this.states.filter(({ end }) => end?.kind === 'done');
		if (done.length === this.plan.total) this.ledger.forget();
		this.ledger.releaseTurn();
		if (this.cancellation?.aborted) this.report.noteCancelled(this.tally());
	}

	private conclude({ task, end }: TaskState, shown: TaskState | undefined): TaskEnd {
		if (end?.kind !== 'failed' || !end.endedRun) return end!;
		if (shown?.end !== end) return { kind: 'notStarted' };
		const { context, plan, ledger } = this;
		const { isLaterPass } = ledger;
		const words = endingOf({ context, plan, task, end, tally: this.tally(), isLaterPass });
		return { ...end, told: words };
	}

	private tally(): Tally {
		return tallyOf(this.states, this.plan.changes);
	}
}

/** Identifies a request in all passes of an execution. */
function requestOf({ task: { request }, credential }: TaskState): unknown {
	return [credential!.idInMemory, request.url, request.body];
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

/** Whether a task is not sent only because it may have been carried out earlier. */
function isFromEarlierTry(error: unknown): boolean {
	return error instanceof SentBefore || error instanceof SentInEarlierPass;
}
