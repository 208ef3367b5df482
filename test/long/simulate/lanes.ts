import { LANES, type LaneName } from '../../../nodes/shared/pacing/lane';
import { seededRandom } from '../../../sandbox/random';
import { Client, Process, type Send } from './client';
import { Events } from './events';
import { FixedWindow, LIMITERS, RETRY_AFTER, sendTo, type Limiter } from './limiters';

/** The limits per second that both lanes share. */
export const SHARED_LIMITS: Record<string, (perSecond: number) => Limiter> = {
	'bucket, burst of 1 s': LIMITERS['bucket, burst of 1 s'],
	'sliding window of 1 s': LIMITERS['sliding window of 1 s'],
	'fixed second': (perSecond) => new FixedWindow(perSecond, 1_000),
};

/** One direction, in milliseconds. */
const WAY = 10;
/** How long lanes have work, in milliseconds. */
const LASTING = 240_000;

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
