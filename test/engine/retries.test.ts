import type { Fault } from '../../sandbox';
import { blacklistOf } from '../../sandbox';
import { useSandbox } from '../support/account';
import { runWorkflow, searchBlacklists, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, OPERATIONS, USAGE } from '../support/parameters';
import { CONTINUE } from '../support/settings';

const account = useSandbox();

/** A second, doubled with each attempt, with the jitter fixed at its middle. */
const BACKOFF = [750, 1500, 3000, 6000];

/**
 * How much later the next attempt may start, in milliseconds: after a pause requests start at a rate,
 * and with a random delay.
 */
const LATE = 2_000;

function expectGaps(expected: number[]): void {
	const times = gaps(account().sandbox.requests);
	expect(times).toHaveLength(expected.length);
	expected.forEach((wait, index) => {
		expect(times[index]).toBeGreaterThanOrEqual(wait);
		expect(times[index]).toBeLessThanOrEqual(wait + LATE);
	});
}

/** The gaps between attempts for each kind of failure, for a GET and for a POST or DELETE. */
const TABLE: Array<[what: string, fault: Fault, get: number[], others: number[]]> = [
	['429', status(429), BACKOFF, BACKOFF],
	['429 with seconds', status(429, { retryAfter: '7' }), Array(4).fill(7000), Array(4).fill(7000)],
	['429 with a wait of zero', status(429, { retryAfter: '0' }), BACKOFF, BACKOFF],
	[
		'429 with the longest wait',
		status(429, { retryAfter: '120' }),
		Array(4).fill(120_000),
		Array(4).fill(120_000),
	],
	['429 with a longer wait', status(429, { retryAfter: '121' }), [], []],
	[
		'503 with Retry-After',
		status(503, { retryAfter: '2' }),
		// If the service keeps refusing, Retry-After was too short.
		[2000, 2000, 3000, 6000],
		[2000, 2000, 3000, 6000],
	],
	['503 with a longer wait', status(503, { retryAfter: '3600' }), [], []],
	['503', status(503), BACKOFF, []],
	['500', status(500), BACKOFF, []],
	['504', status(504), BACKOFF, []],
	['a broken connection', { kind: 'drop' }, BACKOFF, []],
	['a connection broken in the middle of the response', { kind: 'cut' }, BACKOFF, []],
	['no response in time', { kind: 'hang' }, BACKOFF, []],
	['400', status(400), [], []],
	['401', status(401), [], []],
	['402', status(402), [], []],
	['404', status(404), [], []],
	['a redirect', { kind: 'redirect', to: '/elsewhere' }, [], []],
	['a web page', { kind: 'html' }, [], []],
	['a wrong shape', { kind: 'json', body: {} }, [], []],
];

/** A short timeout only where a request hangs: other responses need time on a slow machine. */
const patienceFor = ({ kind }: Fault) =>
	kind === 'hang' ? { requestOptions: { timeout: 500 } } : {};

const SINGLE_REQUESTS = OPERATIONS.filter(([, , parameters]) => parameters !== ADD_MANY);

describe.each(TABLE)('%s', (_what, fault, get, others) => {
	it.each(SINGLE_REQUESTS)('%s', async (_name, method, parameters) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault });
		const expected = method === 'GET' ? get : others;
		const { error } = await runWorkflow(
			workflowOf({ ...parameters, ...patienceFor(fault) }),
			owner,
		);

		expect(error).toBeDefined();
		expectGaps(expected);
		const attempts = expected.length === 0 ? /^(?!Tried)/ : /^Tried 5 times\./;
		expect(error?.description).toMatch(attempts);
	});

	it.each(SINGLE_REQUESTS)(
		'%s succeeds once the service recovers, if it is retried',
		async (_name, method, parameters) => {
			const { sandbox, account: owner } = account();
			sandbox.state.blacklists.set('customers', blacklistOf());
			sandbox.faults.add({ times: 2, fault });
			const { error } = await runWorkflow(
				workflowOf({ ...parameters, ...patienceFor(fault) }),
				owner,
			);
			const isRetried = (method === 'GET' ? get : others).length > 0;
			expect(error === undefined).toBe(isRetried);
			expect(sandbox.requests).toHaveLength(isRetried ? 3 : 1);
		},
	);
});

it('honors Retry-After as a date', async () => {
	const { sandbox, account: owner } = account();
	const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000).toUTCString();
	sandbox.faults.add({ times: 1, fault: status(429, { retryAfter: date }) });
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	expect(error).toBeUndefined();
	const [wait, ...others] = gaps(sandbox.requests);
	expect(others).toEqual([]);
	expect(wait).toBeGreaterThan(58_000);
	expect(wait).toBeLessThanOrEqual(61_000 + LATE);
});

it('reads the date by the clock of the service', async () => {
	const { sandbox, account: owner } = account();
	const date = 'Fri, 01 Jan 2021 12:00:00 GMT';
	const headers = { date, 'retry-after': 'Fri, 01 Jan 2021 12:05:00 GMT' };
	sandbox.faults.add({ fault: status(429, { headers }) });
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	expect(error?.description).toContain('It asked to wait 300 seconds;');
});

it('reports a wait that is too long', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ fault: status(429, { retryAfter: '3600' }) });
	const { error } = await runWorkflow(workflowOf(CREATE), owner);
	expect(error).toMatchObject({
		message: 'The service is receiving too many requests',
		description: expect.stringContaining(
			'It asked to wait 3600 seconds; this node waits at most 120 seconds.',
		),
		httpCode: '429',
	});
});

it.each([
	['the port is closed', 'http://127.0.0.1:1', BACKOFF],
	['the host does not exist', 'http://no-such-host.invalid', BACKOFF],
])('retries a POST when %s, because nothing was sent', async (_what, baseUrl, expected) => {
	const { error } = await runWorkflow(workflowOf(CREATE), { ...account().account, baseUrl });
	expect(waits).toEqual(expected);
	expect(error?.description).toMatch(/^Tried 5 times\. System code: E[A-Z]+\. Nothing was sent\./);
});

it('does not retry a TLS error', async () => {
	const { account: owner } = account();
	const baseUrl = owner.baseUrl.replace('http:', 'https:');
	const { error } = await runWorkflow(workflowOf(USAGE), { ...owner, baseUrl });
	expect(error?.message).toMatch(/secure connection/);
	expect(waits).toEqual([]);
});

it.each([
	['Job: Create', CREATE],
	['Add Item', ADD],
])('a request that is always told to wait fails alone (%s)', async (_what, parameters) => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ match: 'refused', fault: status(429) });
	const items = Array.from({ length: 60 }, (_, index) => {
		const value = index === 10 ? 'refused.example' : `accepted${index}.example`;
		return { keyword: value, value };
	});
	const { outputs } = await runWorkflow(workflowOf(parameters, items, CONTINUE), owner);
	expect(outputs[0]).toHaveLength(59);
	expect(outputs[1]).toMatchObject([{ pairedItem: { item: 10 } }]);
});

describe('an outage', () => {
	const items = Array.from({ length: 30 }, () => ({}));

	it('gets 50 retries per run, then one attempt per request', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: status(500) });
		const { outputs } = await runWorkflow(workflowOf(USAGE, items, CONTINUE), owner);
		expect(outputs[1]).toHaveLength(30);
		expect(sandbox.requests).toHaveLength(30 + 50);
	});

	it('of five pauses in a row ends the waits of the run: later items are not sent', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: status(429) });
		const { outputs } = await runWorkflow(
			workflowOf({ ...ADD, options: { concurrency: 1 } }, items.slice(0, 20), CONTINUE),
			owner,
		);
		expect(outputs[1]).toHaveLength(20);
		const errors = outputs[1]!.map(({ json }) => json.error);
		expect(errors[0]).toBe('The service is receiving too many requests');
		expect(new Set(errors.slice(1))).toEqual(
			new Set(['Not sent: the service keeps asking to wait']),
		);
		expect(sandbox.requests).toHaveLength(5);
	});
});

it('retries the request of the dropdown', async () => {
	const { sandbox, account: owner } = account();
	sandbox.faults.add({ times: 2, fault: status(502) });
	expect(await searchBlacklists(owner)).toEqual({ results: [] });
	expect(sandbox.requests).toHaveLength(3);
});
