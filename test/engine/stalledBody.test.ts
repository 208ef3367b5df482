import type { INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { advance, until } from '../support/clock';
import { activeTrigger, runWorkflow, startWorkflow, workflowOf } from '../support/engine';
import { useLog } from '../support/log';
import { ADD, CREATE, DELETE, keywords, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();
const log = useLog();

/** What something returns, and how long it takes, in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<[result: T, milliseconds: number]> {
	const started = performance.now();
	return [await work, performance.now() - started];
}

const withTimeout = (parameters: INodeParameters) =>
	workflowOf({ ...parameters, requestOptions: { timeout: 500 } });

/** A body that starts and never ends; the request is carried out. */
const STALL: Fault = { kind: 'stall', after: 5, carryOut: true };

describe('"Timeout" ends a response', () => {
	it.each<[string, Fault]>([
		['without a body', { kind: 'stall', carryOut: true }],
		['that stalls after a few bytes', STALL],
		['that stalls after a few bytes of gzip', { ...STALL, gzip: true, after: 12 }],
		['that is shorter than its length', { ...STALL, headers: { 'content-length': '500' } }],
		['that comes byte by byte', { kind: 'trickle', ms: 50 }],
	])('%s', async (_what, fault) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault });
		const [{ error }, took] = await timed(runWorkflow(withTimeout(ADD), owner));
		expect(took).toBe(500);
		expect(error?.message).toBe('The service did not respond in time');
		expect(error?.description).toContain('may have been carried out');
		expect(sandbox.requests).toHaveLength(1);
	});

	it('of a GET, which is tried again', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ times: 1, fault: STALL });
		const { json } = await runWorkflow(withTimeout(USAGE), owner);
		expect(json).toHaveLength(1);
		const [first, second] = sandbox.requests;
		expect(first!.endedAt! - first!.at).toBe(500);
		expect(second!.at).toBeGreaterThan(first!.endedAt!);
	});

	it('with Continue, and the other items are processed', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 1.', fault: STALL });
		const { outputs } = await runWorkflow(workflowOf(CREATE, keywords(3), CONTINUE), owner);
		expect(outputs.map(({ length }) => length)).toEqual([2, 1]);
		expect(outputs[1]![0]!.json.message).toContain('may have been carried out');
		expect(sandbox.state.jobs).toHaveLength(3);
	});
});

describe('a response that stalls, when the execution is cancelled,', () => {
	it('ends at once, of a GET', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: STALL });
		const { finished, cancel } = startWorkflow(workflowOf(USAGE), owner);
		await until(() => sandbox.requests[0]?.status !== undefined);
		cancel();
		const [{ run }, took] = await timed(until(finished));
		expect(took).toBe(0);
		expect(run.status).toBe('canceled');
		await advance(60_000);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('ends after ten seconds, of a DELETE, and may have been carried out', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.blacklists.set('customers', blacklistOf());
		sandbox.faults.add({ fault: STALL });
		const { finished, cancel } = startWorkflow(workflowOf(DELETE), owner);
		await until(() => sandbox.requests[0]?.status !== undefined);
		cancel();
		const [, took] = await timed(until(finished));
		expect(took).toBe(10_000);
		await advance(60_000);
		expect(sandbox.requests).toHaveLength(1);
		expect(log.lines('warn')).toEqual([
			expect.stringMatching(/was cancelled\. .*0 were done, 1 failed.*may have been carried out/),
		]);
	});
});

describe('the body of a rejection that stalls', () => {
	it.each([
		['until the timeout of the request', { requestOptions: { timeout: 500 } }, 500],
		['for a second, if the request has more time', {}, 1_000],
	])('is read %s', async (_how, options, expected) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'stall', status: 400, after: 12 } });
		const [{ error }, took] = await timed(
			runWorkflow(workflowOf({ ...CREATE, ...options }), owner),
		);
		expect(took).toBe(expected);
		expect(error?.message).toBe('The service rejected the input');
		await until(() => sandbox.requests[0]!.endedAt !== undefined);
	});
});

it('a response that stalls ends a poll within 30 seconds, and the next one works', async () => {
	const { sandbox, account: owner } = account();
	const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
	expect(await poll()).toBeNull();
	sandbox.faults.add({ fault: STALL });
	const [, took] = await timed(
		expect(poll()).rejects.toThrow('The service did not respond in time'),
	);
	expect(took).toBe(30_000);
	sandbox.faults.clear();
	sandbox.state.remaining = 7;
	expect(await poll()).toMatchObject([{ event: 'allowanceLow', remaining: 7 }]);
});
