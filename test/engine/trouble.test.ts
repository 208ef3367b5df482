import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { advance, until } from '../support/clock';
import { searchBlacklists } from '../support/engine';
import { status } from '../support/faults';
import { ADD, ADD_MANY, CREATE, domains, keywords, ONE_BY_ONE } from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, start } = useEngine();

/** Of the requests that arrived, those with this status. */
const answered = (code: number) =>
	sandbox.requests.filter((request) => request.status === code).length;

const EACH_VALUE = { ...ADD_MANY, options: { output: 'items' } };

/** With a Timeout; without one, with the sandbox as a proxy: it answers what it is asked for. */
function withOptions(parameters: INodeParameters, timeout?: number): INodeParameters {
	const proxy = new URL(sandbox.address).origin;
	return { ...parameters, requestOptions: timeout === undefined ? { proxy } : { timeout } };
}

/** What became of each item: its value's status, or what happened to it. A row of values has an item of its own, too. */
const outcomes = (outputs: Array<Array<{ json: IDataObject }>>) => {
	const items = outputs.flat().map(({ json }) => json);
	const values = items.filter(({ status: ofValue }) => ofValue !== undefined);
	const all = values.length > 0 ? values : items;
	return all.map(({ reason, error }) => reason ?? error ?? 'done');
};

describe('an outage of 20 seconds in the middle of a run, with Continue', () => {
	it.each<[string, INodeParameters, IDataObject[]]>([
		['500 values', EACH_VALUE, domains(500)],
		['100 jobs', CREATE, keywords(100)],
	])('costs at most 50 requests of %s', async (_what, parameters, items) => {
		sandbox.state.remaining = 10_000;
		sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
		const run = start(parameters, items, CONTINUE);
		await until(() => sandbox.requests.length >= items.length / 4);
		sandbox.faults.add({ fault: status(503) });
		await advance(20_000);
		sandbox.faults.clear();
		const { outputs } = await until(run.finished);
		const failed = outcomes(outputs).filter((outcome) => outcome !== 'done');
		expect(answered(503)).toBeLessThanOrEqual(50);
		expect(failed).toHaveLength(answered(503));
		expect(answered(200)).toBe(items.length - failed.length);
	});
});

it('an outage without an end ends the runs of both lanes after two minutes: what was not sent says why', async () => {
	sandbox.faults.add({ fault: status(502) });
	const began = performance.now();
	const runs = [start(CREATE, keywords(40), CONTINUE), start(ADD, domains(40), CONTINUE)];
	const ended = await until(Promise.all(runs.map(({ finished }) => finished)));
	// The last pause that begins within two minutes can take half a minute.
	expect(performance.now() - began).toBeLessThan(151_000);
	const error = 'Not sent: the service could not process the request (status 502)';
	const message = 'The service says: "Sandbox fault". Try again later.';
	const notSent = ended.map(
		({ outputs }) =>
			outputs[1]!.filter(({ json }) => json.error === error && json.message === message).length,
	);
	expect(Math.min(...notSent)).toBeGreaterThan(15);
	expect(sandbox.requestCount).toBe(80 - notSent[0]! - notSent[1]!);
});

it('without Continue, an outage that goes on fails one item, and the others are not started', async () => {
	sandbox.faults.add({ fault: { kind: 'drop' } });
	// A workflow that starts every minute.
	for (let minute = 1; minute <= 4; minute++) {
		const { error } = await execute(ONE_BY_ONE, keywords(5));
		expect(error?.context.itemIndex).toBe(0);
		expect(sandbox.requestCount).toBe(minute);
		await advance(60_000);
	}
});

it('the dropdown waits no longer than 15 seconds for an outage, and sends nothing', async () => {
	sandbox.faults.add({ fault: status(503) });
	await execute(ADD, domains(18), CONTINUE);
	const sent = sandbox.requestCount;
	const began = performance.now();
	await expect(searchBlacklists(owner)).rejects.toThrow('Not sent, or not answered in time');
	expect(performance.now() - began).toBe(15_000);
	expect(sandbox.requestCount).toBe(sent);
});

it.each<[what: string, timeout: number | undefined, fault: Fault]>([
	['a service that hangs, with a Timeout of a minute', 60_000, { kind: 'hang' }],
	['a proxy that answers 502', undefined, status(502)],
])('%s: a run does not send everything into it', async (_what, timeout, fault) => {
	sandbox.faults.add({ fault });
	await execute(withOptions(CREATE, timeout), keywords(40), CONTINUE);
	expect(sandbox.requestCount).toBeLessThanOrEqual(20);
});

describe('what a run brings on itself pauses nobody else:', () => {
	it.each<[string, number | undefined, Fault]>([
		['a short Timeout', 1_000, { kind: 'hang' }],
		['a proxy that answers 502', undefined, status(502)],
	])('%s', async (_what, timeout, fault) => {
		sandbox.faults.add({ match: 'site-', fault });
		await execute(withOptions(ADD, timeout), domains(5), CONTINUE);
		const began = performance.now();
		const { json } = await execute(ADD);
		expect(json).toHaveLength(1);
		expect(performance.now()).toBe(began);
	});

	it('but a connection that breaks is no matter of a Timeout', async () => {
		sandbox.faults.add({ match: 'site-', fault: { kind: 'drop' } });
		await execute(withOptions(ADD, 60_000), domains(3), CONTINUE);
		const began = performance.now();
		await execute(ADD);
		expect(performance.now() - began).toBe(1_000);
	});
});

it('a run that cannot connect because of its own proxy pauses only those with the same proxy', async () => {
	/** How long two runs one after the other take, in milliseconds. */
	async function twoRuns(requestOptions: object): Promise<number[]> {
		owner.baseUrl = 'http://127.0.0.1:1';
		const times: number[] = [];
		for (let run = 0; run < 2; run++) {
			const began = performance.now();
			const { error } = await execute({ ...ADD, requestOptions } as INodeParameters, domains(1));
			expect(error?.message).toBe('Could not connect to the service');
			times.push(performance.now() - began);
		}
		return times;
	}

	// Four waits between five attempts, half of each at random: 0.75, 1.5, 3 and 6 s.
	const WAITS = 11_250;

	const [first, second = 0] = await twoRuns({ proxy: 'http://127.0.0.1:1' });
	expect(first).toBe(WAITS);
	expect(second).toBeGreaterThanOrEqual(WAITS + 4_000);
	expect((await twoRuns({ proxy: 'http://127.0.0.1:2' }))[0]).toBe(WAITS);
	expect((await twoRuns({}))[0]).toBe(WAITS);
});

describe.each([
	[401, 'Not sent: the service refused the API key'],
	[402, 'Not sent: the request allowance of the account is used up'],
])('a %i in the middle of a run, with Continue', (code, reason) => {
	it.each<[string, INodeParameters, IDataObject[]]>([
		['Job: Create', CREATE, keywords(200)],
		['Blacklist: Add Item', ADD, domains(200)],
		['Blacklist: Add Many Items', EACH_VALUE, domains(200)],
	])('ends %s: what was not sent says why', async (_name, parameters, items) => {
		sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
		sandbox.faults.add({ skip: 50, fault: status(code) });
		const { outputs } = await execute(parameters, items, CONTINUE);
		const all = outcomes(outputs);
		const notSent = all.filter((outcome) => String(outcome).startsWith(reason));
		expect(all).toHaveLength(200);
		expect(all.filter((outcome) => outcome === 'done')).toHaveLength(50);
		expect(answered(code)).toBeLessThanOrEqual(sandbox.maxInFlight);
		expect(notSent).toHaveLength(150 - answered(code));
	});
});

it('a refused key of one run ends nothing of another run', async () => {
	sandbox.faults.add({ fault: { kind: 'delay', ms: 20 } });
	sandbox.faults.add({ match: 'keyword 1.', fault: status(401) });
	const refused = start(ONE_BY_ONE, keywords(5), CONTINUE);
	const adds = start(ADD_MANY, domains(100));
	const { outputs } = await until(refused.finished);
	expect(outputs[1]).toHaveLength(4);
	const { json } = await until(adds.finished);
	expect(json).toMatchObject([{ added: 100 }]);
});

const ITEMS = domains(20);
const ONE_AT_ONCE: Fault = { kind: 'capacity', atOnce: 1, ms: 50, refuses: true };

describe('a slow service, with default settings, receives all 20 in a minute, and refuses few', () => {
	it.each<[string, Fault, INodeParameters, IDataObject[]]>([
		['1 per second', { kind: 'rateLimit', perSecond: 1 }, ADD, ITEMS],
		['2 per second', { kind: 'rateLimit', perSecond: 2, retryAfter: 'date' }, ADD, ITEMS],
		[
			'2 per second, without Retry-After',
			{ kind: 'rateLimit', perSecond: 2, retryAfter: 'none' },
			ADD,
			ITEMS,
		],
		['2 per second, Job: Create', { kind: 'rateLimit', perSecond: 2 }, CREATE, keywords(20)],
		['2 per second, Add Many Items', { kind: 'rateLimit', perSecond: 2 }, ADD_MANY, ITEMS],
		['1 at once', ONE_AT_ONCE, ADD, ITEMS],
		['1 at once, with Retry-After', { ...ONE_AT_ONCE, retryAfter: '1' }, ADD, ITEMS],
		['1 at once, Add Many Items', ONE_AT_ONCE, ADD_MANY, ITEMS],
	])('%s', async (_what, fault, parameters, items) => {
		sandbox.faults.add({ fault });
		const started = performance.now();
		const { error, json } = await execute(parameters, items);
		expect(error).toBeUndefined();
		if (parameters === ADD_MANY) expect(json).toMatchObject([{ added: 20, failed: 0 }]);
		else expect(json).toHaveLength(20);
		const { jobs, blacklists } = sandbox.state;
		expect(jobs.length + (blacklists.get('customers')?.size ?? 0)).toBe(20);
		expect(sandbox.requests.filter(({ carriedOut }) => carriedOut)).toHaveLength(20);
		expect(sandbox.requestCount).toBeLessThanOrEqual(40);
		expect(performance.now() - started).toBeLessThan(60_000);
	});
});
