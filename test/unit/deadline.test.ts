import { withDeadline } from '../../nodes/shared/service/deadline';
import { Failure } from '../../nodes/shared/errors/failure';
import { Stop } from '../../nodes/shared/stop';
import { advance, listenedTo, settle, until, useClock } from '../support/clock';

useClock();

const never = new Promise<never>(() => {});

/** Why the wait ended, and when. */
async function endOf(wait: Promise<unknown>): Promise<[reason: unknown, at: number]> {
	const error: unknown = await until(wait.catch((thrown: unknown) => thrown));
	return [error instanceof Failure ? error.reason : error, performance.now()];
}

it('settles as the work does, and leaves no timer behind', async () => {
	expect(await withDeadline(60_000, new Stop(), Promise.resolve('done'))).toBe('done');
	const broken = Promise.reject(new Error('no'));
	await expect(withDeadline(60_000, new Stop(), broken)).rejects.toThrow('no');
	expect(listenedTo()).toBe(0);
});

it('ends when the time is over', async () => {
	expect(await endOf(withDeadline(300, undefined, never))).toEqual(['timedOut', 300]);
});

it.each(['before', 'after'])('ends at once when the run is abandoned %s it', async (when) => {
	const abandon = new Stop();
	if (when === 'before') abandon.stop();
	const wait = withDeadline(60_000, abandon, never);
	abandon.stop();
	expect(await endOf(wait)).toEqual(['abandoned', 0]);
});

it('leaves no unhandled rejection', async () => {
	const unhandled = jest.fn();
	process.on('unhandledRejection', unhandled);
	const late = new Promise((_resolve, reject) => setTimeout(reject, 30, new Error('late')));
	expect(await endOf(withDeadline(5, undefined, late))).toEqual(['timedOut', 5]);
	await advance(60);
	await settle();
	process.off('unhandledRejection', unhandled);
	expect(unhandled).not.toHaveBeenCalled();
});
