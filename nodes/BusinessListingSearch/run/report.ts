import type { IDataObject, IExecuteData } from 'n8n-workflow';

import { explanationOf, type Explanation } from '../../shared/errors/explain';
import { sentences } from '../../shared/errors/failure';
import { MAYBE } from '../../shared/errors/outcomes';
import { now } from '../../shared/time/clock';
import type { Call } from '../form/call';
import {
	methodOf,
	type Changes,
	type DoneEnd,
	type FailedTask,
	type Plan,
	type Task,
	type TaskState,
} from './task';

/** The shortest time between two lines about the progress, in milliseconds: often enough to see it go on. */
const INTERVAL = 5_000;

/**
 * The runs whose sum is logged, by the execution data, which all attempts of Retry On Fail share: n8n makes the next
 * attempt of a cancelled one as well.
 */
const summedUp = new WeakSet<IExecuteData>();

/** The id of a paid job, and the keyword that it is listed with. */
export interface PaidId extends IDataObject {
	job_id: string;
	keyword?: string;
}

/** The ids in the output of a job. */
export function idsOf(output: IDataObject[], keyword?: string): PaidId[] {
	return output.map(({ job_id: id }) => ({ job_id: String(id), ...(keyword && { keyword }) }));
}

/** What the tasks of a run have become, in this attempt and earlier ones. */
export interface Tally {
	done: number;
	failed: FailedTask[];
	/** The ids of the jobs, in the order of the input. */
	ids: PaidId[];
}

/** The tally of a run that knows all its tasks. */
export interface FullTally extends Tally {
	total: number;
}

export function tallyOfTasks(states: TaskState[], changes: Changes | undefined): FullTally {
	const counted = states.filter(({ task }) => !task.isRow);
	const ends = counted.map(({ end }) => end);
	const done = ends.flatMap((end) => (end?.kind === 'done' ? [end] : []));
	const failed = counted.flatMap(({ end, known }) => {
		if (end?.kind === 'failed') return [end.failed];
		// An earlier attempt has sent it, and this one has not reached it.
		return end?.kind !== 'done' && known.inDoubt ? [known.inDoubt] : [];
	});
	return { total: counted.length, ...tallyOf({ done, failed }, changes) };
}

/** @param ends of the tasks that have ended */
export function tallyOf(
	{ done, failed }: { done: DoneEnd[]; failed: FailedTask[] },
	changes: Changes | undefined,
): Tally {
	const ids = changes === 'jobs' ? done.flatMap(({ output, name }) => idsOf(output, name)) : [];
	return { done: done.length, failed, ids };
}

/**
 * What a run says in n8n's log while it runs, because n8n shows nothing else of a node then and keeps nothing of it when
 * the process is killed, and how it explains its failures.
 */
export class Report {
	private loggedAt = now();

	constructor(
		private readonly call: Call,
		private readonly plan: Plan,
	) {}

	/** Logs how far the run is: at once if there is news that must not be lost, else every few seconds. */
	progress(finished: number, total: number, news: PaidId[] = []): void {
		if (news.length === 0 && now() - this.loggedAt < INTERVAL) return;
		this.loggedAt = now();
		const named = news.length > 0 ? `, new: ${listed(news)}` : '';
		this.note(`${finished} of ${total} finished${named}`);
	}

	/** Logs what may have been carried out: what the service said can contain the id of a paid job. */
	noteDoubt({ label, reason }: FailedTask): void {
		if (this.plan.changes === 'jobs') this.note(`${label}: ${reason} It ${MAYBE}.`);
	}

	private note(text: string): void {
		this.call.context.logger.info(`${this.source}: ${text}`);
	}

	/** The node, and the execution that people look for. */
	private get source(): string {
		const { node, context } = this.call;
		const { name } = node;
		const execution = context.getExecutionId();
		return execution ? `${name} (execution ${execution})` : name;
	}

	/**
	 * Logs the sum of a cancelled run, once: n8n keeps nothing of it, so that the log is the only record. A run that was
	 * cancelled before it had read its input has no total.
	 */
	noteCancelled({ total, done, failed, ids }: Partial<FullTally> & Tally): void {
		const { nouns } = this.plan;
		const { context, isTool } = this.call;
		const data = context.getExecuteData();
		// All calls of an agent's tools share its data.
		if (summedUp.has(data) && !isTool) return;
		summedUp.add(data);
		const unclear = failed.filter(({ doubt }) => doubt).length;
		const inDoubt = unclear > 0 ? `${unclear} ${MAYBE}, ` : '';
		const known = total !== undefined;
		const of = known ? `Of ${total} ${total === 1 ? nouns.one : nouns.many}, ` : '';
		const left = known ? count(total - done - failed.length) : 'the others were';
		const sum = sentences(
			`${of}${count(done)} done, ${failed.length - unclear} failed, ${inDoubt}${left} not started.`,
			...reasonsOf(failed),
			ids.length > 0 && `Done, by job_id: ${listed(ids)}.`,
		);
		this.call.context.logger.warn(`${this.source} was cancelled. ${sum}`);
	}

	/** @param earlier how the task failed in an earlier attempt, which may have carried it out all the same */
	explain(task: Task, error: unknown, earlier?: FailedTask): Explanation {
		const { changes } = this.plan;
		const explanation = explanationOf(error, {
			method: methodOf(task),
			isRepeatable: changes === 'values',
			advice: this.plan.advice,
			of: task.refused?.of,
		});
		const before = earlier && `Before that: ${earlier.reason} It ${MAYBE}.`;
		return { ...explanation, whatToDo: sentences(explanation.whatToDo, before) };
	}
}

/** The most items that are named for a reason, beside those that may have been carried out. */
const MOST_NAMED = 50;

/** Why tasks failed, by reason. */
export function reasonsOf(failed: FailedTask[]): string[] {
	const byReason = new Map<string, FailedTask[]>();
	for (const each of failed) {
		const { reason, doubt } = each;
		const why = doubt && !reason.includes(MAYBE) ? `${reason} It ${MAYBE}.` : reason;
		const same = byReason.get(why) ?? [];
		same.push(each);
		byReason.set(why, same);
	}
	return [...byReason].map(([why, all]) => {
		const named = all.filter(({ doubt }, index) => doubt ?? index < MOST_NAMED);
		const rest = all.length - named.length;
		const labels = named.map(({ label }) => label).join(', ');
		return `${labels}${rest > 0 ? ` and ${rest} more` : ''}: ${why}`;
	});
}

function listed(ids: PaidId[]): string {
	return ids
		.map(({ job_id: id, keyword }) => (keyword === undefined ? id : `${id} for "${keyword}"`))
		.join(', ');
}

function count(number: number): string {
	return `${number} ${number === 1 ? 'was' : 'were'}`;
}
