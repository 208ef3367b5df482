import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../n8n/execution';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { workflowOf } from '../support/workflowOf';
import { n8n, NODE, outputOf } from './n8n';
import { until } from './until';

/** How long the service answers 503, in milliseconds. */
const OUTAGE = 20_000;
const VALUES = 2_000;
const JOBS = 400;

it('an outage in the middle of two runs costs at most 100 requests, with Continue', async () => {
	const { client, ended, sandbox, save } = n8n();
	sandbox.state.remaining = 10_000;
	sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
	const run = async (...of: Parameters<typeof workflowOf>) =>
		await client.runWorkflow(await save(workflowOf(...of)));
	const ids = [
		await run({ ...ADD_MANY, options: { output: 'items' } }, domains(VALUES), CONTINUE),
		await run(CREATE, keywords(JOBS), CONTINUE),
	];
	await until(() => sandbox.requests.some(({ path }) => path === '/api/v1/jobs'));
	sandbox.faults.add({ fault: status(503) });
	await sleep(OUTAGE);
	sandbox.faults.clear();
	const executions = await Promise.all(ids.map(ended));

	const answered = (code: number) =>
		sandbox.requests.filter((request) => request.status === code).length;
	expect(answered(503)).toBeGreaterThan(0);
	expect(answered(503)).toBeLessThanOrEqual(100);
	expect(answered(200)).toBe(VALUES + JOBS - answered(503));
	const [adds, jobs] = executions as [Execution, Execution];
	// The error output of Add Many Items has rows whose values failed once more.
	const outputs = [outputOf(adds, NODE), [0, 1].flatMap((output) => outputOf(jobs, NODE, output))];
	expect(outputs.map(({ length }) => length)).toEqual([VALUES, JOBS]);
	expect(outputs.flat().filter(({ json }) => json.error ?? json.reason)).toHaveLength(
		answered(503),
	);
});

it('jobs that fail hold up no adds', async () => {
	const { client, ended, run, sandbox, save } = n8n();
	sandbox.faults.add({ path: '/api/v1/jobs', fault: status(500) });
	const failing = await client.runWorkflow(await save(workflowOf(CREATE, keywords(20), CONTINUE)));
	// After seven, they pause for 16 seconds.
	await until(() => sandbox.requests.length === 7);
	const added = await run(workflowOf(ADD, domains(100), CONTINUE));
	expect(outputOf(added, NODE)).toHaveLength(100);
	const adds = sandbox.requests.slice(7, 107);
	expect(new Set(adds.map(({ path }) => path))).toEqual(new Set(['/api/v1/blacklist/customers']));
	const jobs = outputOf(await ended(failing), NODE, 1);
	expect(jobs).toHaveLength(20);
	expect(jobs.at(-1)!.json.message).toMatch(
		/^The last requests for jobs got an error or no answer\. Try again later\. /,
	);
});
