import { useSandbox } from '../support/account';
import { until } from '../support/clock';
import { startWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();

/** The paths of jobs and of blacklists, whose requests belong to different lanes. */
const [JOBS, LISTS] = ['/api/v1/jobs', '/api/v1/blacklist/customers'];

/** Runs two workflows at once. @returns when each has ended, in milliseconds, and its output items */
async function sideBySide(...workflows: Array<ReturnType<typeof workflowOf>>) {
	const { account: owner } = account();
	const began = performance.now();
	const runs = workflows.map(async (workflow, index) => {
		const { outputs } = await startWorkflow(workflow, owner, { executionId: `${index}` }).finished;
		return { outputs, took: performance.now() - began };
	});
	return await until(Promise.all(runs));
}

describe('a service that always refuses', () => {
	const adds = () => workflowOf(ADD, domains(100), CONTINUE);
	const jobs = (count: number) => workflowOf(CREATE, keywords(count), CONTINUE);

	it('a job does not hold up the adds of another execution', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ path: JOBS, fault: status(429) });
		const [job, added] = await sideBySide(jobs(1), adds());
		expect(added!.outputs[0]).toHaveLength(100);
		expect(added!.took).toBeLessThan(1_000);
		expect(job!.outputs[1]).toHaveLength(1);
		expect(job!.took).toBeLessThan(125_000);
	});

	it('eight jobs of a run ends them together, each with its reason', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ path: JOBS, fault: status(429) });
		const [run] = await sideBySide(jobs(8));
		expect(run!.took).toBeLessThan(125_000);
		const reasons = run!.outputs[1]!.map(({ json }) => json.error);
		expect(reasons).toContain('The service is receiving too many requests');
		expect(reasons).toContain('Not sent: the service keeps asking to wait');
		expect(reasons).toHaveLength(8);
	});

	it('adds does not hold up the jobs of another execution', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ path: LISTS, fault: status(429) });
		const [created, refused] = await sideBySide(jobs(20), adds());
		expect(created!.outputs[0]).toHaveLength(20);
		expect(created!.took).toBeLessThan(1_000);
		expect(refused!.outputs[1]).toHaveLength(100);
		expect(refused!.took).toBeLessThan(125_000);
	});
});
