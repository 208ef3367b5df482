import { createServer } from 'node:http';

import type { Failure as NodeFailure } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { activeTrigger, runWorkflow, searchBlacklists, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import { ADD_MANY, CREATE, keywords } from '../support/parameters';
import { until } from '../support/until';

const given = useSandbox();

const EVERY = { events: ['allowanceLow', 'allowanceRenewed', 'planChanged'], threshold: 100 };

/** Long enough for a response on a busy machine, in milliseconds. */
const BUDGET = 1_000;

/** Far below any wait of the node itself, in milliseconds. */
const AT_ONCE = 5 * BUDGET;

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; took: number }> {
	const begun = performance.now();
	const result = await work();
	return { result, took: performance.now() - begun };
}

/** The error of a rejected promise, or undefined. */
async function errorOf(promise: Promise<unknown>) {
	return (await promise.then(
		() => undefined,
		(error: unknown) => error,
	)) as { message: string; failure?: NodeFailure } | undefined;
}

describe('a poll ends within its budget', () => {
	const slow: Array<[string, Fault]> = [
		['answers late', { kind: 'delay', ms: 20_000 }],
		['never answers', { kind: 'hang' }],
		['never ends its answer', { kind: 'stall', after: 5 }],
		['answers byte by byte', { kind: 'trickle', ms: 500 }],
	];

	it.each(slow)(
		'with a service that %s; the next poll works, and no event is lost',
		async (_how, fault) => {
			const { sandbox, account } = given();
			const poll = activeTrigger(account, EVERY);
			sandbox.state.remaining = 500;
			await poll();
			sandbox.faults.add({ fault });
			sandbox.state.remaining = 50;
			const { result, took } = await timed(
				async () => await errorOf(poll('trigger', { budget: BUDGET })),
			);
			expect(result).toMatchObject({
				message: 'The service did not respond in time',
				failure: { cause: 'temporarily-unavailable' },
			});
			expect(took).toBeGreaterThan(BUDGET - 100);
			expect(took).toBeLessThan(AT_ONCE);
			sandbox.faults.clear();
			expect(await poll()).toMatchObject([
				{ event: 'allowanceLow', remaining: 50, previous: { remaining: 500 } },
			]);
			expect(await poll()).toBeNull();
		},
	);

	it('with a rejection whose message never ends', async () => {
		const server = createServer((_request, response) => {
			response.writeHead(401, { 'content-type': 'application/json' });
			response.write('{"message": "');
		});
		const baseUrl = `http://127.0.0.1:${await listen(server)}`;
		const poll = activeTrigger({ ...given().account, baseUrl }, EVERY);
		const { result, took } = await timed(
			async () => await errorOf(poll('trigger', { budget: BUDGET })),
		);
		server.closeAllConnections();
		server.close();
		expect(result?.failure).toEqual({ cause: 'credential-invalid' });
		expect(took).toBeLessThan(AT_ONCE);
	});

	it('with a credential that never comes', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		const how = { budget: BUDGET, isWithoutCredential: true };
		const { result, took } = await timed(async () => await errorOf(poll('trigger', how)));
		expect(result).toMatchObject({
			message: 'The credential could not be read in time',
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(took).toBeLessThan(AT_ONCE);
		expect(sandbox.requests).toEqual([]);
		expect(await poll()).toBeNull();
	});

	it('when its turn does not come', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ fault: { kind: 'hang' } });
		// As many as the automatic limit allows in flight at first.
		const others = Array.from({ length: 5 }, () =>
			errorOf(activeTrigger(account, EVERY)('trigger', { budget: 4 * BUDGET })),
		);
		await until(() => sandbox.requests.length === 5);
		const late = await errorOf(activeTrigger(account, EVERY)('trigger', { budget: BUDGET }));
		expect(late).toMatchObject({
			message: 'The request waited too long for its turn',
			failure: { cause: 'temporarily-unavailable' },
		});
		await Promise.all(others);
		expect(sandbox.requests).toHaveLength(5);
		sandbox.faults.clear();
		expect(await activeTrigger(account, EVERY)()).toBeNull();
	});

	it('when its turn does not come again after a failure, which it reports', async () => {
		const { sandbox, account } = given();
		const failure = status(500, { body: { message: 'Database down' } });
		sandbox.faults.add({ times: 1, fault: failure });
		const late = errorOf(activeTrigger(account, EVERY)('trigger', { budget: 3 * BUDGET }));
		await until(() => sandbox.requests.length === 1);
		sandbox.faults.add({ fault: { kind: 'hang' } });
		const others = Array.from({ length: 5 }, () =>
			errorOf(activeTrigger(account, EVERY)('trigger', { budget: 5 * BUDGET })),
		);
		expect(await late).toMatchObject({
			message: 'The service could not process the request (status 500)',
			description: expect.stringContaining('Database down'),
		});
		await Promise.all(others);
	});

	it.each([undefined, 300_000])(
		'throws at once if it would have to wait longer than 30 seconds (budget %p)',
		async (budget) => {
			const { sandbox, account } = given();
			sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '31' }) });
			const poll = activeTrigger(account, EVERY);
			const { result, took } = await timed(async () => await errorOf(poll('trigger', { budget })));
			expect(result?.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 31_000 });
			expect(took).toBeLessThan(AT_ONCE);
		},
	);

	it('throws at once with the requested wait, and sends nothing until it is over', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '100' }) });
		const poll = activeTrigger(account, EVERY);
		const first = await errorOf(poll());
		expect(first).toMatchObject({
			message: 'The service is receiving too many requests',
			failure: { cause: 'rate-limited', retryAfterMs: 100_000 },
		});
		const second = await errorOf(poll());
		expect(second).toMatchObject({ failure: { cause: 'rate-limited' } });
		const { retryAfterMs } = second?.failure as { retryAfterMs: number };
		expect(retryAfterMs).toBeGreaterThan(60_000);
		expect(retryAfterMs).toBeLessThanOrEqual(100_000);
		expect(sandbox.requests).toHaveLength(1);
	});

	it('waits for a Retry-After within the budget', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: '1' }) });
		expect(await activeTrigger(account, EVERY)('trigger', { budget: 20_000 })).toBeNull();
		expect(sandbox.requests).toHaveLength(2);
	});
});

describe('a poll that overlaps another', () => {
	it('says so, and neither loses nor invents an event', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		sandbox.state.remaining = 500;
		await poll();
		sandbox.state.remaining = 50;
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 500 } });
		const slow = poll();
		await until(() => sandbox.requests.length === 2);
		for (const again of [poll(), poll()]) {
			expect(await errorOf(again)).toMatchObject({
				message: 'The previous poll is still in progress',
				failure: { cause: 'temporarily-unavailable' },
			});
		}
		expect(await slow).toMatchObject([{ event: 'allowanceLow', previous: { remaining: 500 } }]);
		expect(sandbox.requests).toHaveLength(2);
		expect(await poll()).toBeNull();
		expect(sandbox.requests).toHaveLength(3);
	});

	it('may be a test in the editor', async () => {
		const { sandbox, account } = given();
		const poll = activeTrigger(account, EVERY);
		sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 500 } });
		const slow = poll();
		await until(() => sandbox.requests.length === 1);
		expect(await poll('manual')).toHaveLength(3);
		expect(await errorOf(poll())).toMatchObject({
			message: 'The previous poll is still in progress',
		});
		expect(await slow).toBeNull();
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
		try {
			for (const [hours, remaining] of [
				[3, 500],
				[3, 600],
				[2, 300],
				[1, 400],
			] as const) {
				jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
				sandbox.state.remaining = remaining;
				polled.push(await poll('trigger', { isReloaded: true }));
			}
		} finally {
			jest.restoreAllMocks();
		}
		const renewed = (from: number) => [
			{ event: 'allowanceRenewed', previous: { remaining: from } },
		];
		expect(polled).toMatchObject([null, renewed(500), null, renewed(300)]);
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

const CAUSES: Array<[Fault, NodeFailure | undefined]> = [
	[status(400), { cause: 'configuration-invalid' }],
	[status(401), { cause: 'credential-invalid' }],
	[status(402), { cause: 'quota-exhausted' }],
	[status(403), { cause: 'credential-invalid' }],
	[status(404), { cause: 'configuration-invalid' }],
	[status(429, { retryAfter: '300' }), { cause: 'rate-limited', retryAfterMs: 300_000 }],
	[status(503, { retryAfter: '300' }), { cause: 'temporarily-unavailable', retryAfterMs: 300_000 }],
	[{ kind: 'html' }, { cause: 'configuration-invalid' }],
	[{ kind: 'redirect', to: 'https://example.com' }, { cause: 'configuration-invalid' }],
];

describe("an error carries n8n's plain failure", () => {
	it.each(CAUSES)('%j, of the trigger and of the node', async (fault, failure) => {
		const { sandbox, account } = given();
		sandbox.faults.add({ fault });
		expect((await errorOf(activeTrigger(account, EVERY)()))?.failure).toEqual(failure);
		sandbox.key = `${account.apiKey}2`;
		const other = { ...account, apiKey: sandbox.key };
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(1)), other);
		expect(JSON.parse(JSON.stringify(error?.failure))).toEqual(failure);
	});

	it('when the node itself refuses to continue', async () => {
		const { sandbox, account } = given();
		sandbox.state.remaining = 5;
		const configuration = { failure: { cause: 'configuration-invalid' } };
		const noBaseUrl = { ...account, baseUrl: 'ftp://example.com' };
		expect(await errorOf(activeTrigger(noBaseUrl, EVERY)())).toMatchObject(configuration);
		expect(await errorOf(searchBlacklists(noBaseUrl))).toMatchObject(configuration);
		const noEvents = { ...EVERY, events: [] };
		expect(await errorOf(activeTrigger(account, noEvents)())).toMatchObject(configuration);
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(1)), noBaseUrl);
		expect(error).toMatchObject(configuration);
		const many = { ...ADD_MANY, options: { concurrency: 0 } };
		expect((await runWorkflow(workflowOf(many), account)).error).toMatchObject(configuration);
		const guarded = { ...CREATE, options: { minRemaining: 50 } };
		expect((await runWorkflow(workflowOf(guarded), account)).error).toMatchObject({
			failure: { cause: 'quota-exhausted' },
		});
		expect(sandbox.requests).toHaveLength(1);
	});

	it('when the usage that a job needs cannot be read', async () => {
		const { sandbox, account } = given();
		sandbox.faults.add({ method: 'GET', fault: status(401) });
		const guarded = { ...CREATE, options: { minRemaining: 50 } };
		expect((await runWorkflow(workflowOf(guarded), account)).error).toMatchObject({
			failure: { cause: 'credential-invalid' },
		});
	});

	it('when the service cannot be reached', async () => {
		const { account } = given();
		const nowhere = { ...account, baseUrl: 'http://127.0.0.1:9' };
		const { error } = await runWorkflow(workflowOf({ ...CREATE }, keywords(1)), nowhere);
		expect(error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
	}, 60_000);
});
