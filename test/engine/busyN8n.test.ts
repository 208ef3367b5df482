import { beBusy, until } from '../support/clock';
import { activeTrigger } from '../support/engine';
import { listed } from '../support/jobs';
import { useLog } from '../support/log';
import { CREATE, keywords, ONE_BY_ONE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, start } = useEngine();
const log = useLog();

beforeEach(() => sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } }));

/** Keeps n8n busy before the response: afterwards, timers that are due run before the network. */
function keepBusy(milliseconds: number): void {
	setTimeout(() => setImmediate(() => beBusy(milliseconds)), 20);
}

describe('a response that arrives in time while n8n is busy', () => {
	it('is read after "Timeout"', async () => {
		const parameters = { ...CREATE, requestOptions: { timeout: 1_000 } };
		const { finished } = start(parameters);
		keepBusy(1_500);
		const { json } = await until(finished);
		expect(json).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
	});

	it('is read after the ten seconds of a cancelled run', async () => {
		const { finished, cancel } = start(ONE_BY_ONE, keywords(3));
		await until(() => sandbox.requestCount > 0);
		cancel();
		keepBusy(10_500);
		await until(finished);
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`1 done, 0 failed, 2 not started. Done, by job_id: ${listed(sandbox.state.jobs)}.`,
			),
		]);
	});

	it('is read after the time of a poll', async () => {
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
		keepBusy(1_500);
		expect(await poll('trigger', { budget: 1_000 })).toBeNull();
	});
});
