import { PollContext } from 'n8n-core';
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { wait } from '../../nodes/shared/time/clock';
import type { Fault } from '../../sandbox';
import { advance, settle, until } from '../support/clock';
import { activeTrigger } from '../support/engine';
import { status } from '../support/faults';
import { ADD, domains } from '../support/parameters';
import { useEngine } from '../support/useEngine';
import { TESTED_NODE } from '../support/workflowOf';

const { sandbox, owner, start, log } = useEngine();

const EVERY = { events: ['allowanceLow', 'allowanceRenewed', 'planChanged'], threshold: 100 };

/** How long n8n lets a poll take, in milliseconds. */
const BUDGET = 5_000;

/** A poll of n8n's durable scheduler. */
const DURABLE = { isReloaded: true, budget: 36_000 };

/** A trigger after its first poll. */
async function polledTrigger() {
	const poll = activeTrigger(owner, EVERY);
	await poll();
	return poll;
}

/** A trigger of which n8n has saved this. */
function savedTrigger(usage: IDataObject, events: readonly string[] = EVERY.events) {
	const { remaining: lastNumber } = usage;
	const account = JSON.stringify(['1', owner.baseUrl]);
	const saved = { account, plan: 'Basic', lastNumber, ...usage };
	return activeTrigger(
		owner,
		{ ...EVERY, events: [...events] },
		{ [`node:${TESTED_NODE}`]: saved },
	);
}

/** The error of a rejected promise, and how long it took. */
async function failed(promise: Promise<unknown>) {
	const begun = performance.now();
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason as NodeApiError,
	);
	const { name, message, description, httpCode } = error ?? {};
	return { name, message, description, httpCode, took: performance.now() - begun };
}

describe('a poll ends within its budget', () => {
	const LATE = { message: expect.any(String), took: BUDGET };

	it('with the time that n8n takes to read the credential', async () => {
		const poll = activeTrigger(owner, EVERY);
		const read = jest.spyOn(PollContext.prototype, 'getCredentials');
		read.mockImplementationOnce(async () => {
			await wait(3_000);
			return owner;
		});
		sandbox.faults.add({ fault: { kind: 'hang' } });
		expect(await failed(poll('trigger', { budget: BUDGET }))).toMatchObject(LATE);
	});

	it.each<[string, Fault, object]>([
		['answers late', { kind: 'delay', ms: BUDGET + 1 }, LATE],
		['never answers', { kind: 'hang' }, LATE],
		['never ends its answer', { kind: 'stall', after: 5 }, LATE],
		['answers byte by byte', { kind: 'trickle', ms: 1_000 }, LATE],
		[
			'never ends a rejection',
			{ kind: 'stall', status: 401, after: 5 },
			{ message: expect.stringMatching(/^The service refused the API key\. /) },
		],
	])('with a service that %s; no event is lost', async (_how, fault, expected) => {
		sandbox.state.remaining = 500;
		const poll = await polledTrigger();
		sandbox.faults.add({ fault });
		sandbox.state.remaining = 50;
		const failure = await failed(poll('trigger', { budget: BUDGET }));
		expect(failure).toMatchObject(expected);
		expect(failure.took).toBeLessThanOrEqual(BUDGET);
		sandbox.faults.clear();
		expect(await poll()).toMatchObject([
			{ event: 'allowanceLow', remaining: 50, previous: { remaining: 500 } },
		]);
		expect(await poll()).toBeNull();
	});

	it.each([
		['activate', 'n8n did not read the credential in time. Nothing was sent. '],
		['init', undefined],
	] as const)('when n8n never reads the credential (%s)', async (activation, said) => {
		const poll = activeTrigger(owner, EVERY);
		const read = jest.spyOn(PollContext.prototype, 'getCredentials');
		read.mockReturnValueOnce(new Promise(() => {}));
		expect(await failed(poll('trigger', { budget: BUDGET, activation }))).toMatchObject({
			message: said && expect.stringContaining(said),
			took: BUDGET,
		});
		expect(sandbox.requests).toEqual([]);
		sandbox.state.remaining = 50;
		expect(await poll()).toMatchObject([{ event: 'allowanceLow' }]);
	});

	it('when its turn does not come', async () => {
		const poll = await polledTrigger();
		sandbox.faults.add({ fault: { kind: 'hang' } });
		const others = start(ADD, domains(30));
		await until(() => sandbox.requests.length > 1);
		await settle();
		const { length } = sandbox.requests;
		expect(await failed(poll('trigger', { budget: BUDGET }))).toMatchObject(LATE);
		expect(sandbox.requests).toHaveLength(length);
		await others.stop();
	});

	it('of ten seconds at publishing: n8n gives up after 84, and tries five times', async () => {
		sandbox.faults.add({ fault: status(503, { body: { message: 'Closed.' }, retryAfter: '15' }) });
		const { message, took } = await failed(activeTrigger(owner, EVERY)());
		expect(message).toContain('The service says: "Closed"');
		expect(took).toBeLessThanOrEqual(10_000);
	});

	it('after a wait that fits into it', async () => {
		const poll = await polledTrigger();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '29' }) });
		expect(await poll()).toBeNull();
		const [, first, second] = sandbox.requests;
		expect(second!.at - first!.at).toBeGreaterThanOrEqual(29_000);
	});

	it.each([undefined, 300_000])(
		'of 30 seconds if it would have to wait longer (budget %p)',
		async (budget) => {
			const poll = await polledTrigger();
			sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '31' }) });
			const { message, took } = await failed(poll('trigger', { budget }));
			expect(message).toBeDefined();
			expect(took).toBeLessThanOrEqual(30_000);
			expect(sandbox.requests).toHaveLength(2);
		},
	);

	it('while a requested wait goes on, in which nothing is sent', async () => {
		const poll = await polledTrigger();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '100' }) });
		for (let polls = 0; polls < 3; polls++) {
			const { message, took } = await failed(poll('trigger', { budget: BUDGET }));
			expect(message).toBeDefined();
			expect(took).toBeLessThanOrEqual(BUDGET);
		}
		expect(sandbox.requests).toHaveLength(2);
		await advance(100_000);
		expect(await poll()).toBeNull();
	});
});

describe('a poll beside another one', () => {
	it('may be a test in the editor', async () => {
		const poll = activeTrigger(owner, EVERY);
		const [polled, tested] = await Promise.all([poll(), poll('manual')]);
		expect(polled).toBeNull();
		expect(tested).toHaveLength(3);
	});

	it('does nothing, and neither loses nor invents an event', async () => {
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
	/** What the service does, or what is entered, and what is said of it. */
	type Failing = [string, { fault?: Fault; baseUrl?: string; events?: [] }, said: string];

	const FAILING: Failing[] = [
		['HTML', { fault: status(400, { body: { message: '<b> &amp;' } }) }, 'says: "<b> &amp;"'],
		['401', { fault: status(401) }, 'The service refused the API key'],
		['402', { fault: status(402) }, 'The request allowance of the account is used up'],
		['404', { fault: status(404) }, 'The service could not find what was requested'],
		['429', { fault: status(429, { retryAfter: '60' }) }, 'receiving too many requests'],
		['500', { fault: status(500) }, 'could not process the request (status 500)'],
		['502', { fault: status(502) }, 'could not process the request (status 502)'],
		['a redirect', { fault: { kind: 'redirect', to: '/' } }, 'responded with a redirect to /'],
		['a web page', { fault: { kind: 'html' } }, 'does not match the documentation'],
		['a broken connection', { fault: { kind: 'drop' } }, 'The connection to the service broke'],
		['no such host', { baseUrl: 'http://no-such-host.invalid' }, 'The host name of the service'],
		['nothing listens', { baseUrl: 'http://127.0.0.1:1' }, 'Could not connect to the service'],
		['no TLS', { baseUrl: 'https://{service}' }, 'Could not make a secure connection'],
		['an unusable address', { baseUrl: 'ftp://example.com' }, '"Base URL" '],
		['an invalid field', { events: [] }, '"Events" is empty'],
	];

	/** A trigger that meets this. */
	const meeting = ({ fault, baseUrl, ...fields }: Failing[1]) => {
		if (fault) sandbox.faults.add({ fault });
		const { host } = new URL(owner.baseUrl);
		const address = (baseUrl ?? owner.baseUrl).replace('{service}', host);
		return activeTrigger({ ...owner, baseUrl: address }, { ...EVERY, ...fields });
	};

	/** Expects what happened, and behind it what to do. */
	function expectBoth(text: string | undefined, said: string) {
		expect(text).toContain(said);
		expect(text!.split(said)[1]).toMatch(/\. [A-Z].*\.$/);
	}

	it.each(FAILING)('never throws at a start of n8n: %s', async (_what, cause, said) => {
		const poll = meeting(cause);
		expect(await poll('trigger', { activation: 'init' })).toBeNull();
		const [line, ...more] = log.lines('warn');
		expect(more).toEqual([]);
		expect(line).toContain(`${TESTED_NODE}: the first poll failed, the next one tries again. `);
		expectBoth(line, said);
		await expect(poll()).rejects.toMatchObject({ name: 'NodeApiError' });
	});

	it('never throws when another main process takes over, however often', async () => {
		const poll = await polledTrigger();
		sandbox.faults.add({ fault: status(401) });
		for (let times = 0; times < 2; times++) {
			expect(await poll('trigger', { activation: 'leadershipChange' })).toBeNull();
			await expect(poll()).rejects.toMatchObject({ httpCode: '401' });
		}
	});

	describe.each([
		['at publishing', { activation: 'activate' }],
		['at publishing again', { activation: 'update' }],
		["of n8n's durable scheduler, as any other", DURABLE],
	] as const)('%s', (_when, how) => {
		it.each(FAILING)('throws, with all in the message: %s', async (_what, cause, said) => {
			const poll = meeting(cause);
			const error = await failed(poll('trigger', how));
			expectBoth(error.message, said);
			const { fault } = cause;
			expect(error).toMatchObject({ name: 'NodeApiError', description: '' });
			if (fault?.kind === 'status') expect(error.httpCode).toBe(String(fault.status));
			await expect(poll()).rejects.toMatchObject({ name: 'NodeApiError' });
			expect(log.lines('warn')).toEqual([]);
		});
	});

	it('loses no event when it fails: the next one compares with what is saved', async () => {
		const poll = savedTrigger({ remaining: 500, isArmed: true });
		sandbox.faults.add({ times: 1, fault: status(401) });
		sandbox.state.remaining = 50;
		expect(await poll('trigger', { activation: 'init', isReloaded: true })).toBeNull();
		expect(await poll()).toMatchObject([
			{ event: 'allowanceLow', previous: { remaining: 500 } },
			{ event: 'planChanged' },
		]);
	});
});

describe('what is remembered', () => {
	it('is kept even if n8n does not save it, because no event started the workflow', async () => {
		const poll = activeTrigger(owner, EVERY);
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
		const poll = activeTrigger(owner, { ...EVERY, events: ['allowanceRenewed'] });
		const polled = [];
		for (const remaining of [500, 50, 60]) {
			sandbox.state.remaining = remaining;
			sandbox.state.plan = `Plan ${remaining}`;
			polled.push(await poll('trigger', { isReloaded: true }));
		}
		expect(polled).toMatchObject([null, null, [{ previous: { remaining: 50 } }]]);
	});

	/** Allowance Low was told with 50 left. */
	const TOLD = [{ remaining: 50, isArmed: false }, ['allowanceLow']] as const;
	const AGAIN = [{ event: 'allowanceLow', remaining: 80, previous: { remaining: 50 } }];

	it.each([
		['a restart', { isReloaded: true, activation: 'init' }],
		["a restart with n8n's durable scheduler", DURABLE],
	] as const)('arms Allowance Low again after %s, if more remain', async (_, how) => {
		const poll = savedTrigger(...TOLD);
		sandbox.state.remaining = 80;
		sandbox.faults.add({ times: 1, fault: status(401) });
		await failed(poll('trigger', how));
		expect(await poll()).toMatchObject(AGAIN);
		sandbox.state.remaining = 90;
		expect(await poll('trigger', DURABLE)).toBeNull();
	});

	it('does not arm it again at a later poll', async () => {
		const poll = savedTrigger(...TOLD);
		sandbox.state.remaining = 50;
		expect(await poll('trigger', { isReloaded: true, activation: 'init' })).toBeNull();
		sandbox.state.remaining = 80;
		expect(await poll()).toBeNull();
	});

	it('does not include an event that n8n dropped: it fires again', async () => {
		const poll = activeTrigger(owner, EVERY);
		sandbox.state.remaining = 500;
		await poll();
		Object.assign(sandbox.state, { remaining: 50, plan: 'Other' });
		const events = [
			{ event: 'allowanceLow', previous: { remaining: 500 } },
			{ event: 'planChanged', previous: { remaining: 500 } },
		];
		expect(await poll('trigger', { isDropped: true })).toMatchObject(events);
		expect(await poll('trigger', { isReloaded: true })).toMatchObject(events);
		expect(await poll('trigger', { isReloaded: true })).toBeNull();
	});
});
