import type { RunOptions } from '../../shared/account/runLimit';
import { Requester, Stopped } from '../../shared/account/requester';
import {
	doubtOf,
	LostExecution,
	TakenElsewhere,
	UnknownOutcome,
} from '../../shared/errors/notSent';
import { changesSomething } from '../../shared/errors/outcomes';
import { CredentialLoader, type Credential } from '../../shared/http/credential';
import { fingerprintOf } from './fingerprint';
import { Ledger } from './ledger';
import { isOfLostExecution } from './lostExecution';
import { KeptRecord, placeOf } from './record';
import { Report, retell, sentencesOf } from './report';
import { methodOf, type Plan, type RunContext, type Task, type TaskEnd } from './task';
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
	private isStopped = false;
	/** Whether a task ends the run once all others are done: it may have been carried out in an earlier attempt. */
	private endsLast = false;
	private isClosed = false;
	/** How many tasks have not ended. */
	private active = 0;
	private resolveBegun = () => {};
	/** The latest step. The first one waits for the start. */
	private steps = new Promise<unknown>((resolve) => (this.resolveBegun = () => resolve(undefined)));
	private resolveClosed = () => {};
	private readonly closed = new Promise<void>((resolve) => (this.resolveClosed = resolve));
	private readonly slice = new TimeSlice();
	private requester!: Requester;
	private readonly ledger: Ledger;
	private readonly report: Report;
	private readonly cancellation: AbortSignal | undefined;
	private readonly isOfLostExecution: boolean;

	/** @param context of the node, or of the first item to arrive */
	constructor(
		private readonly context: RunContext,
		private readonly plan: Plan,
		private readonly credentials = new CredentialLoader(),
	) {
		this.ledger = new Ledger(new KeptRecord(placeOf(context, plan.isTool)), plan.idField);
		this.report = new Report(context, plan, this.ledger);
		this.isOfLostExecution = isOfLostExecution(context);
		this.cancellation = context.getExecutionCancelSignal();
	}

	/** @param total how many tasks there are, if fewer arrived than expected */
	start(limits: RunOptions, total = this.plan.total): void {
		if (this.isStarted) return;
		this.isStarted = true;
		// The user is watching a test in the editor.
		const isUrgent = this.context.getMode() === 'manual';
		this.requester = new Requester({ isUrgent, limits, startsWithin: this.plan.startsWithin });
		this.ledger.total = total;
		this.listen();
		this.resolveBegun();
	}

	/**
	 * Adds a task, before or after the start.
	 *
	 * @returns how it ended; if the run stopped because of it or before it, when the run has closed
	 */
	async add(task: Task): Promise<TaskEnd> {
		this.active += 1;
		if (this.isStarted && !this.isClosed) this.listen();
		const end = await this.carryOut(task);
		this.active -= 1;
		if (this.active === 0) this.becomeIdle();
		if (end.kind === 'done' || (end.kind === 'failed' && !end.stoppedTheRun)) return end;
		await this.closed;
		// If the run has stopped for another reason, n8n must show that one.
		if (end.kind !== 'failed' || (wasUnknown(end.error) && this.isStopped))
			return { kind: 'notStarted' };
		return { ...end, explanation: this.report.conclude(task, end) };
	}

	private async carryOut(task: Task): Promise<TaskEnd> {
		const { ledger, report } = this;
		const changes = changesSomething(methodOf(task));
		let fingerprint = '';
		let isSent = false;
		try {
			const identified = await this.step(() => this.identify(task));
			fingerprint = identified.fingerprint;
			const known = ledger.recall(fingerprint);
			if (known) {
				report.progress();
				return { kind: 'done', output: known };
			}
			await this.step(() => throwIfRefused(identified.refusal));
			const credential = identified.credential!;
			await this.step(() => this.readForGuards(task, credential));
			// A step of each task, so that nothing is sent before all reading is done.
			await this.step(() => {});
			const response = await this.requester.request(task.context, task.request, credential, {
				lane: this.plan.lane,
				onTurn: () => {
					this.claim(task, fingerprint);
					isSent = true;
				},
			});
			const output = task.parse(response);
			report.progress(ledger.addDone(fingerprint, output, changes, task.name));
			return { kind: 'done', output };
		} catch (error) {
			return this.fail(task, error, fingerprint, isSent);
		} finally {
			// After it is recorded: another retry may be about to send the same task.
			if (isSent) ledger.release(fingerprint);
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
		const { ledger } = this;
		let { refusal } = task;
		let credential: Credential | undefined;
		try {
			credential = await this.credentials.load(task.context, task.item);
		} catch (error) {
			refusal ??= error;
		}
		const account = ledger.rememberAccount(credential?.idToStore);
		const fingerprint = fingerprintOf([account, task.identity]);
		const isLost = this.isOfLostExecution && changesSomething(methodOf(task));
		if (isLost) refusal ??= new LostExecution(this.plan.idField);
		// What is refused now may still have been carried out in an earlier attempt.
		refusal = unknownOutcome(ledger, fingerprint) ?? refusal;
		return { fingerprint, credential, refusal };
	}

	private async readForGuards({ guards = [], context, request }: Task, credential: Credential) {
		const { requester } = this;
		const hasSent = () => this.ledger.hasSent;
		for (const guard of guards)
			await guard.read({ requester, context, request, credential, hasSent });
	}

	/** Claims a task that is about to be sent, after all tasks before it. @throws Refusal if it must not be sent */
	private claim(task: Task, fingerprint: string): void {
		const { ledger } = this;
		throwIfRefused(unknownOutcome(ledger, fingerprint));
		for (const guard of task.guards ?? []) guard.check?.(ledger.hasSent);
		if (changesSomething(methodOf(task)) && !ledger.claim(fingerprint)) throw new TakenElsewhere();
		ledger.hasSent = true;
	}

	private fail(task: Task, error: unknown, fingerprint: string, isSent: boolean): TaskEnd {
		if (error instanceof Stopped) return { kind: 'notStarted' };
		const { ledger, report } = this;
		const doubt = doubtOf(error, methodOf(task));
		const earlier = doubt ? undefined : ledger.failureOf(fingerprint);
		const explanation = report.explain(task, error, earlier);
		const reason = sentencesOf(explanation);
		const failed = { label: task.label, reason, doubt: doubt ?? earlier?.doubt };
		if (isSent && doubt === 'unknown') report.noteUnknown(failed);
		ledger.addFailed(fingerprint, failed, isSent && doubt !== undefined);
		const stoppedTheRun = !this.plan.goesOnAfter(error);
		if (stoppedTheRun && wasUnknown(error)) this.endsLast = true;
		this.stopAfter(error);
		report.progress();
		return { kind: 'failed', error, explanation, failed, stoppedTheRun };
	}

	private readonly cancel = (): void => {
		this.isStopped = true;
		this.requester.cancel();
	};

	/** Starts nothing more, unless the run goes on after this error, to its end or to the other tasks. */
	private stopAfter(error: unknown): void {
		if (this.isStopped || wasUnknown(error) || this.plan.goesOnAfter(error)) return;
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
		this.ledger.close(retell);
		// A later attempt of the same run has nothing to add.
		const isFirst =
			this.cancellation?.aborted && this.ledger.recordCancelled(this.context.getExecutionId());
		if (isFirst) this.report.noteCancelled();
		this.resolveClosed();
	}
}

/** Whether a task failed only because its outcome in an earlier attempt is unknown. */
function wasUnknown(error: unknown): boolean {
	return error instanceof UnknownOutcome;
}

function unknownOutcome(ledger: Ledger, fingerprint: string): UnknownOutcome | undefined {
	const failed = ledger.failureOf(fingerprint);
	return failed?.doubt === 'unknown' ? new UnknownOutcome(failed.reason) : undefined;
}

/** @throws the reason not to send a task */
function throwIfRefused(refusal: unknown): void {
	if (refusal !== undefined) throw refusal;
}
