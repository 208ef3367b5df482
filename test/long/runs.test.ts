import { useSandbox } from '../support/account';
import { useClock } from '../support/clock';
import { runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { CREATE, keywords } from '../support/parameters';

const account = useSandbox({ remaining: 3_000 });
useClock();

it('a run of 3,000 items that fails at the last one stores little of each', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'keyword 2999.', fault: status(400) });
	const { run, error } = await runWorkflow(
		workflowOf({ ...CREATE, options: { concurrency: 50 } }, keywords(3_000)),
		owner,
	);
	expect(error?.httpCode).toBe('400');
	const kept = JSON.stringify(run.data.executionData?.contextData);
	expect(kept).toContain(sandbox.state.jobs[0]!.job_id);
	expect(kept.length).toBeLessThan(600_000);
});
