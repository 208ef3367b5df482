import type { Fault } from '../../../sandbox';
import { advance, settle, until } from '../../support/clock';
import { workflowOf } from '../../support/engine';
import { status } from '../../support/faults';
import { ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE, USAGE } from '../../support/parameters';
import { CONTINUE, RETRY_ON_FAIL } from '../../support/settings';
import { listed } from '../../support/jobs';
import { useEngine } from '../../support/useEngine';

const { sandbox, start, startRetry, log } = useEngine();

const jobIds = () => sandbox.state.jobs.map(({ job_id }) => job_id);
const created = (most?: number) => listed(sandbox.state.jobs.slice(0, most));

/** The one summary in the log. */
function summary(): string {
	const warnings = log.lines('warn');
	expect(warnings).toHaveLength(1);
	return warnings[0]!;
}

/** Expects the one summary to end in the first job. */
function expectFirstListed(): void {
	expect(jobIds()).not.toEqual([]);
	expect(summary().endsWith(` Done, by job_id: ${created(1)}.`)).toBe(true);
}

/**
 * Starts a run, cancels it some time after a number of requests have arrived, and waits for its end.
 *
 * @returns how long it took to end, in milliseconds
 */
async function stopAt(
	requests: number,
	workflow: ReturnType<typeof workflowOf>,
	{ run = start(workflow), later = 0 } = {},
): Promise<number> {
	await until(() => sandbox.requests.length === requests);
	await advance(later);
	const asked = performance.now();
	await run.stop();
	const took = performance.now() - asked;
	await advance(120_000);
	expect(sandbox.requests).toHaveLength(requests);
	return took;
}

/** A response that takes three seconds, so that a run can be cancelled before it. */
function addSlowly(match: string, fault?: Fault): void {
	sandbox.faults.add({ match, fault: { kind: 'delay', ms: 3_000 } });
	if (fault) sandbox.faults.add({ match, fault });
}

describe('a cancelled run', () => {
	it('ends a wait at once and sends nothing after it', async () => {
		sandbox.faults.add({ skip: 2, fault: status(429, { retryAfter: '60' }) });
		expect(await stopAt(3, workflowOf(ONE_BY_ONE, keywords(5)), { later: 10_000 })).toBe(0);
		expect(summary()).toBe(log.lines().at(-1));
		expect(summary()).toContain(
			`Business Listing Search (execution 1) was cancelled. Of 5 items: 2 done, 0 failed, 3 not started. Done, by job_id: ${created()}.`,
		);
	});

	it('aborts a GET in flight', async () => {
		sandbox.faults.add({ fault: { kind: 'hang' } });
		expect(await stopAt(1, workflowOf(USAGE))).toBe(0);
		expect(summary()).toContain('0 done, 0 failed, 1 not started');
	});

	it('lets a POST in flight finish, and logs its job_id', async () => {
		addSlowly('keyword 1.');
		expect(await stopAt(2, workflowOf(ONE_BY_ONE, keywords(3)))).toBe(3_000);
		expect(jobIds()).toHaveLength(2);
		expect(summary()).toContain(`2 done, 0 failed, 1 not started. Done, by job_id: ${created()}.`);
	});

	it('gives a POST in flight ten seconds', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: { kind: 'hang' } });
		expect(await stopAt(2, workflowOf(ONE_BY_ONE, keywords(3)), { later: 5_000 })).toBe(10_000);
		expect(summary()).toContain('1 done, 0 failed, 1 may have been carried out, 1 not started');
		expect(summary()).toMatch(/Item 1 .*may have been carried out/);
		expectFirstListed();
	});

	it('does not concern another execution of the same account', async () => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } });
		const other = start(workflowOf(ONE_BY_ONE, keywords(6)), { executionId: '2' });
		const { stop } = start(ONE_BY_ONE, keywords(6));
		await until(() => sandbox.requests.length >= 4);
		await stop();
		const { json } = await until(other.finished);
		expect(json).toHaveLength(6);
		const named = `${summary()} ${JSON.stringify(json)}`;
		for (const id of jobIds()) expect(named).toContain(id);
	});
});

describe('the summary of a cancelled run', () => {
	it('names the jobs created, and a failure in flight; no later try says that nothing was sent', async () => {
		addSlowly('keyword 2.', status(500));
		await stopAt(3, workflowOf(ONE_BY_ONE, keywords(6), RETRY_ON_FAIL));
		const [sum, ...later] = log.lines('warn');
		expect(jobIds()).toHaveLength(2);
		expect(sum).toContain(
			'Of 6 items: 2 done, 0 failed, 1 may have been carried out, 3 not started. Item 2 ("keyword 2."): The service could not process the request',
		);
		expect(sum).toContain(` Done, by job_id: ${created()}.`);
		expect(later.join()).not.toContain('It sent nothing');
	});

	it('with Continue names earlier failures, and what may have been carried out', async () => {
		sandbox.faults.add({ match: 'keyword 0.', fault: status(400) });
		addSlowly('keyword 2.', { kind: 'drop', carryOut: true });
		await stopAt(3, workflowOf(ONE_BY_ONE, keywords(6), CONTINUE));
		const [, unnamed] = jobIds();
		expect(summary()).toContain(
			'Of 6 items: 1 done, 1 failed, 1 may have been carried out, 3 not started.',
		);
		expectFirstListed();
		expect(summary()).toContain('Item 0 ("keyword 0."): The service rejected the input');
		expect(summary()).toMatch(
			/Item 2 .*: The connection to the service broke .*may have been carried out/,
		);
		expect(unnamed).toBeDefined();
		expect(summary()).not.toContain(unnamed);
	});

	it('has the outcome of each request in flight', async () => {
		addSlowly('keyword 0.');
		addSlowly('keyword 1.', status(400));
		addSlowly('keyword 2.', { kind: 'cut', carryOut: true });
		await stopAt(3, workflowOf({ ...CREATE, options: { concurrency: 3 } }, keywords(5)));
		expect(summary()).toContain(
			'Of 5 items: 1 done, 1 failed, 1 may have been carried out, 2 not started.',
		);
		expect(summary()).toMatch(/ Done, by job_id: \S+ for "keyword 0\."\.$/);
		expect(summary()).toContain('Item 1 ("keyword 1."): The service rejected the input');
		expect(summary()).toMatch(/Item 2 .*may have been carried out/);
	});

	it('does not deny what an earlier try has done, if it is cancelled before the next: the log has it', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: status(500) });
		const settings = { ...RETRY_ON_FAIL, waitBetweenTries: 1_000 };
		await stopAt(2, workflowOf(ONE_BY_ONE, keywords(3), settings), { later: 200 });
		expect(log.lines('info').join()).toMatch(
			/Item 1 \("keyword 1\."\): .* may have been carried out\./,
		);
		expect(log.lines('info').join()).toContain(`new: ${created(1)}`);
		expect(summary()).not.toContain('It sent nothing');
	});

	it('is logged again if the retried execution is cancelled too, with all that was done', async () => {
		addSlowly('keyword 1.', status(500));
		const workflow = workflowOf(ONE_BY_ONE, keywords(4));
		const first = start(workflow);
		await stopAt(2, workflow, { run: first });
		sandbox.faults.clear();
		addSlowly('keyword 2.');
		await stopAt(4, workflow, { run: startRetry(await first.finished, workflow) });
		const [earlier, later, ...others] = log.lines('warn');
		expect(others).toEqual([]);
		expect(earlier).toContain('Of 4 items: 1 done');
		expect(later).toContain('Of 4 items: 3 done, ');
		expect(later).toContain(` Done, by job_id: ${created()}.`);
	});

	it('is not logged if the run has already ended', async () => {
		const { finished, cancel } = start(ONE_BY_ONE, keywords(3));
		await until(finished);
		cancel();
		await advance(60_000);
		expect(log.lines('warn')).toEqual([]);
		expect(jobIds()).toHaveLength(3);
	});
});

describe('the summary of a cancelled run of Add Many Items', () => {
	const VALUES = domains(5).map(({ value }) => ({ values: value }));
	const parameters = { ...ADD_MANY, options: { concurrency: 1 } };

	it('names what may have been carried out', async () => {
		addSlowly('site-2.', { kind: 'drop', carryOut: true });
		await stopAt(3, workflowOf(parameters, VALUES));
		expect(summary()).toContain(
			'Of 5 values: 2 done, 0 failed, 1 may have been carried out, 2 not started. "site-2.example.com": ',
		);
	});

	it('is logged once if it is cancelled while it reads its rows', async () => {
		const { stop } = start(parameters, VALUES);
		await settle();
		await stop();
		expect(summary()).toContain(' was cancelled while it read its input.');
		expect(sandbox.requests).toEqual([]);
	});
});
