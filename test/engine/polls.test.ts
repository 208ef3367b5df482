import { PollContext } from 'n8n-core';
import type { Failure as NodeFailure, WorkflowActivateMode } from 'n8n-workflow';

import { wait } from '../../nodes/shared/time/clock';
import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { advance, settle, until } from '../support/clock';
import {
	activeTrigger,
	type Account,
	runWorkflow,
	searchBlacklists,
	startWorkflow,
	workflowOf,
} from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import { ADD, CREATE, domains, keywords } from '../support/parameters';
import { TESTED_NODE } from '../support/workflowOf';

const given = useSandbox();
const log = useLog();

const EVERY = { events: ['allowanceLow', 'allowanceRenewed', 'planChanged'], threshold: 100 };

/** How long n8n lets a poll take, in milliseconds. */
const BUDGET = 5_000;

/** A trigger after its first poll. */
async function polledTrigger() {
	const poll = activeTrigger(given().account, EVERY);
	await poll();
	return poll;
}

/** The error of a rejected promise, and how long it took. */
async function failed(promise: Promise<unknown>) {
	const begun = performance.now();
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason as Error & { failure?: NodeFailure },
	);
	const { message, failure } = error ?? {};
	return { message, failure, took: performance.now() - begun };
}

describe('a poll ends within its budget', () => {
	it('with the time that n8n takes to read the credential', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		const read = jest.spyOn(PollContext.prototype, 'getCredentials');
		read.mockImplementationOnce(async () => {
			await wait(3_000);
			return account;
		});
		sandbox.faults.add({ fault: { kind: 'hang' } });
		expect(await failed(poll('trigger', { budget: BUDGET, activation: 'update' }))).toMatchObject(
			LATE,
		);
	});

	const LATE = {
		message: 'Not sent, or not answered in time',
		failure: { cause: 'temporarily-unavailable' },
		took: BUDGET,
	};
	const REFUSED_KEY = {
		message: 'The service refused the API key',
		failure: { cause: 'credential-invalid' },
	};

	it.each<[string, Fault, object]>([
		['answers late', { kind: 'delay', ms: BUDGET + 1 }, LATE],
		['never answers', { kind: 'hang' }, LATE],
		['never ends its answer', { kind: 'stall', after: 5 }, LATE],
		['answers byte by byte', { kind: 'trickle', ms: 1_000 }, LATE],
		['never ends a rejection', { kind: 'stall', status: 401, after: 5 }, REFUSED_KEY],
	])('with a service that %s; no event is lost', async (_how, fault, expected) => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		sandbox.state.remaining = 500;
		await poll();
		sandbox.faults.add({ fault });
		sandbox.state.remaining = 50;
		const { took, ...error } = await failed(poll('trigger', { budget: BUDGET }));
		expect({ took, ...error }).toMatchObject(expected);
		expect(took).toBeLessThanOrEqual(BUDGET);
		sandbox.faults.clear();
		expect(await poll()).toMatchObject([
			{ event: 'allowanceLow', remaining: 50, previous: { remaining: 500 } },
		]);
		expect(await poll()).toBeNull();
	});

	it.each<['activate' | 'update', object]>([
		['update', { message: 'n8n did not read the credential in time', failure: LATE.failure }],
		// The first one, which does not end the trigger.
		['activate', { message: undefined }],
	])('when n8n never reads the credential (%s)', async (activation, expected) => {
		const poll = activeTrigger(given().account, EVERY);
		const read = jest.spyOn(PollContext.prototype, 'getCredentials');
		read.mockReturnValueOnce(new Promise(() => {}));
		const budget = BUDGET;
		expect(await failed(poll('trigger', { budget, activation }))).toMatchObject({
			...expected,
			took: BUDGET,
		});
		expect(given().sandbox.requests).toEqual([]);
		given().sandbox.state.remaining = 50;
		expect(await poll()).toMatchObject([{ event: 'allowanceLow' }]);
	});

	it('when its turn does not come', async () => {
		const { sandbox, account } = given();
		const poll = await polledTrigger();
		sandbox.faults.add({ fault: { kind: 'hang' } });
		const others = startWorkflow(workflowOf(ADD, domains(30)), account);
		await until(() => sandbox.requests.length > 1);
		await settle();
		const { length } = sandbox.requests;
		expect(await failed(poll('trigger', { budget: BUDGET }))).toEqual(LATE);
		expect(sandbox.requests).toHaveLength(length);
		others.cancel();
		await until(others.finished);
	});

	it('after a wait that fits into it', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '29' }) });
		expect(await activeTrigger(account, EVERY)()).toBeNull();
		const [first, second] = sandbox.requests;
		expect(second!.at - first!.at).toBeGreaterThanOrEqual(29_000);
	});

	it.each([undefined, 300_000])(
		'after 30 seconds if it has to wait longer, and the next one waits for the rest (budget %p)',
		async (budget) => {
			const { sandbox } = given();
			const poll = await polledTrigger();
			sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '50' }) });
			expect(await failed(poll('trigger', { budget }))).toEqual({
				message: LATE.message,
				failure: { cause: 'rate-limited', retryAfterMs: 50_000 },
				took: 30_000,
			});
			expect(await poll('trigger', { budget })).toBeNull();
			expect(sandbox.requests).toHaveLength(3);
		},
	);
});

describe('a poll beside another one', () => {
	it('may be a test in the editor', async () => {
		const poll = activeTrigger(given().account, EVERY);
		const [polled, tested] = await Promise.all([poll(), poll('manual')]);
		expect(polled).toBeNull();
		expect(tested).toHaveLength(3);
	});

	it('does nothing, and neither loses nor invents an event', async () => {
		const { sandbox } = given();
		const poll = await polledTrigger();
		sandbox.state.remaining = 50;
		const [first, ...others] = [poll(), poll(), poll()];
		expect(await Promise.all(others)).toEqual([null, null]);
		expect(await first).toMatchObject([{ event: 'allowanceLow', previous: { remaining: 1_000 } }]);
		expect(sandbox.requests).toHaveLength(2);
		expect(await poll()).toBeNull();
		expect(sandbox.requests).toHaveLength(3);
	});
});

describe('the first poll', () => {
	/** What the service does, or the address that is entered, and what is said of it. */
	type Failing = [what: string, cause: Fault | string, message: string];

	const MENDED: Failing[] = [
		['401', status(401), 'The service refused the API key'],
		['404', status(404), 'The service could not find what was requested'],
		['a redirect', { kind: 'redirect', to: '/' }, 'The service responded with a redirect to /'],
		[
			'a web page',
			{ kind: 'html' },
			'The response does not match the documentation of the service',
		],
		['no such host', 'http://no-such-host.invalid', 'The host name of the service was not found'],
		['no TLS', 'https://{service}', 'Could not make a secure connection to the service'],
		['an unusable address', 'ftp://example.com', '"Base URL" '],
	];
	const PASSING: Failing[] = [
		[
			'429',
			status(429, { retryAfter: '60' }),
			'Not sent, or not answered in time. The service is receiving too many requests',
		],
		['402', status(402), 'The request allowance of the account is used up'],
		['500', status(500), 'The service could not process the request (status 500)'],
		['502', status(502), 'The service could not process the request (status 502)'],
		['a broken connection', { kind: 'drop' }, 'The connection to the service broke'],
		['nothing listens', 'http://127.0.0.1:1', 'Could not connect to the service'],
	];

	/** A trigger that meets this. */
	const meeting = (cause: Fault | string) => {
		const { account, sandbox } = given();
		if (typeof cause !== 'string') sandbox.faults.add({ fault: cause });
		const { host } = new URL(account.baseUrl);
		const baseUrl = typeof cause === 'string' ? cause.replace('{service}', host) : account.baseUrl;
		return activeTrigger({ ...account, baseUrl }, EVERY);
	};

	/** Fails with this message, which is logged, not thrown. The next poll throws. */
	async function expectLogged(
		poll: ReturnType<typeof activeTrigger>,
		activation: WorkflowActivateMode,
		message: string,
	) {
		expect(await poll('trigger', { activation })).toBeNull();
		const [line, ...more] = log.lines('warn');
		expect(more).toEqual([]);
		expect(line).toContain(
			`${TESTED_NODE}: the first poll failed, the next one tries again. ${message}`,
		);
		expect(line!.split(message)[1]).toMatch(/\. [A-Z]/);
		await expect(poll()).rejects.toMatchObject({ name: 'NodeApiError' });
	}

	describe('at a start of n8n', () => {
		it.each([...MENDED, ...PASSING])('never throws: %s', async (_what, cause, message) => {
			await expectLogged(meeting(cause), 'init', message);
		});

		it('never throws: an invalid field, in another main process', async () => {
			const poll = activeTrigger(given().account, { events: [] });
			await expectLogged(poll, 'leadershipChange', '"Events" is empty');
		});
	});

	describe('at publishing', () => {
		/** Throws with what happened and what to do, in the only field that n8n shows. */
		async function expectThrown(polling: Promise<unknown>, message: string) {
			const said = (await failed(polling)).message!;
			expect(said).toContain(message);
			expect(said.split(message)[1]).toMatch(/\. [A-Z].*\.$/);
		}

		it.each(MENDED)('throws what must be mended: %s', async (_what, cause, message) => {
			const poll = meeting(cause);
			for (const activation of ['activate', 'update'] as const) {
				await expectThrown(poll('trigger', { activation }), message);
			}
			await expect(poll()).rejects.toMatchObject({ message: expect.not.stringContaining('. ') });
			expect(log.lines('warn')).toEqual([]);
		});

		it('throws what must be mended: an invalid field', async () => {
			const poll = activeTrigger(given().account, { events: [] });
			await expectThrown(poll('trigger', { activation: 'activate' }), '"Events" is empty');
		});

		it.each(PASSING)('does not throw what passes: %s', async (_what, cause, message) => {
			await expectLogged(meeting(cause), 'activate', message);
		});
	});

	it('loses no event when it fails: the next one compares with what is saved', async () => {
		const { sandbox, account } = given();
		const remembered = { plan: 'Basic', remaining: 500, lastNumber: 500, isArmed: true };
		const saved = { account: JSON.stringify(['1', account.baseUrl]), at: 1, remembered };
		const poll = activeTrigger(account, EVERY, { [`node:${TESTED_NODE}`]: saved });
		sandbox.faults.add({ times: 1, fault: status(401) });
		sandbox.state.remaining = 50;
		expect(await poll('trigger', { activation: 'init', isReloaded: true })).toBeNull();
		expect(await poll()).toMatchObject([
			{ event: 'allowanceLow', previous: { remaining: 500 } },
			{ event: 'planChanged' },
		]);
	});

	it("is not any poll of n8n's durable scheduler, which has a new context each time", async () => {
		const poll = await polledTrigger();
		given().sandbox.faults.add({ fault: status(503, { retryAfter: '60' }) });
		await expect(poll('trigger', { isReloaded: true, budget: 36_000 })).rejects.toMatchObject({
			httpCode: '503',
		});
	});
});

describe('what is remembered', () => {
	it('is kept even if n8n does not save it, because no event started the workflow', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		const polled = [];
		for (const remaining of [500, 300, 400, 90, 300, 80]) {
			sandbox.state.remaining = remaining;
			const output = await poll('trigger', { isReloaded: true });
			polled.push(output?.map(({ event }) => event));
		}
		expect(polled).toEqual([
			undefined,
			undefined,
			['allowanceRenewed'],
			['allowanceLow'],
			['allowanceRenewed'],
			['allowanceLow'],
		]);
	});

	it('is also kept after an event that was not chosen', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, { ...EVERY, events: ['allowanceRenewed'] });
		const polled = [];
		for (const remaining of [500, 50, 60]) {
			sandbox.state.remaining = remaining;
			sandbox.state.plan = `Plan ${remaining}`;
			polled.push(await poll('trigger', { isReloaded: true }));
		}
		expect(polled).toMatchObject([null, null, [{ previous: { remaining: 50 } }]]);
	});

	it('is the latest usage, even after the clock was set back', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		const { now } = Date;
		const polled = [];
		for (const [hours, remaining] of [
			[3, 500],
			[3, 600],
			[2, 300],
			[1, 400],
		] as const) {
			const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
			sandbox.state.remaining = remaining;
			polled.push(await poll('trigger', { isReloaded: true }));
			clock.mockRestore();
		}
		const renewed = (from: number) => [
			{ event: 'allowanceRenewed', previous: { remaining: from } },
		];
		expect(polled).toMatchObject([null, renewed(500), null, renewed(300)]);
	});

	/** Allowance Low was told with 50 left. */
	const told = (account: Account) => {
		const remembered = { plan: 'Basic', remaining: 50, lastNumber: 50, isArmed: false };
		const saved = { account: JSON.stringify(['1', account.baseUrl]), at: 1, remembered };
		const events = ['allowanceLow'];
		return activeTrigger(account, { ...EVERY, events }, { [`node:${TESTED_NODE}`]: saved });
	};
	const AGAIN = [{ event: 'allowanceLow', remaining: 80, previous: { remaining: 50 } }];

	it.each<[string, NonNullable<Parameters<ReturnType<typeof told>>[1]>]>([
		['a restart', { activation: 'init' }],
		["a restart with n8n's durable scheduler", { budget: 36_000 }],
		['publishing again', { activation: 'activate' }],
	])('arms Allowance Low again after %s, if it was renewed in between', async (_how, first) => {
		const { sandbox, account } = given();
		const poll = told(account);
		if (first.activation === 'activate') {
			sandbox.state.remaining = 50;
			expect(await poll('trigger', { isReloaded: true, budget: 36_000 })).toBeNull();
		}
		sandbox.state.remaining = 80;
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '31' }) });
		await failed(poll('trigger', { isReloaded: true, ...first }));
		await advance(31_000);
		expect(await poll()).toMatchObject(AGAIN);
		sandbox.state.remaining = 90;
		expect(await poll('trigger', { isReloaded: true, budget: 36_000 })).toBeNull();
	});

	it('does not arm it again after a restart, if it was not', async () => {
		const { sandbox, account } = given();
		const poll = told(account);
		sandbox.state.remaining = 50;
		expect(await poll('trigger', { isReloaded: true, activation: 'init' })).toBeNull();
		sandbox.state.remaining = 80;
		expect(await poll()).toBeNull();
	});

	it('does not include an event that n8n dropped: it fires again', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		sandbox.state.remaining = 500;
		await poll();
		sandbox.state.remaining = 50;
		const low = [{ event: 'allowanceLow', previous: { remaining: 500 } }];
		expect(await poll('trigger', { isDropped: true })).toMatchObject(low);
		expect(await poll('trigger', { isReloaded: true })).toMatchObject(low);
		expect(await poll('trigger', { isReloaded: true })).toBeNull();
	});
});

it("an error carries n8n's plain failure", async () => {
	const { sandbox, account } = given();
	sandbox.faults.add({ fault: status(401) });
	const failure = { cause: 'credential-invalid' };
	expect((await failed(activeTrigger(account, EVERY)())).failure).toEqual(failure);
	expect((await failed(searchBlacklists(account))).failure).toEqual(failure);
	const { error } = await runWorkflow(workflowOf(CREATE, keywords(1)), account);
	expect(JSON.parse(JSON.stringify(error?.failure))).toEqual(failure);
});
