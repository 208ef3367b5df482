import type { Failure as NodeFailure } from 'n8n-workflow';

import { status } from '../support/faults';
import { until } from '../support/until';
import { triggerOf } from '../support/workflowOf';
import { errorOf, IS_N8N_1, NODE, outputOf, useN8n } from './n8n';

/** Enough for four polls, one a minute at most, and for the pauses that n8n makes after those that fail. */
const LONGEST_MS = 10 * 60_000;

/** A poll that takes longer is abandoned by n8n's durable scheduler, in milliseconds. */
const ABANDONED_AFTER = 45_000;

/** n8n's own timer, which n8n 1.123 has alone, and its durable scheduler, which is off by default. */
const SCHEDULERS: Array<[string, Record<string, string>]> = [
	['timer', {}],
	[
		'durable scheduler',
		{
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
			N8N_LOG_FORMAT: 'json',
		},
	],
];

describe.each(IS_N8N_1 ? SCHEDULERS.slice(0, 1) : SCHEDULERS)("n8n's %s", (scheduler, env) => {
	const n8n = useN8n({ env });

	/** The executions of a workflow, the oldest first. */
	const executionsOf = async (id: string) => (await n8n().client.listExecutions(id)).reverse();

	const isFailed = ({ status }: { status: string }) => status === 'error';

	async function failureOf(executionId: string) {
		const { client } = n8n();
		const { data } = await client.waitForExecution(executionId);
		return (data.resultData.error as { failure?: NodeFailure } | undefined)?.failure;
	}

	it(
		'gets a failure with its cause within the budget; the next poll works, and no event is lost',
		async () => {
			const { client, sandbox, save, log } = n8n();
			sandbox.state.remaining = 500;
			const id = await save(triggerOf({ events: ['allowanceLow', 'allowanceRenewed'] }));
			await client.activate(id);
			await until(() => sandbox.requests[0]?.status === 200, 60_000);

			sandbox.state.remaining = 50;
			sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 50_000 } });
			sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '100' }) });
			await until(() => sandbox.requests.length === 2, LONGEST_MS);
			const begun = performance.now();
			await until(async () => (await executionsOf(id)).some(isFailed), LONGEST_MS);
			expect(performance.now() - begun).toBeLessThan(ABANDONED_AFTER);

			await until(
				async () => (await executionsOf(id)).some((execution) => !isFailed(execution)),
				LONGEST_MS,
			);
			await client.deactivate(id);
			const executions = await executionsOf(id);
			const [late, refused] = executions.filter(isFailed);
			expect(await failureOf(late!.id)).toEqual({ cause: 'temporarily-unavailable' });
			expect(await failureOf(refused!.id)).toEqual({
				cause: 'rate-limited',
				retryAfterMs: 100_000,
			});
			expect(errorOf(await client.waitForExecution(late!.id))?.message).toBe(
				'The service did not answer in time',
			);

			const started = executions.filter((execution) => !isFailed(execution));
			expect(started).toHaveLength(1);
			const { plan } = sandbox.state;
			const output = outputOf(await client.waitForExecution(started[0]!.id), NODE);
			expect(output.map(({ json }) => json)).toEqual([
				{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
			]);
			// Activation, the late one, the refused one, and the one that works: none while it is to wait.
			expect(sandbox.requests).toHaveLength(4);
			expect(sandbox.requests[3]!.at - sandbox.requests[2]!.at).toBeGreaterThanOrEqual(99_000);
			expect(await log()).not.toContain('Poll exceeded its timeout');

			if (scheduler === 'durable scheduler') {
				const backingOff = (await log())
					.split('\n')
					.filter((line) => line.includes('Poll failed; backing off'));
				expect(backingOff).toHaveLength(2);
				expect(backingOff[0]).toContain('"cause":"temporarily-unavailable"');
				expect(backingOff[1]).toContain('"cause":"rate-limited"');
			}
		},
		2 * LONGEST_MS,
	);
});
