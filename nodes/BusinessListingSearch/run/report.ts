import type { IExecuteData } from 'n8n-workflow';

import { explanationOf, sentences, type Explanation } from '../../shared/errors/explain';
import { Failure, Refusal, RunRefusal } from '../../shared/errors/failure';
import {
	LostExecution,
	NotSentAgain,
	OtherRetryInProgress,
	retryOf,
	UnknownOutcome,
	WITH_CHANGES,
} from '../../shared/errors/notSent';
import { changesSomething, isContentRejected } from '../../shared/errors/outcomes';
import { now } from '../../shared/time';
import type { Ledger, PaidId } from './ledger';
import { TIMED_OUT_ADVICE } from './requestOptions';
import {
	methodOf,
	type FailedEnd,
	type FailedTask,
	type Plan,
	type RunContext,
	type Task,
} from './task';

/** The shortest time between two lines about the progress, in milliseconds: often enough to see it go on. */
const INTERVAL = 5_000;

/**
 * The runs whose sum is logged, by the execution data, which all attempts of Retry On Fail share: n8n makes the next
 * attempt of a cancelled one as well.
 */
const summedUp = new WeakSet<IExecuteData>();

/** The most reasons listed one by one: usually a run ends at the first. */
const MOST_REASONS = 50;

/**
 * All that a run says: in n8n's log while it runs, because n8n shows nothing else of a node then and keeps
 * nothing of it when the process is killed, and in its errors.
 */
export class Report {
	private loggedAt = now();

	constructor(
		private readonly context: RunContext,
		private readonly plan: Plan,
		private readonly ledger: Ledger,
	) {}

	/** Logs how far the run is: at once if there is news that must not be lost, else every few seconds. */
	progress(news: PaidId[] = []): void {
		if (news.length === 0 && now() - this.loggedAt < INTERVAL) return;
		this.loggedAt = now();
		const { done, failed } = this.ledger;
		const named = news.length > 0 ? `, new: ${listed(news)}` : '';
		this.note(`${done + failed.length} of ${this.plan.total} finished${named}`);
	}

	/** Logs what may have been carried out: what the service said can contain the id of a paid job. */
	noteUnknown({ label, reason }: FailedTask): void {
		if (this.plan.idField !== undefined) this.note(`${label}: ${reason}`);
	}

	private note(text: string): void {
		const { name } = this.context.getNode();
		const execution = this.context.getExecutionId();
		const source = execution ? `${name} (execution ${execution})` : name;
		this.context.logger.info(`${source}: ${text}`);
	}

	/** Logs the sum of a cancelled run, once: n8n keeps nothing of it, so that the log is the only record. */
	noteCancelled(): void {
		const data = this.context.getExecuteData();
		// All calls of an agent's tools share its data.
		if (summedUp.has(data) && !this.plan.isTool) return;
		summedUp.add(data);
		const sum = summarize(this.ledger, this.plan);
		this.context.logger.warn(`${this.context.getNode().name} was cancelled. ${sum}`);
	}

	/** @param earlier how the task failed in an earlier attempt, which may have carried it out all the same */
	explain(task: Task, error: unknown, earlier?: FailedTask): Explanation {
		const { isTool } = this.plan;
		const advice = { ...TIMED_OUT_ADVICE, ...this.plan.advice };
		const explanation = explanationOf(error, { method: methodOf(task), advice, isTool });
		if (!earlier) return explanation;
		const before = `Before that: ${earlier.reason}`;
		return { ...explanation, description: sentences(explanation.description, before) };
	}

	/** Adds to the failure that ended a run what the run had done, and how to go on. */
	conclude(task: Task, { error, explanation, failed }: FailedEnd): Explanation {
		const description = sentences(
			explanation.description,
			task.name !== undefined && !(error instanceof RunRefusal) && `Failed at ${task.label}`,
			this.summaryBeside(failed, error),
			changesSomething(methodOf(task)) && this.nextStep(error, task),
		);
		return { ...explanation, description };
	}

	private summaryBeside(shown: FailedTask, error: unknown): string | undefined {
		const { ledger } = this;
		if (ledger.hasSent || ledger.done > 0) return summarize(ledger, this.plan, shown);
		const isOfValues =
			error instanceof Refusal && !(error instanceof RunRefusal || error instanceof NotSentAgain);
		const isNew = this.plan.total > 1 && !/nothing was sent/i.test(shown.reason);
		return isOfValues && isNew ? 'Nothing was sent.' : undefined;
	}

	/**
	 * What Retry would send, how the rest is reached where it would send nothing more, and that another run
	 * repeats what was done.
	 */
	private nextStep(error: unknown, task: Task): string | undefined {
		const { ledger, context } = this;
		if (error instanceof LostExecution) return undefined;
		const isRejected = error instanceof Failure && isContentRejected(error.reason);
		if (!ledger.isLaterPass && ledger.done + ledger.unknown === 0) {
			return isRejected
				? 'Once corrected, run the whole workflow again, earlier nodes included: Retry sends the same values.'
				: undefined;
		}
		const again = 'unning the workflow or this step again';
		if (error instanceof OtherRetryInProgress) return `R${again} repeats what was done.`;
		const which = this.executionToRetry();
		if (which === undefined) {
			return `n8n does not save this execution, so Retry is not possible. R${again} repeats what was done.`;
		}
		const isInTheWay = isRejected || (task.hasValidOptions && error === task.refusal);
		const missing = this.plan.total - ledger.done - ledger.unknown;
		if (missing > 0 && !isInTheWay && !(error instanceof UnknownOutcome)) {
			return `To send only what is missing, leave the parameters of "${context.getNode().name}" as they are (options can change), and ${retryOf(which, 'either choice')}. R${again} repeats what was done.`;
		}
		return sentences(
			isInTheWay ? 'Retry sends the same values again' : 'Retry never repeats an unknown outcome',
			`To go on with the rest, set "On Error" of this node to "Continue", save, and ${retryOf(which, WITH_CHANGES)}`,
			isInTheWay
				? `Changing the parameters of this node, or r${again}, repeats what was done`
				: `R${again} repeats what was done`,
		);
	}

	/** The execution that a person can retry, as the object of a sentence; undefined if n8n keeps none. */
	private executionToRetry(): string | undefined {
		const { context } = this;
		const execution = context.getExecutionId();
		const { saveDataErrorExecution, saveManualExecutions } = context.getWorkflowSettings();
		const isSaved =
			context.getMode() === 'manual'
				? saveManualExecutions !== false
				: saveDataErrorExecution !== 'none';
		if (!execution || !isSaved) return undefined;
		return context.getMode() === 'integrated'
			? `execution ${execution} of the workflow "${context.getWorkflow().name}" (not the one that called it)`
			: `execution ${execution}`;
	}
}

/** What failed in an earlier attempt and was not reached in this one. */
export function retell(failed: FailedTask): FailedTask {
	const reason =
		failed.doubt === 'unknown'
			? sentencesOf(new UnknownOutcome(failed.reason))
			: `Failed in an earlier attempt. ${failed.reason}`;
	return { ...failed, reason };
}

export function sentencesOf({
	message,
	description,
}: Pick<Explanation, 'message' | 'description'>): string {
	return sentences(message, description);
}

/**
 * Describes a run in sentences: how many tasks were done, with their ids, and why others failed.
 *
 * @param shown a failure whose reason the user sees anyway
 * @returns undefined when there is nothing to add to that: a single task, which failed
 */
export function summarize(
	{ done, failed, ids }: Pick<Ledger, 'done' | 'failed' | 'ids'>,
	{ what, idField, total: planned }: Pick<Plan, 'what' | 'idField' | 'total'>,
	shown?: FailedTask,
): string | undefined {
	const settled = done + failed.length;
	// An earlier attempt may have done tasks that are no longer part of the input.
	const total = Math.max(planned, settled);
	if (total === 1 && shown !== undefined) return undefined;
	const named = ids.length > 0 ? ` (${idField}: ${listed(ids)})` : '';
	const isSame = ({ reason, doubt }: FailedTask) => doubt !== 'unknown' && reason === shown?.reason;
	const same = failed.filter((failure) => failure !== shown && isSame(failure));
	const others = failed.filter((failure) => failure !== shown && !isSame(failure));
	const unknown = others.slice(MOST_REASONS).filter(({ doubt }) => doubt === 'unknown');
	return [
		`Of ${total} ${total === 1 ? what.slice(0, -1) : what}, ${count(done)} done${named}, ${failed.length} failed, ${count(total - settled)} not started.`,
		...sameReason(same),
		...others.slice(0, MOST_REASONS).map(({ label, reason }) => `${label}: ${reason}`),
		others.length > MOST_REASONS && `${others.length - MOST_REASONS} more failed.`,
		unknown.length > 0 &&
			`Of these, the following may have been carried out: ${unknown.map(({ label }) => label).join(', ')}.`,
	]
		.filter((sentence) => sentence)
		.join(' ');
}

/** Names the tasks that failed for the reason the user sees anyway. */
function sameReason(failed: FailedTask[]): string[] {
	if (failed.length === 0) return [];
	const labels = failed.slice(0, MOST_REASONS).map(({ label }) => label);
	const more = failed.length > MOST_REASONS ? ` and ${failed.length - MOST_REASONS} more` : '';
	return [`${labels.join(', ')}${more} failed for the same reason.`];
}

function listed(ids: PaidId[]): string {
	return ids.map(({ id, name }) => (name === undefined ? id : `${id} for "${name}"`)).join(', ');
}

function count(number: number): string {
	return `${number} ${number === 1 ? 'was' : 'were'}`;
}
