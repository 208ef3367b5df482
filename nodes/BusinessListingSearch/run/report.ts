import type { Logger } from 'n8n-workflow';

import { now } from '../../shared/time';
import type { Left } from './nextStep';
import type { FailedTask, Plan } from './task';

/** The shortest time between two lines about the progress, in milliseconds: often enough to see it go on. */
const INTERVAL = 5_000;

/** The most reasons listed one by one: usually a run ends at the first. */
const MOST_REASONS = 50;

/**
 * What a run has done: in n8n's log while it runs, because n8n shows nothing else of a node then and keeps
 * nothing of it when the process is killed, and as a summary at its end.
 */
export class Report {
	/** How many tasks there are. */
	total: number;
	done = 0;
	/** What must not be lost: the ids of paid jobs, each with its keyword. */
	private readonly ids: string[] = [];
	private readonly failed: FailedTask[] = [];
	private loggedAt = now();

	/** @param name of the node, and its execution */
	constructor(
		private readonly logger: Logger,
		private readonly name: string,
		private readonly plan: Pick<Plan, 'total' | 'what' | 'idField'>,
	) {
		this.total = plan.total;
	}

	/** @param isLaterPass whether passes before this one have done something */
	left(isLaterPass: boolean): Left {
		const settled = this.done + this.failed.filter(({ isUnknown }) => isUnknown).length;
		return { isRepeated: isLaterPass || settled > 0, isMissing: settled < this.total };
	}

	/** How many tasks are done or have failed. */
	get settled(): number {
		return this.done + this.failed.length;
	}

	/**
	 * Counts a task that is done.
	 *
	 * @param ids what must not be lost of it
	 */
	addDone(ids: string[]): void {
		this.done += 1;
		this.ids.push(...ids);
	}

	/** Counts a task that failed. */
	addFailed(task: FailedTask): void {
		this.failed.push(task);
	}

	/** Logs a sentence. */
	note(text: string): void {
		this.logger.info(`${this.name}: ${text}`);
	}

	/** Logs how far the run is: at once if there is news that must not be lost, else every few seconds. */
	log(news: string[] = []): void {
		if (news.length === 0 && now() - this.loggedAt < INTERVAL) return;
		this.loggedAt = now();
		const named = news.length > 0 ? `, new: ${news.join(', ')}` : '';
		this.note(`${this.settled} of ${this.total} finished${named}`);
	}

	/**
	 * Describes the run in sentences: a summary, and why tasks failed.
	 *
	 * @param shown a failure whose reason the user sees anyway
	 * @returns undefined when there is nothing to add to that: a single task, which failed
	 */
	summarize(shown?: FailedTask): string | undefined {
		const { done, failed, ids } = this;
		const { what, idField } = this.plan;
		// An earlier attempt may have done tasks that are no longer part of the input.
		const total = Math.max(this.total, this.settled);
		if (total === 1 && shown !== undefined) return undefined;
		const named = ids.length > 0 ? ` (${idField}: ${ids.join(', ')})` : '';
		const isSame = ({ reason, isUnknown }: FailedTask) => !isUnknown && reason === shown?.reason;
		const same = failed.filter((failure) => failure !== shown && isSame(failure));
		const others = failed.filter((failure) => failure !== shown && !isSame(failure));
		const unknown = others.slice(MOST_REASONS).filter(({ isUnknown }) => isUnknown);
		const sentences = [
			`Of ${total} ${total === 1 ? what.slice(0, -1) : what}, ${count(done)} done${named}, ${failed.length} failed, ${count(total - this.settled)} not started.`,
			...sameReason(same),
			...others.slice(0, MOST_REASONS).map(({ label, reason }) => `${label}: ${reason}`),
		];
		if (others.length > MOST_REASONS) {
			sentences.push(`${others.length - MOST_REASONS} more failed.`);
		}
		if (unknown.length > 0) {
			const labels = unknown.map(({ label }) => label).join(', ');
			sentences.push(`Of these, the following may have been carried out: ${labels}.`);
		}
		return sentences.join(' ');
	}
}

/** Names the tasks that failed for the reason the user sees anyway. */
function sameReason(failed: FailedTask[]): string[] {
	if (failed.length === 0) return [];
	const labels = failed.slice(0, MOST_REASONS).map(({ label }) => label);
	const more = failed.length > MOST_REASONS ? ` and ${failed.length - MOST_REASONS} more` : '';
	return [`${labels.join(', ')}${more} failed for the same reason.`];
}

function count(number: number): string {
	return `${number} ${number === 1 ? 'was' : 'were'}`;
}
