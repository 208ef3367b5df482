import { outputOf, NODE } from '../e2e/n8n';
import { CREATE } from '../support/parameters';
import { onWebhook } from '../support/workflowOf';
import { executionsOf, useQueue } from './queue';

const COUNT = 100;
const PER_SECOND = 5;

/** Together the workers take all of the executions at once. */
const queue = useQueue({ concurrency: COUNT / 2 });

it.each(['seconds', 'none'] as const)(
	'100 executions at once on two workers create each job once (Retry-After: %s)',
	async (retryAfter) => {
		const { activate, allEnded, client, sandbox, workers } = queue();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: PER_SECOND, retryAfter } });
		const path = `many-${retryAfter}`;
		const id = await activate(onWebhook(path, { ...CREATE, keyword: '={{ $json.item }}' }));
		const keywords = Array.from({ length: COUNT }, (_, index) => `keyword ${index}.`);
		await Promise.all(keywords.map((keyword) => client.webhooks.call(path, { items: [keyword] })));
		const executions = await allEnded(id, COUNT);

		expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(sandbox.state.jobs.map(({ keyword }) => keyword).sort()).toEqual(keywords.sort());
		const ids = executions.flatMap((one) => outputOf(one, NODE).map(({ json }) => json.job_id));
		expect(ids.sort()).toEqual(sandbox.state.jobs.map(({ job_id }) => job_id).sort());
		// Both workers did a fair share: each found its own part of the limit.
		const own = new Set(executions.map((one) => one.id));
		for (const { finished } of await Promise.all(workers.map(executionsOf))) {
			expect(finished.filter((one) => own.has(one)).length).toBeGreaterThan(COUNT / 5);
		}

		const refused = sandbox.requests.filter(({ status }) => status === 429).length;
		const share = refused / sandbox.requestCount;
		process.stdout.write(
			`${COUNT} executions on two workers, ${retryAfter}: ${(100 * share).toFixed(1)} % refused in ${(sandbox.lasted / 1000).toFixed(1)} s\n`,
		);
		expect(share).toBeLessThanOrEqual(0.15);
	},
);
