import { TimeSlice } from '../../nodes/BusinessListingSearch/run/timeSlice';
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

it('n8n gets its turn after each 20 ms of work, not before', async () => {
	const slice = new TimeSlice();
	for (let time = 0; time < 2; time++) {
		beBusy(19);
		expect(slice.isOver).toBe(false);
		expect(await givesWay(slice.yieldToN8n())).toBe(false);
		beBusy(1);
		expect(slice.isOver).toBe(true);
		expect(await givesWay(slice.yieldToN8n())).toBe(true);
	}
});
