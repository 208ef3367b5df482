import { lanesOf } from '../../nodes/shared/pacing/accountLanes';
import { Requester, Stopped } from '../../nodes/shared/pacing/requester';
import { wait } from '../../nodes/shared/time/clock';
import type { Credential, RequestContext } from '../../nodes/shared/service/credential';
import { requestFailure } from '../../nodes/shared/errors/requestFailure';
import { heapInUse } from '../support/heap';
import { advance, listenedTo, until, useClock } from '../support/clock';

/** Each request is answered after 20 ms; one in a hundred is told to wait. */
jest.mock('../../nodes/shared/service/exchange', () => ({
	exchange: async () => {
		answered += 1;
		await wait(20);
		return answered % 100 === 0
			? requestFailure('tooManyRequests', 'POST', { statusCode: 429, retryAfter: 1_000 })
			: { statusCode: 200, body: {}, isJson: true };
	},
}));

let answered = 0;

useClock();

const CREDENTIALS = Array.from(
	{ length: 100 },
	(_, index) => ({ idInMemory: JSON.stringify(['http://service', `key ${index}`]) }) as Credential,
);

/** Runs of three requests each, spread over the accounts; one run in ten is cancelled. */
async function runs(count: number): Promise<void> {
	const ends: Array<Promise<unknown>> = [];
	for (let started = 0; started < count; started++) {
		const run = new Requester();
		const credential = CREDENTIALS[started % CREDENTIALS.length]!;
		for (let sent = 0; sent < 3; sent++) {
			const request = run.request({} as RequestContext, { url: '/', method: 'POST' }, credential);
			ends.push(
				request.catch((error: unknown) => {
					if (!(error instanceof Stopped)) throw error;
				}),
			);
		}
		if (started % 10 === 0) run.cancel();
		// At most 500 runs start at once, and some of their requests wait.
		if (started % 500 === 499) await advance(5_000);
	}
	await advance(120_000);
	await until(Promise.all(ends));
}

it('more than 10,000 runs on 100 accounts leave no memory, no timer and no listener behind', async () => {
	// What a run leaves behind adds up in every round. Compiled code and the like grows the heap
	// in some rounds only, so that the smallest growth is the runs' own.
	const growth: number[] = [];
	let before = heapInUse();
	for (let round = 0; round < 3; round++) {
		await runs(4_000);
		const after = heapInUse();
		growth.push(after - before);
		before = after;
	}
	expect(answered).toBeGreaterThan(30_000);
	// A run that stays, with its three requests, takes more than 500 bytes.
	expect(Math.min(...growth)).toBeLessThan(4_000 * 100);
	expect(listenedTo()).toBe(0);
	const [first] = CREDENTIALS.map((credential) => lanesOf(credential));
	await advance(600_001);
	expect(lanesOf(CREDENTIALS[0]!)).not.toBe(first);
});
