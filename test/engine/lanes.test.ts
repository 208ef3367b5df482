import { advance, until } from '../support/clock';
import { inThreePasses, workflowOf, type StartedRun } from '../support/engine';
import { status } from '../support/faults';
import { ADD, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, start } = useEngine();

/** The paths of jobs and of blacklists, whose requests belong to different lanes. */
const [JOBS, LISTS] = ['/api/v1/jobs', '/api/v1/blacklist/customers'];

/** Runs two workflows at once. @returns when each has ended, in milliseconds, and its output items */
async function sideBySide(...workflows: Array<ReturnType<typeof workflowOf>>) {
	const began = performance.now();
	const runs = workflows.map(async (workflow, index) => {
		const { outputs } = await start(workflow, { executionId: `${index}` }).finished;
		return { outputs, took: performance.now() - began };
	});
	return await until(Promise.all(runs));
}

const adds = (count = 100) => workflowOf(ADD, domains(count), CONTINUE);
const jobs = (count: number) => workflowOf(CREATE, keywords(count), CONTINUE);

describe('a service that always refuses', () => {
	it('a job does not hold up the adds of another execution', async () => {
		sandbox.faults.add({ path: JOBS, fault: status(429) });
		const [job, added] = await sideBySide(jobs(1), adds());
		expect(added!.outputs[0]).toHaveLength(100);
		expect(added!.took).toBeLessThan(1_000);
		expect(job!.outputs[1]).toHaveLength(1);
		expect(job!.took).toBeLessThan(125_000);
	});

	it('adds does not hold up the jobs of another execution', async () => {
		sandbox.faults.add({ path: LISTS, fault: status(429) });
		const [created, refused] = await sideBySide(jobs(20), adds());
		expect(created!.outputs[0]).toHaveLength(20);
		expect(created!.took).toBeLessThan(1_000);
		expect(refused!.outputs[1]).toHaveLength(100);
		expect(refused!.took).toBeLessThan(125_000);
	});
});

describe('a service that fails with one kind of requests holds up nothing of the other one:', () => {
	it.each<[string, string, () => StartedRun]>([
		['20 jobs', JOBS, () => start(jobs(20), { executionId: 'jobs' })],
		['jobs in a loop', JOBS, () => start(inThreePasses(jobs(20)), { executionId: 'jobs' })],
		['40 adds', LISTS, () => start(adds(40), { executionId: 'adds' })],
	])('%s', async (_what, path, begin) => {
		sandbox.state.remaining = 10_000;
		sandbox.faults.add({ path, fault: status(500) });
		const { finished } = begin();
		let hasEnded = false;
		void finished.then(() => (hasEnded = true));
		// Into the longer pauses.
		await advance(20_000);
		const healthy = path === JOBS ? adds() : jobs(8);
		for (const workflow of [healthy, inThreePasses(healthy)]) {
			const began = performance.now();
			await until(start(workflow, { executionId: 'healthy' }).finished);
			expect(performance.now() - began).toBeLessThan(1_000);
		}
		const carriedOut = sandbox.requests.filter((request) => request.carriedOut);
		// The passes behind the first have input items that ask for the same.
		expect(carriedOut).toHaveLength(2 * (path === JOBS ? 100 : 8) + 2);
		expect(hasEnded).toBe(false);
		await until(finished);
	});
});
