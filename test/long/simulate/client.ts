import { requestFailure } from '../../../nodes/shared/errors/requestFailure';
import type { Lanes } from '../../../nodes/shared/pacing/accountLanes';
import { Lane, type End, type LaneName } from '../../../nodes/shared/pacing/lane';
import { RunInLanes } from '../../../nodes/shared/pacing/runInLanes';
import type { Events } from './events';

/** The service's response: accepted, a 500, or refused with or without Retry-After, in milliseconds. */
export type Reply = 'answered' | 'failed' | { retryAfter: number | undefined };

/** The network and the service. */
export type Send = (now: number, answer: (at: number, reply: Reply) => void) => void;

/** CPU time of a request on n8n's main thread, in milliseconds. */
const CPU = 1.5;
/** The probability of a garbage collection within half a request, and its longest duration. */
const COLLECTIONS = 0.001;
const COLLECTION = 50;
/** One timer in ten is late by up to 30 ms, the others by up to 2. */
const LATE_TIMERS = 0.1;

/** What a process sends. */
export interface Work {
	/** How many requests. */
	requests: number;
	/** How many of them wait or are in flight at a time. */
	atOnce: number;
	lane: LaneName;
	/** Whether they count towards the automatic limit of the lane; default true. */
	isAutomatic?: boolean;
}

/** One n8n process that uses one account: its main thread and its timers. */
export class Process {
	readonly account: Lanes;
	private busyUntil = 0;

	constructor(
		readonly events: Events,
		private readonly random: () => number,
	) {
		const clock = {
			now: () => events.now,
			after: this.after,
			nextLoop: (callback: () => void) => events.plan(events.now, callback),
		};
		this.account = {
			jobs: new Lane('jobs', clock, random),
			others: new Lane('others', clock, random),
		};
	}

	/** @returns when half of a request's CPU work is done */
	compute(now: number): number {
		const collection = this.random() < COLLECTIONS ? COLLECTION * this.random() : 0;
		this.busyUntil = Math.max(this.busyUntil, now) + CPU / 2 + collection;
		return this.busyUntil;
	}

	/** A timer: whole milliseconds, never early, often late. */
	private readonly after = (milliseconds: number, callback: () => void): (() => void) => {
		let isCalledOff = false;
		const late = (this.random() < LATE_TIMERS ? 30 : 2) * this.random();
		this.events.plan(Math.ceil(this.events.now + milliseconds) + late, () => {
			if (!isCalledOff) callback();
		});
		return () => (isCalledOff = true);
	};
}

/** A run that sends its requests in a process. */
export class Client extends RunInLanes {
	sent = 0;
	refused = 0;
	/** How many requests failed or gave up, or were not sent because another one of the run gave up. */
	failed = 0;
	/** When the last request was accepted. */
	endedAt = 0;
	/** From each start to its response. */
	readonly answerTimes: number[] = [];

	private readonly lane: Lane;
	private hasStopped = false;
	private left: number;

	constructor(
		private readonly process: Process,
		private readonly send: Send,
		private readonly work: Work,
	) {
		super(false, work.isAutomatic === false ? { concurrency: Infinity } : {});
		this.left = work.requests;
		this.lane = process.account[work.lane];
	}

	/** Starts to send. */
	begin(): void {
		for (let begun = 0; begun < this.work.atOnce; begun++) this.sendNext();
	}

	/** Sends nothing more. */
	stop(): void {
		this.hasStopped = true;
		this.lane.turnAway(this, new Error('stopped'));
	}

	private sendNext(): void {
		if (this.left === 0) return;
		this.left -= 1;
		void this.carryOut(this.lane.enter(this));
	}

	private async carryOut(entry: ReturnType<Lane['enter']>): Promise<void> {
		while (!this.hasStopped) {
			const sent = await this.lane
				.send(entry, async () => await this.exchange(entry.startedAt))
				.catch(() => undefined);
			if (sent?.health === 'answered') return this.sendNext();
			if (sent?.pause === undefined) return this.giveUp();
		}
	}

	private async exchange(startedAt: number): Promise<End> {
		const { process } = this;
		this.sent += 1;
		const [now, reply] = await new Promise<[number, Reply]>((resolve) => {
			this.send(process.compute(startedAt), (at, answer) => {
				process.events.plan(process.compute(at), (end) => resolve([end, answer]));
			});
		});
		if (reply === 'failed')
			return { health: 'trouble', failure: requestFailure('serverError', 'GET') };
		if (reply !== 'answered') {
			this.refused += 1;
			return { health: 'throttled', failure: requestFailure('tooManyRequests', 'GET', reply) };
		}
		this.endedAt = now;
		this.answerTimes.push(now - startedAt);
		return { health: 'answered' };
	}

	private giveUp(): void {
		if (this.hasStopped) return;
		this.failed += 1;
		const { events } = this.process;
		events.plan(events.now, () => this.sendNext());
	}
}
