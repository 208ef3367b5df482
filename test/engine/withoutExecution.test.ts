import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { advance, until } from '../support/clock';
import {
	runWithoutExecution,
	runWorkflow,
	startWithoutExecution,
	startWorkflow,
	workflowOf,
} from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, keywords, OPERATIONS } from '../support/parameters';

const account = useSandbox({ remaining: 1_000 });

describe('a tool that n8n runs without an execution', () => {
	// Add Many Items is not offered to agents.
	const OFFERED = OPERATIONS.filter(([, , { operation }]) => operation !== ADD_MANY.operation);

	it.each(OFFERED)('carries out %s', async (_name, method, parameters) => {
		const { sandbox, account: owner } = account();
		await runWorkflow(workflowOf(ADD), owner);
		const before = sandbox.requests.length;
		const [output] = await runWithoutExecution(parameters, owner);
		expect(output).not.toHaveProperty('error');
		expect(sandbox.requests.slice(before).map((request) => request.method)).toEqual([method]);
	});

	it('is sent again if the model calls it again', async () => {
		const { sandbox, account: owner } = account();
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
		const { sandbox, account: owner } = account();
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
			account().account,
			{ keyword },
			'mcpTrigger',
		);
		return { output: output!, took: performance.now() - began };
	}

	const askedToWait = (seconds: number) => ({
		error: 'The service is receiving too many requests',
		message: `The service says: "Sandbox fault". It said to wait ${seconds} seconds. Try again later. If "Concurrency" is set, remove it.`,
	});

	it('is answered at once if the service asks to wait for longer, and the next one if that goes on', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '65' }) });
		expect(await until(call())).toEqual({ output: askedToWait(65), took: 0 });
		await advance(15_000);
		const { error, message } = askedToWait(50);
		const output = { error, message: message.replace(/^.*?\. /, '') };
		expect(await until(call())).toEqual({ output, took: 0 });
		expect(sandbox.requests).toHaveLength(1);
		await advance(50_000);
		expect((await until(call())).output).toEqual({ job_id: sandbox.state.jobs[0]!.job_id });
	});

	it('is answered at once if another call is told to wait for longer', async () => {
		const { sandbox } = account();
		// By the automatic limit, the others wait for the first one.
		sandbox.faults.add({ fault: { kind: 'delay', ms: 1_000 } });
		sandbox.faults.add({ fault: status(429, { retryAfter: '65' }) });
		const calls = await until(Promise.all(['a', 'b', 'c'].map(async (name) => await call(name))));
		for (const { output, took } of calls) {
			expect(output.message).toContain('It said to wait 65 seconds.');
			expect(took).toBeLessThan(2_000);
		}
		expect(sandbox.requests).toHaveLength(1);
	});

	it('starts no attempt later than 45 seconds after it', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ fault: status(503, { retryAfter: '20' }) });
		const { output, took } = await until(call());
		expect(output.message).toMatch(/^Tried 3 times\..* It said to wait 20 seconds\./);
		expect(took).toBeLessThan(45_000);
		expect(sandbox.requests).toHaveLength(3);
	});

	it('waits for its turn no longer than that', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'rateLimit', perSecond: 1 } });
		const others = keywords(100).map((item) =>
			startWorkflow(workflowOf(CREATE, [item]), owner, { mode: 'trigger' }),
		);
		await advance(1_000);
		const { output, took } = await until(call('late'));
		expect(output.error).toBe('The request waited too long for its turn');
		expect(took).toBe(45_000);
		await until(Promise.all(others.map(async ({ finished }) => await finished)));
		expect(sandbox.requests.filter(({ rawBody }) => rawBody.includes('late'))).toEqual([]);
	});

	it('is left to finish once it has begun, however long that takes', async () => {
		const { sandbox } = account();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '40' }) });
		sandbox.faults.add({ fault: { kind: 'delay', ms: 200_000 } });
		const { output, took } = await until(call());
		expect(output).toEqual({ job_id: sandbox.state.jobs[0]!.job_id });
		expect(took).toBeGreaterThan(240_000);
	});
});

it('an agent waits for as long as the service asks', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '65' }) });
	const output = await runWithoutExecution(CREATE, owner);
	expect(output).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
});
