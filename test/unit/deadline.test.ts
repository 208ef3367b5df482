import { setTimeout as sleep } from 'node:timers/promises';

import { Deadline } from '../../nodes/shared/http/deadline';
import { Failure } from '../../nodes/shared/http/failure';
import { Stop } from '../../nodes/shared/stop';

const never = new Promise<never>(() => {});
const LONG = 60_000;

async function troubleOf(promise: Promise<unknown>) {
	const error: unknown = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(Failure);
	return (error as Failure).trouble;
}

const TIMED_OUT = { kind: 'connection', code: 'ETIMEDOUT', what: 'timedOut' };

it('returns what settles in time', async () => {
	const deadline = new Deadline(LONG);
	expect(await deadline.race(Promise.resolve('done'))).toBe('done');
	await expect(deadline.race(Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(deadline.signal.aborted).toBe(false);
	expect(deadline.timeLeft).toBeLessThanOrEqual(LONG);
	deadline.release();
});

it('rejects after the timeout and aborts the request', async () => {
	const deadline = new Deadline(30);
	const started = performance.now();
	expect(await troubleOf(deadline.race(never))).toEqual(TIMED_OUT);
	expect(performance.now() - started).toBeGreaterThan(25);
	expect(deadline.signal.aborted).toBe(true);
	// There is no time left for the rest of the response either.
	expect(await troubleOf(deadline.race(never))).toEqual(TIMED_OUT);
});

it('can be brought forward, but not put off', async () => {
	const deadline = new Deadline(LONG);
	deadline.shorten(30);
	deadline.shorten(LONG);
	expect(deadline.timeLeft).toBeLessThanOrEqual(30);
	expect(await troubleOf(deadline.race(never))).toEqual(TIMED_OUT);
	expect(deadline.signal.aborted).toBe(true);
});

it('rejects at once when the run is abandoned', async () => {
	const abandon = new Stop();
	const deadline = new Deadline(LONG, abandon);
	const ended = troubleOf(deadline.race(never));
	abandon.stop();
	expect(await ended).toEqual({ kind: 'abandoned' });
	expect(deadline.signal.aborted).toBe(true);
});

it('rejects at once if the run was already abandoned', async () => {
	const abandon = new Stop();
	abandon.stop();
	const deadline = new Deadline(LONG, abandon);
	expect(deadline.signal.aborted).toBe(true);
	expect(await troubleOf(deadline.race(never))).toEqual({ kind: 'abandoned' });
});

it('reports what came first', async () => {
	const abandon = new Stop();
	const deadline = new Deadline(10, abandon);
	await sleep(50);
	abandon.stop();
	expect(await troubleOf(deadline.race(never))).toEqual(TIMED_OUT);
	expect(deadline.timeLeft).toBe(0);
});

it('does nothing after its release', async () => {
	const abandon = new Stop();
	const deadline = new Deadline(20, abandon);
	deadline.shorten(10);
	deadline.release();
	abandon.stop();
	await sleep(50);
	expect(deadline.signal.aborted).toBe(false);
	expect(await deadline.race(Promise.resolve('done'))).toBe('done');
});

it('leaves no unhandled rejection', async () => {
	const unhandled: unknown[] = [];
	const listener = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', listener);
	const deadline = new Deadline(5);
	await troubleOf(deadline.race(sleep(30).then(() => Promise.reject(new Error('too late')))));
	new Deadline(5);
	await sleep(60);
	process.off('unhandledRejection', listener);
	expect(unhandled).toEqual([]);
});
