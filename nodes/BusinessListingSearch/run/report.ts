import type { IExecuteData } from 'n8n-workflow';

import { adviceIn, explanationOf, sentences, type Explanation } from '../../shared/errors/explain';
import { Refusal, RunRefusal } from '../../shared/errors/failure';
import { NotSentAgain, UnknownOutcome } from '../../shared/errors/notSent';
import { changesSomething } from '../../shared/errors/outcomes';
import { now } from '../../shared/time';
import type { Ledger, PaidId } from './ledger';
import { LEAVE_OUT, restOf } from './nextStep';
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
		const { ledger, plan } = this;
		const sum = sentences(countsOf(ledger, plan), listsOf(ledger, plan));
		this.context.logger.warn(`${this.context.getNode().name} was cancelled. ${sum}`);
	}

	/** @param earlier how the task failed in an earlier attempt, which may have carried it out all the same */
	explain(task: Task, error: unknown, earlier?: FailedTask): Explanation {
		const { isTool } = this.plan;
		const advice = { ...TIMED_OUT_ADVICE, ...this.plan.advice };
		const { next } = task;
		const explanation = explanationOf(error, { method: methodOf(task), advice, next, isTool });
		if (!earlier) return explanation;
		const before = `Before that: ${earlier.reason}`;
		return { ...explanation, description: sentences(explanation.description, before) };
	}

	/** Adds to the failure that ended a run what the run had done, how the rest is sent, and the lists. */
	conclude(task: Task, { error, explanation, failed }: FailedEnd): Explanation {
		const { context, plan, ledger } = this;
		const { description, correct, next } = explanation;
		// A dry run has nothing to send.
		const isChange =
			changesSomething(methodOf(task)) && (!task.dryOutput || ledger.done + ledger.unknown > 0);
		const rest = isChange ? restOf(explanation, context, plan, ledger) : undefined;
		// A retry has the same input.
		const isRejected = isChange && next === 'continue' && ledger.hasSent;
		const isOne = plan.total === 1 && !ledger.isLaterPass && task.name === undefined;
		const again =
			isRejected &&
			sentences('Then run the whole workflow again, earlier nodes included.', !isOne && LEAVE_OUT);
		const isOfItem = !isOne && !(error instanceof RunRefusal);
		const [counts, lists] = this.talliedBeside(failed, error);
		const parts = [
			...[description, !rest && correct, isOfItem && `Failed at ${task.label}`, counts],
			...[...(rest ?? [again]), lists],
		];
		return { ...explanation, description: sentences(...parts), correct: undefined };
	}

	/** How many tasks were done, and what they were; nothing if that is said already. */
	private talliedBeside(shown: FailedTask, error: unknown): Array<string | undefined> {
		const { ledger, plan } = this;
		if (ledger.hasSent || ledger.done > 0) {
			return [countsOf(ledger, plan, shown), listsOf(ledger, plan, shown)];
		}
		const isOfValues =
			error instanceof Refusal && !(error instanceof RunRefusal || error instanceof NotSentAgain);
		const isNew = plan.total > 1 && !/nothing was sent/i.test(shown.reason);
		return [isOfValues && isNew ? 'Nothing was sent.' : undefined];
	}
}

/** What failed in an earlier attempt and was not reached in this one. */
export function retell(failed: FailedTask): FailedTask {
	const reason =
		failed.doubt === 'unknown'
			? sentencesOf(new UnknownOutcome(failed.reason))
			: `Failed in an earlier try. ${failed.reason}`;
	return { ...failed, reason };
}

export function sentencesOf(explanation: Pick<Explanation, 'message' | 'description' | 'correct'>) {
	return sentences(explanation.message, adviceIn(explanation));
}

type Tally = Pick<Ledger, 'done' | 'failed' | 'ids'>;

/**
 * How many tasks were done, failed and did not start, as a sentence.
 *
 * @param shown a failure whose reason the user sees anyway
 * @returns undefined when there is nothing to add to that: a single task, which failed
 */
export function countsOf(
	{ done, failed }: Tally,
	{ what, total: planned }: Pick<Plan, 'what' | 'total'>,
	shown?: FailedTask,
): string | undefined {
	const settled = done + failed.length;
	// An earlier attempt may have done tasks that are no longer part of the input.
	const total = Math.max(planned, settled);
	if (total === 1 && shown !== undefined) return undefined;
	const noun = total === 1 ? what.slice(0, -1) : what;
	return `Of ${total} ${noun}, ${count(done)} done, ${failed.length} failed, ${count(total - settled)} not started.`;
}

/**
 * Lists why tasks failed, then the ids of those that were done, in sentences.
 *
 * @param shown a failure whose reason the user sees anyway
 * @returns undefined when there is nothing to list
 */
export function listsOf(
	{ failed, ids }: Tally,
	{ idField }: Pick<Plan, 'idField'> = {},
	shown?: FailedTask,
): string | undefined {
	const isSame = ({ reason, doubt }: FailedTask) => doubt !== 'unknown' && reason === shown?.reason;
	const same = failed.filter((failure) => failure !== shown && isSame(failure));
	const others = failed.filter((failure) => failure !== shown && !isSame(failure));
	const unknown = others.slice(MOST_REASONS).filter(({ doubt }) => doubt === 'unknown');
	return sentences(
		...sameReason(same),
		...others.slice(0, MOST_REASONS).map(({ label, reason }) => `${label}: ${reason}`),
		others.length > MOST_REASONS && `${others.length - MOST_REASONS} more failed.`,
		unknown.length > 0 &&
			`Of these, the following may have been carried out: ${unknown.map(({ label }) => label).join(', ')}.`,
		ids.length > 0 && `Done, by ${idField}: ${listed(ids)}.`,
	);
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
