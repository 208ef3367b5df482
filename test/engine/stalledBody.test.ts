import type { INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { activeTrigger, runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { useLog } from '../support/log';
import { ADD, CREATE, domains, keywords, OPERATIONS } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useQuickTimeouts } from '../support/quickTimeouts';
import { until } from '../support/until';

// The waits between the attempts of a GET are virtual; timeouts and cancellation are real.
const account = useSandbox();
const log = useLog();

/** A slow machine needs a while, but without the timeout a request would last 300 s. */
const AT_ONCE = 10_000;

/** Bodies that start and never end; the request is always carried out. */
const STALLS: Array<[string, Fault]> = [
	['at its beginning', { kind: 'stall', carryOut: true }],
	['after a few bytes', { kind: 'stall', after: 5, carryOut: true }],
	['after a few bytes of gzip', { kind: 'stall', gzip: true, after: 12, carryOut: true }],
	['at the beginning of gzip', { kind: 'stall', gzip: true, carryOut: true }],
	[
		'before its content-length',
		{ kind: 'stall', headers: { 'content-length': '500' }, after: 20, carryOut: true },
	],
];

describe.each(STALLS)('a body that stalls %s', (_where, fault) => {
	it.each(OPERATIONS)('"Timeout" ends %s', async (_name, method, parameters) => {
		const { sandbox, account: owner } = account();
		sandbox.state.blacklists.set('customers', blacklistOf());
		sandbox.faults.add({ fault });
		const started = performance.now();
		const { error } = await runWorkflow(
			workflowOf({ ...parameters, requestOptions: { timeout: 500 } }),
			owner,
		);
		expect(error?.message).toBe('The service did not respond in time');
		expect(sandbox.requests).toHaveLength(method === 'GET' ? 5 : 1);
		expect(performance.now() - started).toBeLessThan(AT_ONCE);
		const isReported = error!.description!.includes('may have been carried out');
		expect(isReported).toBe(method !== 'GET');
	});

	it('"Timeout" ends an item with Continue, and the others are processed', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', fault });
		const { outputs } = await runWorkflow(
			workflowOf({ ...CREATE, requestOptions: { timeout: 2_000 } }, keywords(3), CONTINUE),
			owner,
		);
		expect(outputs.map(({ length }) => length)).toEqual([2, 1]);
		expect(outputs[1]![0]!.json.message).toContain('may have been carried out');
		expect(sandbox.state.jobs).toHaveLength(3);
	});
});

describe('a body that stalls, when the execution is cancelled', () => {
	it.each(OPERATIONS.filter(([, method]) => method === 'GET'))(
		'ends %s at once',
		async (_name, _method, parameters) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: { kind: 'stall', after: 5 } });
			const { finished, cancel } = startWorkflow(workflowOf(parameters), owner);
			await until(() => sandbox.requests.length === 1);
			// Wait for the headers; without them it would be a service that never responds.
			await new Promise((resolve) => setTimeout(resolve, 100));
			const asked = performance.now();
			cancel();
			const { run } = await finished;
			expect(performance.now() - asked).toBeLessThan(AT_ONCE);
			expect(run.status).toBe('canceled');
			expect(sandbox.requests).toHaveLength(1);
		},
	);

	it('ends a POST or DELETE within ten seconds, and logs it as unknown', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.blacklists.set('customers', blacklistOf());
		sandbox.faults.add({ fault: { kind: 'stall', after: 5, carryOut: true } });
		const changing = OPERATIONS.filter(([, method]) => method !== 'GET');
		const started = changing.map(([, , parameters]) =>
			startWorkflow(workflowOf(parameters), owner),
		);
		await until(() => sandbox.requests.length === changing.length);
		const asked = performance.now();
		for (const { cancel } of started) cancel();
		await Promise.all(started.map(async ({ finished }) => await finished));
		expect(performance.now() - asked).toBeGreaterThan(9_000);
		expect(performance.now() - asked).toBeLessThan(9_000 + AT_ONCE);
		expect(sandbox.requests).toHaveLength(changing.length);

		const warnings = log.lines('warn');
		expect(warnings).toHaveLength(changing.length);
		for (const line of warnings) {
			expect(line).toMatch(/was cancelled\. .*0 were done, 1 failed/);
			expect(line).toContain('may have been carried out');
		}
	});
});

describe('the body of a rejection that stalls', () => {
	/**
	 * Creates a job; the status is reported, without a message of the service, and the connection is
	 * closed.
	 */
	async function reject(options: INodeParameters = {}): Promise<number> {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'stall', status: 400, after: 12 } });
		const started = performance.now();
		const { error } = await runWorkflow(workflowOf({ ...CREATE, ...options }), owner);
		const took = performance.now() - started;
		expect(error?.message).toBe('The service rejected the input');
		await until(() => sandbox.requests[0]!.endedAt !== undefined);
		return took;
	}

	it('is read until the timeout of the request', async () => {
		expect(await reject({ requestOptions: { timeout: 500 } })).toBeLessThan(8_000);
	});

	describe('while the request has much more time', () => {
		useQuickTimeouts(20);

		it('is read for ten seconds', async () => {
			const took = await reject();
			expect(took).toBeGreaterThan(10_000 / 20 - 50);
			expect(took).toBeLessThan(8_000);
		});
	});
});

describe('a body that stalls, for the trigger', () => {
	useQuickTimeouts(200);

	it('ends the poll, and the next one works', async () => {
		const { sandbox, account: owner } = account();
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
		expect(await poll()).toBeNull();
		sandbox.faults.add({ fault: { kind: 'stall', after: 5 } });
		await expect(poll()).rejects.toThrow('The service did not respond in time');
		sandbox.faults.clear();
		sandbox.state.remaining = 7;
		expect(await poll()).toMatchObject([{ event: 'allowanceLow', remaining: 7 }]);
	});
});

it('the timeout of a trickling response starts with the request', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ fault: { kind: 'trickle', ms: 50 } });
	const { error } = await runWorkflow(
		workflowOf({ ...ADD, requestOptions: { timeout: 200 } }, domains(1)),
		owner,
	);
	expect(error?.message).toBe('The service did not respond in time');
});
