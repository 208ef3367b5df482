import { useClock } from '../support/clock';
import { status } from '../support/faults';
import { CREATE, keywords } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, execute } = useEngine({ remaining: 3_000 });
useClock();

it('a run of 3,000 items that fails at the last one stores little of each', async () => {
	sandbox.faults.add({ match: 'keyword 2999.', fault: status(400) });
	const { run, error } = await execute(
		{ ...CREATE, options: { concurrency: 50 } },
		keywords(3_000),
	);
	expect(error?.httpCode).toBe('400');
	const kept = JSON.stringify(run.data.executionData?.contextData);
	expect(kept).toContain(sandbox.state.jobs[0]!.job_id);
	expect(kept.length).toBeLessThan(600_000);
});
