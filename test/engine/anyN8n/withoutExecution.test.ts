import type { Fault } from '../../../sandbox';
import { advance, until } from '../../support/clock';
import { runWithoutExecution, startWithoutExecution, workflowOf } from '../../support/engine';
import { status } from '../../support/faults';
import { ADD, ADD_MANY, CREATE, keywords, OPERATIONS } from '../../support/parameters';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute, start } = useEngine({ remaining: 1_000 });

describe('a tool that n8n runs without an execution', () => {
	// Add Many Items is not offered to agents.
	const OFFERED = OPERATIONS.filter(([, , { operation }]) => operation !== ADD_MANY.operation);

	it.each(OFFERED)('carries out %s', async (_name, method, parameters) => {
		await execute(ADD);
		const before = sandbox.requests.length;
		const [output] = await runWithoutExecution(parameters, owner);
		expect(output).not.toHaveProperty('error');
		expect(sandbox.requests.slice(before).map((request) => request.method)).toEqual([method]);
	});

	it('is sent again if the model calls it again', async () => {
		const outputs = [
			...(await runWithoutExecution(CREATE, owner, { keyword: 'dentist' })),
			...(await runWithoutExecution(CREATE, owner, { keyword: 'dentist' })),
		];
		expect(outputs).toEqual(sandbox.state.jobs.map(({ job_id }) => ({ job_id })));
		expect(outputs).toHaveLength(2);
	});

	it.each([
		...[400, 401, 402, 403, 404, 405, 409, 413, 418, 422, 500, 502, 503, 303, 307],
		...['drop', 'html', 'notJson', 'noKey', 'noUsage'],
	])('speaks to the model, which has no Retry: %s', async (trouble) => {
		const faults: Record<string, Fault> = {
			drop: { kind: 'drop', carryOut: true },
			html: status(401, { body: '<html>No</html>' }),
			notJson: status(200, { body: 'No' }),
			noUsage: status(404),
		};
		if (trouble !== 'noKey') {
			sandbox.faults.add({ fault: faults[trouble] ?? status(Number(trouble)) });
		}
		const options = trouble === 'noUsage' ? { minRemaining: 5 } : {};
		const credential = trouble === 'noKey' ? { ...owner, apiKey: '' } : owner;
		const [output] = await runWithoutExecution({ ...CREATE, options }, credential);
		const { message } = output!;
		expect(message).toMatch(/\.$/);
		expect(message).not.toMatch(/Retry|Executions|run the workflow|<br>/);
	});
});

describe('a call from an MCP client, which gives up after a minute,', () => {
	/** Calls the tool. @returns its output, and how long it took, in milliseconds */
	async function call(keyword = 'dentist', options = {}) {
		const began = performance.now();
		const [output] = await startWithoutExecution(
			{ ...CREATE, options },
			owner,
			{ keyword },
			'mcpTrigger',
		);
		return { output: output!, took: performance.now() - began };
	}

	const TOO_LATE = 'Not sent, or not answered in time';

	it('begins nothing later than 45 seconds after it, and says what the service last said', async () => {
		sandbox.faults.add({ fault: status(503, { retryAfter: '20' }) });
		const { output, took } = await until(call());
		expect(output.error).toBe(TOO_LATE);
		expect(output.message).toMatch(/^The service is .* wait 20 s\./);
		expect(took).toBe(45_000);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('waits for its turn no longer than that', async () => {
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 1 } });
		const others = keywords(100).map((item) =>
			start(workflowOf(CREATE, [item]), { mode: 'trigger' }),
		);
		await advance(1_000);
		const { output, took } = await until(call('late'));
		expect(output.error).toBe(TOO_LATE);
		expect(took).toBe(45_000);
		await until(Promise.all(others.map(async ({ finished }) => await finished)));
		expect(sandbox.requests.filter(({ rawBody }) => rawBody.includes('late'))).toEqual([]);
	});

	it('is left to finish once it has begun, however long that takes', async () => {
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '40' }) });
		sandbox.faults.add({ fault: { kind: 'delay', ms: 200_000 } });
		const { output, took } = await until(call());
		expect(output).toEqual({ job_id: sandbox.state.jobs[0]!.job_id });
		expect(took).toBeGreaterThan(240_000);
	});
});

it('an agent waits for as long as the service asks', async () => {
	sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '65' }) });
	const output = await runWithoutExecution(CREATE, owner);
	expect(output).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
});
