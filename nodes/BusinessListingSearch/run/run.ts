import { Requester, Stopped } from '../../shared/pacing/requester';
import { asFailure, type Failure } from '../../shared/errors/failure';
import {
	ofLostExecution,
	otherRetryInProgress,
	sentInEarlierPass,
} from '../../shared/errors/notSent';
import { faultBehindAnswer } from '../../shared/errors/requestFailure';
import { asNodeError } from '../../shared/errors/shown';
import { CredentialLoader } from '../../shared/service/credential';
import type { ServiceResponse } from '../../shared/service/response';
import { LONGEST_MCP_CALL } from '../../shared/time/timeLimits';
import { TimeSlice } from '../../shared/time/timeSlice';
import type { Call } from '../input/call';
import { Item } from '../input/item';
import { optionsIn, readRunOptions, type RunOptions } from '../options/runOptions';
import { failedEnd, shownOf } from './failed';
import { Ledger } from './ledger';
import { isMcpCall, isOfLostExecution } from './n8n';
import { Repeats } from './repeats';
import { idsOf, RunLog, tallyOf, type PaidId } from './runLog';
import { type Done, type Plan, refusedRow, type Task, type TaskEnd, type TaskState } from './task';
import { errorOfRun } from './runError';

/** Makes tasks of the input items, in slices. */
type Read = (
	items: Item[],
	options: RunOptions,
	slice: TimeSlice,
	credentials: CredentialLoader,
) => Promise<Task[]>;

/**
 * One run of the node reads all tasks, refuses what must not be sent, and sends the rest in order, none twice. After
 * the first failure without Continue, or after Stop, it starts nothing more and waits for what is in flight.
 */
export class Run {
	private readonly states: TaskState[] = [];
	/** Counts the tasks that are done or failed, for the log. */
	private finished = 0;
	private isStopped = false;
	private readonly slice = new TimeSlice();
	private options: RunOptions = { sending: {}, connection: {} };
	private readonly requester: Requester;
	private readonly log: RunLog;
	private readonly ledger: Ledger;
	private readonly credentials: CredentialLoader;
	private readonly cancellation: AbortSignal | undefined;
	private readonly isOfLostExecution: boolean;
	private readonly createsJobs: boolean;

	constructor(
		private readonly call: Call,
		private readonly plan: Plan,
	) {
		const { context } = call;
		// The user is watching a test in the editor.
		const isUrgent = context.getMode() === 'manual';
		this.requester = new Requester(isUrgent, isMcpCall(context) ? LONGEST_MCP_CALL : undefined);
		this.credentials = new CredentialLoader(context);
		this.log = new RunLog(call, plan);
		// Made first: retries find each other by it, even if reading fails.
		this.ledger = new Ledger(call);
		this.isOfLostExecution = isOfLostExecution(context);
		this.cancellation = context.getExecutionCancelSignal();
		this.createsJobs = plan.changes === 'jobs';
	}

	/**
	 * Carries out tasks.
	 *
	 * @param write makes the output of them, each with its end
	 * @throws NodeApiError for what ended the run; it says what the run had done
	 * @throws Stopped when the execution is cancelled while it reads
	 */
	async carryOut<Output>(read: Read, write: (states: TaskState[]) => Output): Promise<Output> {
		this.listen();
		// Before the ledger is read: another retry may be adding to it.
		const hasTurn = this.ledger.takeTurn();
		try {
			const tasks = await this.read(read);
			this.requester.sending = this.options.sending;
			const { states, slice } = this;
			const repeats = new Repeats(this.ledger, this.credentials, this.plan, this.options);
			for (const task of tasks) {
				await slice.yieldToN8n();
				states.push(await repeats.stateOf(task, this.isStopped));
			}
			this.finished = states.filter(({ end }) => end).length;
			for (const state of states) {
				await slice.yieldToN8n();
				await this.step(state, () => this.refuseRepeated(state, hasTurn));
			}
			await this.admit(states.filter(({ end, first }) => !end && !first));
			const sending: Array<Promise<void>> = [];
			for (const state of states) {
				// Sending is not awaited, so only this gives n8n a turn.
				await slice.yieldToN8n();
				sending.push(this.step(state, () => this.send(state)));
			}
			await Promise.all(sending);
			// Also after a failure or a Stop: a retry sends again whatever is not recorded as done.
			for (const state of states) {
				await slice.yieldToN8n();
				state.end ??= this.endAsFirst(state);
			}
			this.throwWhatEnded();
			const output = write(states);
			// Only now: if `write` throws, a retry still finds what is done.
			if (states.every(({ end }) => end?.kind === 'done')) this.ledger.forget();
			return output;
		} finally {
			this.close();
		}
	}

	/** If an option or a field cannot be read, every input item is refused. */
	private async read(read: Read): Promise<Task[]> {
		const { call, plan, credentials } = this;
		const slice = new TimeSlice(() => {
			if (this.isStopped) throw new Stopped();
		});
		const items: Item[] = [];
		for (const input of call.inputs) {
			await slice.yieldToN8n();
			items.push(new Item(call, input));
		}
		const reading = async () => {
			this.options = await readRunOptions(items, optionsIn(plan.form), slice);
			return await read(items, this.options, slice, credentials);
		};
		return await reading().catch((error: unknown) => {
			if (error instanceof Stopped) throw error;
			const failure = asFailure(error, { wayOn: 'retry' });
			return items.map(({ index }) => refusedRow(index, failure));
		});
	}

	/** Takes the next step of a task, unless the task has ended. */
	private async step(state: TaskState, take: () => Promise<TaskEnd | undefined>): Promise<void> {
		if (state.end || state.first) return;
		try {
			if (this.isStopped) throw new Stopped();
			state.end = await take();
		} catch (error) {
			state.end = this.fail(state, error);
		}
	}

	/**
	 * Refuses an invalid task, and one that could be sent twice: an earlier try or pass may have carried it out, a crash
	 * lost what became of it, or another retry is sending it.
	 *
	 * @throws the reason not to send the task
	 */
	private async refuseRepeated(
		{ refused, asked }: TaskState,
		hasTurn: boolean,
	): Promise<undefined> {
		if (refused) throw refused;
		if (!this.plan.changes || this.options.dryRun) return;
		if (this.createsJobs && this.ledger.isHeld(asked!)) throw sentInEarlierPass();
		if (this.isOfLostExecution) throw ofLostExecution();
		if (!hasTurn) throw otherRetryInProgress();
	}

	/** Asks once, before the first is sent, whether the tasks may be sent. */
	private async admit(states: TaskState[]): Promise<void> {
		const { plan, options, requester, call } = this;
		if (!plan.admit || this.isStopped || states.length === 0) return;
		const asking = plan.admit(states, this.states.length, options, requester, call.context);
		const refusals = await asking.catch((error: unknown) => states.map(() => asFailure(error)));
		for (const [index, state] of states.entries()) {
			await this.slice.yieldToN8n();
			const refusal = refusals[index];
			if (refusal) state.end = this.isStopped ? { kind: 'notStarted' } : this.fail(state, refusal);
		}
	}

	private async send(state: TaskState): Promise<TaskEnd> {
		const { task, credential } = state;
		const { requester, call, createsJobs, options } = this;
		if (options.dryRun) return { kind: 'checked' };
		const lane = createsJobs ? 'jobs' : 'others';
		try {
			const response = await requester.request(call.context, task.request, credential!, lane);
			if (state.isAwaited) state.response = response;
			return this.done(state, response);
		} catch (error) {
			throw error instanceof Stopped ? error : faultBehindAnswer(error, task.request.method);
		}
	}

	/** Reads the response of a task, and records it. */
	private done({ task, key, first }: TaskState, response: ServiceResponse): TaskEnd {
		const done: Done = { output: task.parse(response), sentBy: first?.key ?? key };
		if (this.createsJobs) done.name = task.name;
		if (this.plan.changes) this.ledger.addDone(key, done);
		this.finished += 1;
		this.progress(this.createsJobs && !first ? idsOf(done.output, done.name) : []);
		return { kind: 'done', ...done };
	}

	/** Ends a task in the same way as the first one that asks for the same. */
	private endAsFirst(state: TaskState): TaskEnd {
		const { end, response } = state.first!;
		try {
			if (end?.kind === 'done') return this.done(state, response!);
		} catch (error) {
			// This failure belongs to this task alone.
			state.first = undefined;
			return this.fail(state, faultBehindAnswer(error, state.task.request.method));
		}
		return end?.kind === 'failed' ? this.fail(state, end.failure) : { kind: 'notStarted' };
	}

	private fail(state: TaskState, error: unknown): TaskEnd {
		if (error instanceof Stopped) return { kind: 'notStarted' };
		const { key, first, asked } = state;
		const failure = asFailure(error);
		const end = failedEnd(state, failure, this.call, this.plan);
		const { reason, doubt, isFromEarlier } = failure.facts;
		// Without a reason, this attempt has sent nothing: nothing new is in doubt.
		if (doubt && reason) {
			if (!first) this.log.noteDoubt(end.failed);
			this.ledger.addDoubt(key, end.failed, asked!, first?.key ?? key);
		}
		if (failure.cause) this.noteFault(failure, state);
		// A doubt from an earlier attempt does not stop the run: the others are sent first.
		if (end.endedRun && !isFromEarlier) this.stop();
		this.finished += 1;
		this.progress();
		return end;
	}

	/** Removes the API key: a fault can quote it from a row. */
	private noteFault(failure: Failure, { credential }: TaskState): void {
		const text = JSON.stringify(failure.cause);
		failure.cause = JSON.parse(credential?.secret.removeFrom(text) ?? text);
		this.log.noteFault(failure);
	}

	private progress(news?: PaidId[]): void {
		this.log.progress(this.finished, this.states.length, news);
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

	private close(): void {
		const { states, ledger, cancellation } = this;
		cancellation?.removeEventListener('abort', this.cancel);
		ledger.releaseTurn();
		if (!cancellation?.aborted) return;
		if (states.length > 0) this.log.noteCancelled(tallyOf(states, this.plan.changes));
		else this.log.noteCancelledEarly();
	}

	private throwWhatEnded(): void {
		const state = shownOf(this.states);
		const { task, end } = state ?? {};
		if (!task || end?.kind !== 'failed') return;
		const { call, plan, options } = this;
		const tally = tallyOf(this.states, plan.changes);
		const isDry = options.dryRun === true;
		throw asNodeError(call.node, errorOfRun({ call, plan, isDry, task, end, tally }), task.item);
	}
}
