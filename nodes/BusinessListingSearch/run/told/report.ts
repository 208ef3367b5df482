import type { IExecuteData } from 'n8n-workflow';

import {
	explanationOf,
	sentences,
	type Explanation,
	type Told,
} from '../../../shared/errors/explain';
import { Refusal } from '../../../shared/errors/failure';
import { now } from '../../../shared/time';
import type { Ledger, PaidId } from '../done/ledger';
import { nextSteps, progressOf, toldOfItem } from './nextStep';
import { standingOf, type Standing } from './standing';
import { CONNECTION_ADVICE, PROXY_SETTINGS } from '../form/requestOptions';
import {
	isChange,
	methodOf,
	type FailedEnd,
	type FailedTask,
	type Plan,
	type RunContext,
	type Task,
} from '../task';

/** The shortest time between two lines about the progress, in milliseconds: often enough to see it go on. */
const INTERVAL = 5_000;

/**
 * The runs whose sum is logged, by the execution data, which all attempts of Retry On Fail share: n8n makes the next
 * attempt of a cancelled one as well.
 */
const summedUp = new WeakSet<IExecuteData>();

/** The most reasons, and the most items for each, that are listed: usually a run ends at the first. */
const MOST_LISTED = 50;

/** The most ids in an error that names a retry. The retry returns the rest. */
const MOST_IDS = 100;

/**
 * All that a run says: in n8n's log while it runs, because n8n shows nothing else of a node then and keeps
 * nothing of it when the process is killed, and in its errors.
 */
export class Report {
	private loggedAt = now();
	private read: Standing | undefined;

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
	noteDoubt({ label, reason }: FailedTask): void {
		if (this.plan.createsJobs) this.note(`${label}: ${reason}`);
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
		const sum = sentences(countsOf(ledger, plan), listsOf(ledger));
		this.context.logger.warn(`${this.context.getNode().name} was cancelled. ${sum}`);
	}

	/** @param earlier how the task failed in an earlier attempt, which may have carried it out all the same */
	explain(task: Task, error: unknown, earlier?: FailedTask): Explanation {
		const { isTool } = this.plan;
		const advice = { ...CONNECTION_ADVICE, ...this.plan.advice };
		const { of } = task.refused ?? {};
		const explanation = explanationOf(error, {
			method: methodOf(task),
			advice,
			proxy: PROXY_SETTINGS,
			of,
			isTool,
		});
		const before = earlier && `Before that: ${earlier.reason}`;
		return { ...explanation, description: sentences(explanation.description, before) };
	}

	/**
	 * What the user is told of a task that failed: also how what was not done is sent. If it ended the run, also what the
	 * run had done, and the lists.
	 */
	conclude(task: Task, { error, explanation, told, failed, endedRun }: FailedEnd): Told {
		const { plan, ledger, standing } = this;
		if (!endedRun) return isChange(task) ? toldOfItem(explanation, plan, standing) : told;
		const progress = progressOf(ledger, plan.total);
		const hasRest = isChange(task) || (task.isDry === true && progress.doneOrUnknown > 0);
		const isOne = progress.isSingle && !ledger.isLaterPass && task.name === undefined;
		const isOfRun = error instanceof Refusal && error.facts.of === 'run';
		const hasDone = ledger.hasSent || ledger.done > 0;
		return toldAtEnd(
			explanation,
			ledger,
			hasRest && nextSteps(explanation, plan, progress, standing),
			{
				shown: failed,
				place: !isOne && !isOfRun && `Failed at ${task.label}`,
				counts: hasDone
					? countsOf(ledger, plan, failed)
					: task.refused && !progress.isSingle && nothingSent(ledger),
			},
		);
	}

	/** Read at the first failure. */
	private get standing(): Standing {
		return (this.read ??= standingOf(this.context));
	}
}

const nothingSent = ({ isLaterPass }: Ledger) =>
	isLaterPass ? 'Nothing was sent in this iteration.' : 'Nothing was sent.';

/**
 * What is told of the failure that ended a run.
 *
 * @param steps how the rest is sent; false where there is nothing to send
 * @param more where it failed, how much was done, and the failure among those of the ledger
 */
export function toldAtEnd(
	{ description, correct, ...explanation }: Explanation,
	ledger: Ledger,
	steps: ReturnType<typeof nextSteps> | false,
	{
		shown,
		place,
		counts,
	}: { shown?: FailedTask; place?: string | false; counts?: string | false } = {},
): Told {
	const { said, namesRetry } = steps || { said: [], namesRetry: false };
	const lists = listsOf(ledger, shown, namesRetry);
	const parts = [description, !steps && correct, place, counts, ...said, lists];
	return { ...explanation, description: sentences(...parts) };
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
 * @param namesRetry whether the user is told of a retry, which returns all ids
 * @returns an empty text when there is nothing to list
 */
export function listsOf({ failed, ids }: Tally, shown?: FailedTask, namesRetry = false): string {
	const shownIds = namesRetry ? ids.slice(0, MOST_IDS) : ids;
	const more = ids.length - shownIds.length;
	return sentences(
		...reasonsOf(failed.filter((failure) => failure !== shown)),
		ids.length > 0 &&
			`Done, by job_id: ${listed(shownIds)}${more > 0 ? `, and ${more} more` : ''}.`,
		more > 0 && 'A retry returns all of them, and the log of the n8n server has each.',
	);
}

/** Why tasks failed, by reason; what may have been carried out is named in any case. */
function reasonsOf(failed: FailedTask[]): string[] {
	const byReason = new Map<string, FailedTask[]>();
	for (const each of failed) {
		const reason = each.isEarlier ? `In an earlier try: ${each.reason}` : each.reason;
		const same = byReason.get(reason);
		if (same) same.push(each);
		else byReason.set(reason, [each]);
	}
	const lines: string[] = [];
	let unnamed = 0;
	for (const [reason, all] of byReason) {
		const most = lines.length < MOST_LISTED ? MOST_LISTED : 0;
		const named = all.filter(({ doubt }, place) => doubt === 'unknown' || place < most);
		const rest = all.length - named.length;
		const labels = named.map(({ label }) => label).join(', ');
		if (named.length === 0) unnamed += rest;
		else lines.push(`${labels}${rest > 0 ? ` and ${rest} more` : ''}: ${reason}`);
	}
	return unnamed > 0 ? [...lines, `${unnamed} more failed.`] : lines;
}

function listed(ids: PaidId[]): string {
	return ids.map(({ id, name }) => (name === undefined ? id : `${id} for "${name}"`)).join(', ');
}

function count(number: number): string {
	return `${number} ${number === 1 ? 'was' : 'were'}`;
}
