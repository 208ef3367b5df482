import type { IDataObject } from 'n8n-workflow';

import { sentences, type Failure } from '../../shared/errors/failure';
import { MAYBE } from '../../shared/errors/outcomes';
import { now } from '../../shared/time/clock';
import type { Call } from '../input/call';
import { type Changes, type FailedTask, type Plan, type TaskState } from './task';

/** The shortest time between two lines about the progress, in milliseconds: often enough to see it go on. */
const INTERVAL = 5_000;

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
	total: number;
	done: number;
	failed: FailedTask[];
	/** The ids of the jobs, in the order of the input. */
	ids: PaidId[];
}

export function tallyOf(states: TaskState[], changes: Changes | undefined): Tally {
	// Of tasks that ask for the same, the first counts. Another one counts, too, until it is done, if another request left
	// it in doubt.
	const counted = states.filter(({ task, end, first, inDoubt }) => {
		const isOwn = inDoubt && inDoubt.sentBy !== first?.inDoubt?.sentBy;
		return !task.isRow && (!first || (isOwn && end?.kind !== 'done'));
	});
	const ends = counted.map(({ end }) => end);
	const done = ends.flatMap((end) => (end?.kind === 'done' ? [end] : []));
	const failed = counted.flatMap(({ end, inDoubt }) => {
		if (end?.kind === 'failed') return [end.failed];
		// An earlier attempt has sent it, and this one has not reached it.
		return end?.kind !== 'done' && inDoubt ? [inDoubt] : [];
	});
	const ids = changes === 'jobs' ? done.flatMap(({ output, name }) => idsOf(output, name)) : [];
	return { total: counted.length, done: done.length, failed, ids };
}

/** n8n shows nothing of a running node and keeps nothing when it is killed, so the run logs it. */
export class RunLog {
	private loggedAt = now();
	private hasFault = false;

	constructor(
		private readonly call: Call,
		private readonly plan: Plan,
	) {}

	/** Logs ids at once: a killed n8n has them nowhere else. Without an id it logs every few seconds. */
	progress(finished: number, total: number, news: PaidId[] = []): void {
		if (news.length === 0 && now() - this.loggedAt < INTERVAL) return;
		this.loggedAt = now();
		const named = news.length > 0 ? `, new: ${listed(news)}` : '';
		this.note(`${finished} of ${total} finished${named}`);
	}

	/** Logs the first fault of this package. */
	noteFault({ message, description, cause }: Failure): void {
		if (this.hasFault) return;
		this.hasFault = true;
		const { stack } = cause as Error;
		this.call.context.logger.error(`${this.source}: ${sentences(message, description)} ${stack}`);
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

	/** Logs the sum of a cancelled run: n8n keeps nothing of it, so that the log is the only record. */
	noteCancelled({ total, done, failed, ids }: Tally): void {
		const unclear = failed.filter(({ doubt }) => doubt).length;
		const inDoubt = unclear > 0 ? `${unclear} ${MAYBE}, ` : '';
		const left = total - done - failed.length;
		const sum = sentences(
			`Of ${total} ${this.plan.noun}: ${done} done, ${failed.length - unclear} failed, ${inDoubt}${left} not started.`,
			...reasonsOf(failed),
			ids.length > 0 && `Done, by job_id: ${listed(ids)}.`,
		);
		this.warn(`was cancelled. ${sum}`);
	}

	/** Logs that a run was cancelled before it knew what it had to send. */
	noteCancelledEarly(): void {
		this.warn('was cancelled while it read its input. This try sent nothing.');
	}

	private warn(text: string): void {
		this.call.context.logger.warn(`${this.source} ${text}`);
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
