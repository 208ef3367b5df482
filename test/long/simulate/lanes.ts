import { LANES, type LaneName } from '../../../nodes/shared/account/lane';
import { seededRandom } from '../../../sandbox/random';
import { Client, Process, type Reply, type Send } from './client';
import { Events } from './events';
import { FixedWindow, LIMITERS, RETRY_AFTER, sendTo, type Limiter } from './limiters';

/** The limits per second that both lanes share. */
export const SHARED_LIMITS: Record<string, (perSecond: number) => Limiter> = {
	'bucket, burst of 1 s': LIMITERS['bucket, burst of 1 s'],
	'sliding window of 1 s': LIMITERS['sliding window of 1 s'],
	'fixed second': (perSecond) => new FixedWindow(perSecond, 1_000),
};

const OTHER: Record<LaneName, LaneName> = { jobs: 'others', others: 'jobs' };
/** What a run sends beside a lane that is always refused. */
const BESIDE: Record<LaneName, number> = { jobs: 20, others: 400 };
/** One direction, in milliseconds. */
const WAY = 10;
/** How long lanes have work, in milliseconds. */
const LASTING = 240_000;

/** A lane that the service always refuses, without Retry-After, beside the other one. */
export interface RefusedLane {
	lane: LaneName;
	/** How many requests of it, in one run or each in its own. */
	requests: number;
	inOneRun: boolean;
	seed: number;
}

/** @returns seconds until the other lane is done, and until the last refused request gives up */
export async function besideRefused({ lane, requests, inOneRun, seed }: RefusedLane) {
	const { events, process, answer } = answering(seed);
	const refused = clients(process, answer({ retryAfter: undefined }), lane, requests, inOneRun);
	const other = OTHER[lane];
	const [beside] = clients(process, answer('answered'), other, BESIDE[other], true) as [Client];
	events.plan(0, () => {
		for (const client of [...refused, beside]) client.begin();
	});
	await events.runUntil(Infinity);
	return {
		failed: beside.failed,
		took: beside.endedAt / 1_000,
		gaveUp: Math.max(...refused.map(({ failedAt }) => failedAt)) / 1_000,
	};
}

/** Runs of which each request fails, beside one of the other lane that is answered. */
export interface FailingLane {
	lane: LaneName;
	/** How many requests each of them has. */
	requests: number;
	/** How often one begins, in milliseconds. */
	every: number;
	/** How many requests the one of the other lane has, and when it begins, in milliseconds. */
	beside: number;
	at: number;
	seed: number;
}

/** @returns seconds until the run of the other lane is done */
export async function besideFailing({
	lane,
	requests,
	every,
	beside,
	at,
	seed,
}: FailingLane): Promise<number> {
	const { events, process, answer } = answering(seed);
	const begin = () => {
		for (const client of clients(process, answer('failed'), lane, requests, true)) client.begin();
	};
	for (let begun = 0; begun < LASTING; begun += every) events.plan(begun, begin);
	const [healthy] = clients(process, answer('answered'), OTHER[lane], beside, true) as [Client];
	events.plan(at, () => healthy.begin());
	await events.runUntil(Infinity);
	return (healthy.endedAt - at) / 1_000;
}

/** A run of each lane, of which each request fails. @returns seconds until both have given up */
export async function bothFailing(seed: number): Promise<number> {
	const { events, process, answer } = answering(seed);
	const runs = (['jobs', 'others'] as const).flatMap((lane) =>
		clients(process, answer('failed'), lane, BESIDE[lane], true),
	);
	events.plan(0, () => {
		for (const client of runs) client.begin();
	});
	await events.runUntil(Infinity);
	return Math.max(...runs.map(({ failedAt }) => failedAt)) / 1_000;
}

/** A process, and a service that answers each request in the same way. */
function answering(seed: number) {
	const events = new Events();
	const answer =
		(reply: Reply): Send =>
		(now, reach) =>
			events.plan(now + 2 * WAY, (at) => reach(at, reply));
	return { events, process: new Process(events, seededRandom(seed)), answer };
}

/** One limit for the account. */
export interface SharedLimit {
	limit: keyof typeof SHARED_LIMITS;
	perSecond: number;
	/** Whether the service sends Retry-After, in whole seconds. */
	retryAfter: boolean;
	seed: number;
}

/**
 * A hundred runs of one job and one run of 400 adds, at once.
 *
 * @returns the time in parts of the limit's own, refused requests in parts of those sent, and how many gave up
 */
export async function bothBusy({ limit, perSecond, retryAfter, seed }: SharedLimit) {
	const { process, send, events } = shared({ limit, perSecond, retryAfter, seed });
	const all = [
		...clients(process, send, 'jobs', 100, false),
		...clients(process, send, 'others', 400, true),
	];
	events.plan(0, () => {
		for (const client of all) client.begin();
	});
	await events.runUntil(Infinity);
	const ideal = (500 - perSecond) / perSecond;
	const sum = (of: (client: Client) => number) =>
		all.reduce((total, client) => total + of(client), 0);
	return {
		time: Math.max(...all.map(({ endedAt }) => endedAt)) / 1_000 / ideal,
		refused: sum((client) => client.refused) / sum((client) => client.sent),
		failed: sum((client) => client.failed),
	};
}

/** Both lanes have work without end. @returns how much of the limit is used, and how many gave up */
export async function bothLasting(options: SharedLimit) {
	const { process, send, events } = shared(options);
	const all = (['jobs', 'others'] as const).flatMap((lane) =>
		clients(process, send, lane, Infinity, true),
	);
	events.plan(0, () => {
		for (const client of all) client.begin();
	});
	await events.runUntil(LASTING);
	const accepted = all.reduce((total, { answerTimes }) => total + answerTimes.length, 0);
	return {
		used: accepted / ((options.perSecond * LASTING) / 1_000),
		failed: all.reduce((total, { failed }) => total + failed, 0),
	};
}

function shared({ limit, perSecond, retryAfter, seed }: SharedLimit) {
	const events = new Events();
	const process = new Process(events, seededRandom(seed));
	const service = SHARED_LIMITS[limit]!(perSecond);
	const read = RETRY_AFTER[retryAfter ? 'seconds' : 'none'];
	return { events, process, send: sendTo(service, events, () => WAY, read) };
}

function clients(
	process: Process,
	send: Send,
	lane: LaneName,
	requests: number,
	inOneRun: boolean,
): Client[] {
	const { most } = LANES[lane];
	if (inOneRun)
		return [new Client(process, send, { requests, atOnce: Math.min(requests, most), lane })];
	return Array.from(
		{ length: requests },
		() => new Client(process, send, { requests: 1, atOnce: 1, lane }),
	);
}
