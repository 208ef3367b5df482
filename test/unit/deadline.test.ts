import { Deadline } from '../../nodes/shared/http/deadline';
import { Failure } from '../../nodes/shared/http/failure';
import { Stop } from '../../nodes/shared/stop';
import { advance, beBusy, listenedTo, settle, until, useClock } from '../support/clock';

useClock();

const never = new Promise<never>(() => {});

async function reasonOf(promise: Promise<unknown>) {
	const error: unknown = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(Failure);
	return (error as Failure).reason;
}

it('returns what settles in time, and leaves no timer behind', async () => {
	const deadline = new Deadline(60_000);
	expect(await deadline.race(Promise.resolve('done'))).toBe('done');
	await expect(deadline.race(Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(deadline.signal.aborted).toBe(false);
	deadline.release();
	expect(listenedTo()).toBe(0);
});

it('rejects after the timeout and aborts the request', async () => {
	const deadline = new Deadline(300);
	const ended = reasonOf(deadline.race(never));
	await advance(299);
	expect([deadline.timeLeft, deadline.signal.aborted]).toEqual([1, false]);
	await advance(1);
	expect([deadline.timeLeft, deadline.signal.aborted]).toEqual([0, true]);
	expect(await ended).toBe('timedOut');
	// There is no time left for the rest of the response either.
	expect(await reasonOf(deadline.race(never))).toBe('timedOut');
});

it('can be brought forward, but not put off', async () => {
	const deadline = new Deadline(60_000);
	deadline.shorten(300);
	deadline.shorten(60_000);
	expect(deadline.timeLeft).toBe(300);
	expect(await until(reasonOf(deadline.race(never)))).toBe('timedOut');
	expect(performance.now()).toBe(300);
	expect(deadline.signal.aborted).toBe(true);
});

it('still lets arrive what was sent in time while n8n was busy', async () => {
	const deadline = new Deadline(300);
	const arrival = deadline.race(
		new Promise((resolve) => setTimeout(() => setImmediate(() => resolve('done')), 200)),
	);
	beBusy(5_000);
	expect(await until(arrival)).toBe('done');
});

it('ends soon if n8n was busy and nothing has arrived', async () => {
	const deadline = new Deadline(300);
	const ended = reasonOf(deadline.race(never));
	beBusy(5_000);
	expect(await until(ended)).toBe('timedOut');
	expect(performance.now()).toBe(5_100);
});

it.each(['before', 'after'])('rejects at once when the run is abandoned %s it', async (when) => {
	const abandon = new Stop();
	if (when === 'before') abandon.stop();
	const deadline = new Deadline(60_000, abandon);
	const ended = reasonOf(deadline.race(never));
	abandon.stop();
	expect(deadline.signal.aborted).toBe(true);
	expect(await ended).toBe('abandoned');
});

it('reports what came first', async () => {
	const abandon = new Stop();
	const deadline = new Deadline(10, abandon);
	await advance(10);
	abandon.stop();
	expect(await reasonOf(deadline.race(never))).toBe('timedOut');
});

it('does nothing after its release', async () => {
	const abandon = new Stop();
	const deadline = new Deadline(20, abandon);
	deadline.shorten(10);
	deadline.release();
	abandon.stop();
	await advance(60_000);
	expect(deadline.signal.aborted).toBe(false);
	expect(await deadline.race(Promise.resolve('done'))).toBe('done');
});

it('leaves no unhandled rejection', async () => {
	const unhandled = jest.fn();
	process.on('unhandledRejection', unhandled);
	const deadline = new Deadline(5);
	const late = new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 30));
	await until(reasonOf(deadline.race(late)));
	new Deadline(5);
	await advance(60);
	await settle();
	process.off('unhandledRejection', unhandled);
	expect(unhandled).not.toHaveBeenCalled();
});
