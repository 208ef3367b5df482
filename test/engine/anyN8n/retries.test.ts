import { blacklistOf, type Fault } from '../../../sandbox';
import { searchBlacklists } from '../../support/engine';
import { status } from '../../support/faults';
import { ADD, CREATE, DELETE, domains, USAGE } from '../../support/parameters';
import { CONTINUE } from '../../support/settings';
import { useEngine } from '../../support/useEngine';

const { sandbox, owner, execute } = useEngine();

/** A second, doubled with each attempt, with the jitter at its middle. */
const BACKOFF = [750, 1_500, 3_000, 6_000];

/** How long after each request the next one arrived, in milliseconds. */
function gaps(): number[] {
	const times = sandbox.requests.map(({ at }) => at);
	return times.slice(1).map((time, index) => time - times[index]!);
}

const CHANGING = [
	['POST', CREATE],
	['DELETE', DELETE],
] as const;

const DATE = {
	date: 'Fri, 01 Jan 2021 12:00:00 GMT',
	'retry-after': 'Fri, 01 Jan 2021 12:01:00 GMT',
};

/** How much later than asked a request may start, in milliseconds: clients do not all start at once. */
const SPREAD = 1_000;

describe.each<[what: string, fault: Fault, waits: number[]]>([
	['429', status(429), [750, 1_500]],
	['429 with seconds', status(429, { retryAfter: '7' }), [7_000, 7_000]],
	['429 with a date by the clock of the service', status(429, { headers: DATE }), [60_000]],
	['429 with the longest wait', status(429, { retryAfter: '120' }), [120_000]],
	['429 with a wait of zero', status(429, { retryAfter: '0' }), [750, 1_500]],
	['503 with Retry-After', status(503, { retryAfter: '2' }), [2_000, 2_000]],
])('%s is waited for', (_what, fault, waits) => {
	it.each([...CHANGING, ['GET', USAGE] as const])('by a %s', async (_method, parameters) => {
		sandbox.state.blacklists.set('customers', blacklistOf());
		sandbox.faults.add({ times: waits.length, fault });
		const { error } = await execute(parameters);
		expect(error).toBeUndefined();
		expect(gaps()).toHaveLength(waits.length);
		for (const [index, wait] of waits.entries()) {
			expect(gaps()[index]).toBeGreaterThanOrEqual(wait);
			expect(gaps()[index]).toBeLessThanOrEqual(wait + SPREAD);
		}
	});
});

describe.each<[what: string, fault: Fault]>([
	['a status of a failing service', status(500)],
	['a status of something in between', status(502)],
	['a broken connection', { kind: 'drop' }],
	['a connection that breaks within the response', { kind: 'cut' }],
	['no response in time', { kind: 'hang' }],
])('%s', (_what, fault) => {
	const isLate = fault.kind === 'hang';
	const requestOptions = isLate ? { timeout: 2_000 } : {};

	it('is retried four times for a GET, later each time', async () => {
		sandbox.faults.add({ fault });
		const { error } = await execute({ ...USAGE, requestOptions });
		expect(gaps()).toEqual(BACKOFF.map((wait) => wait + (isLate ? 2_000 : 0)));
		expect(error?.message).toMatch(/^The (service|connection) /);
	});

	it.each(CHANGING)(
		'is never retried for a %s, which may have been carried out',
		async (_method, parameters) => {
			sandbox.faults.add({ times: 1, fault });
			const { error } = await execute({ ...parameters, requestOptions });
			expect(error?.description).toMatch(/The request may have been carried out\.<br>/);
			expect(sandbox.requests).toHaveLength(1);
		},
	);
});

it.each([
	['GET', 'http://127.0.0.1:1', USAGE, 'Could not connect to the service'],
	['POST', 'http://127.0.0.1:1', CREATE, 'Could not connect to the service'],
	['POST', 'http://no-such-host.invalid', CREATE, 'The host name of the service was not found'],
])('a %s to %s is retried: nothing was sent', async (_method, baseUrl, parameters, message) => {
	owner.baseUrl = baseUrl;
	const { error } = await execute(parameters);
	expect(error).toMatchObject({ message, httpCode: null });
	expect(error?.description).toMatch(/^System code: E[A-Z_]+\. Check "Base URL"/);
	expect(performance.now()).toBe(BACKOFF.reduce((sum, wait) => sum + wait));
});

it('a wait uses up none of the attempts', async () => {
	const codes = [500, 429, 500, 429, 500, 429, 500];
	for (const code of codes) sandbox.faults.add({ times: 1, fault: status(code) });
	const { json } = await execute(USAGE);
	expect(json).toHaveLength(1);
	expect(sandbox.requests).toHaveLength(8);
});

describe.each([
	['POST', { ...ADD, options: { concurrency: 1 } }],
	['GET', USAGE],
])('a %s gives up', (_method, parameters) => {
	it.each([
		[429, 'The service is receiving too many requests'],
		[503, 'The service is temporarily unavailable'],
	])('at once if a %i asks for more than 120 seconds', async (code, message) => {
		sandbox.faults.add({ fault: status(code, { retryAfter: '3600' }) });
		const { error } = await execute(parameters);
		expect(error).toMatchObject({ message, httpCode: String(code) });
		const waits = 'It said to wait 3600 s.';
		expect(error?.description).toContain(waits);
		expect(sandbox.requests).toHaveLength(1);
		expect(performance.now()).toBe(0);
	});

	it('if it is always told to wait, and its run sends nothing more', async () => {
		sandbox.faults.add({ fault: status(429, { retryAfter: '30' }) });
		const { outputs } = await execute(parameters, domains(20), CONTINUE);
		const errors = outputs[1]!.map(({ json }) => json.error);
		expect(errors).toHaveLength(20);
		// A GET is one request, whose failure all items have.
		expect([...new Set(errors)].sort()).toEqual([
			...(parameters === USAGE ? [] : ['Not sent: the service is receiving too many requests']),
			'The service is receiving too many requests',
		]);
		expect(sandbox.requests.length).toBeLessThan(40);
		expect(performance.now()).toBeGreaterThanOrEqual(120_000);
	});
});

it('a request that alone is always told to wait fails alone', async () => {
	sandbox.faults.add({ match: 'site-10.', fault: status(429) });
	const { outputs } = await execute(ADD, domains(30), CONTINUE);
	expect(outputs[0]).toHaveLength(29);
	expect(outputs[1]).toMatchObject([{ pairedItem: { item: 10 } }]);
});

it('the request of the dropdown is retried', async () => {
	sandbox.faults.add({ times: 2, fault: status(502) });
	expect(await searchBlacklists(owner)).toEqual({ results: [] });
	expect(gaps()).toEqual([750, 1_500]);
});
