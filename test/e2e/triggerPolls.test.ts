import { status } from '../support/faults';
import { until } from '../support/until';
import { triggerOf } from '../support/workflowOf';
import { errorOf, IS_N8N_1, NODE, outputOf, useN8n } from './n8n';

/** Enough for four polls, at most one per minute, and for n8n's pauses after failed polls. */
const LONGEST_MS = 10 * 60_000;

/** The time after which n8n's durable scheduler abandons a poll, in milliseconds. */
const ABANDONED_AFTER = 45_000;

const DURABLE = 'durable scheduler';

/** n8n 1.123 has only its timer; the durable scheduler of n8n 2 is off by default. */
const SCHEDULERS: Array<[string, Record<string, string>]> = [
	['timer', {}],
	[
		DURABLE,
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

	/** The executions of a workflow with this status, oldest first. */
	async function executionsOf(id: string, status: 'error' | 'success') {
		const { client } = n8n();
		const executions = (await client.listExecutions(id)).filter((one) => one.status === status);
		return await Promise.all(
			executions.reverse().map(async ({ id }) => await client.waitForExecution(id)),
		);
	}

	/** @returns the execution of this number, counted from 0 */
	async function nthExecution(id: string, status: 'error' | 'success', nth: number) {
		await until(async () => (await executionsOf(id, status)).length > nth, LONGEST_MS);
		return (await executionsOf(id, status))[nth]!;
	}

	it(
		'gets a failure with its cause within the budget; the next poll works, and no event is lost',
		async () => {
			const { client, sandbox, save, log } = n8n();
			sandbox.state.remaining = 500;
			const id = await save(triggerOf({ events: ['allowanceLow', 'allowanceRenewed'] }));
			await client.activate(id);
			await until(() => sandbox.requests[0]?.status === 200, 60_000);

			// n8n's durable scheduler saves nothing of this first poll: the node has to remember it.
			const sent = sandbox.requests.length;
			sandbox.state.remaining = 50;
			sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 50_000 } });
			await until(() => sandbox.requests.length > sent, LONGEST_MS);
			const begun = performance.now();
			const late = await nthExecution(id, 'error', 0);
			expect(performance.now() - begun).toBeLessThan(ABANDONED_AFTER);
			expect(errorOf(late)?.message).toBe('The service did not respond in time');

			sandbox.faults.clear();
			sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '100' }) });
			const refused = await nthExecution(id, 'error', 1);
			expect(errorOf(refused)).toMatchObject({
				message: 'The service is receiving too many requests',
				description: expect.stringContaining('It asked to wait 100 seconds'),
			});

			const started = await nthExecution(id, 'success', 0);
			await client.deactivate(id);
			expect(await executionsOf(id, 'success')).toHaveLength(1);
			const { plan } = sandbox.state;
			expect(outputOf(started, NODE).map(({ json }) => json)).toEqual([
				{ event: 'allowanceLow', plan, remaining: 50, previous: { plan, remaining: 500 } },
			]);
			// The late poll, the refused one and the successful one: nothing is sent during the wait.
			expect(sandbox.requests).toHaveLength(sent + 3);
			const [, again, last] = sandbox.requests.slice(sent);
			expect(last!.at - again!.at).toBeGreaterThanOrEqual(99_000);

			if (scheduler === DURABLE) {
				expect(await failuresIn(log())).toEqual([
					{ cause: 'temporarily-unavailable', type: 'transient' },
					{ cause: 'rate-limited', type: 'transient', delayMs: 100_000 },
				]);
			}
		},
		2 * LONGEST_MS,
	);
});

/** The failed polls in the log of n8n's durable scheduler, without the pauses chosen by n8n. */
async function failuresIn(log: Promise<string>) {
	const lines = (await log)
		.split('\n')
		.filter((line) => line.includes('"Poll failed; backing off"'));
	return lines.map((line) => {
		const { metadata } = JSON.parse(line) as {
			metadata: { cause: string; type: string; delayMs: number };
		};
		const { cause, type, delayMs } = metadata;
		return delayMs < 60_000 ? { cause, type } : { cause, type, delayMs };
	});
}
