import { Pauses, withPauses } from '../../nodes/BusinessListingSearch/run/pauses';
import { beBusy, settle, until, useClock } from '../support/clock';

useClock();

/** Whether other work of n8n gets its turn before this is done. */
async function givesWay(work: Promise<unknown>): Promise<boolean> {
	let isDone = false;
	void work.then(() => (isDone = true));
	await settle();
	const hasWaited = !isDone;
	await until(work);
	return hasWaited;
}

/** Work that takes twice this many milliseconds, and can be interrupted after each half. */
function* workOf(milliseconds: number): Generator<void, string> {
	beBusy(milliseconds);
	yield;
	beBusy(milliseconds);
	yield;
	return 'done';
}

it('Pauses are taken after 20 ms of work, not before', async () => {
	const pauses = new Pauses();
	beBusy(19);
	expect(await givesWay(pauses.take())).toBe(false);
	beBusy(1);
	expect(await givesWay(pauses.take())).toBe(true);
	beBusy(19);
	expect(await givesWay(pauses.take())).toBe(false);
});

it('work with pauses is interrupted after 20 ms, not before, and returns its result', async () => {
	expect(await givesWay(withPauses(workOf(9)))).toBe(false);
	expect(await givesWay(withPauses(workOf(10)))).toBe(true);
	expect(await until(withPauses(workOf(30)))).toBe('done');
});
