import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { useSandbox } from '../support/account';
import { activeTrigger, runWorkflow, workflowOf } from '../support/engine';
import { status } from '../support/faults';
import { useLog } from '../support/log';
import {
	ADD,
	ADD_MANY,
	CREATE,
	DELETE,
	keywords,
	LIST,
	listNamed,
	OPERATIONS,
	USAGE,
} from '../support/parameters';
import { RETRY_ON_FAIL } from '../support/settings';

const account = useSandbox();
const log = useLog();

const remains = (remaining: unknown): Fault => ({ kind: 'json', body: { plan: 'P', remaining } });

describe('unusual values of "remaining"', () => {
	const COUNTS: Array<[unknown, number]> = [
		['007', 7],
		['0', 0],
		[4, 4],
	];
	const WORDS = ['many', '', '5 of 10', '1e3', '99999999999999999999', '0x10', '5,5'];
	// Minus one can mean "unlimited", or that the account is overdrawn.
	const NUMBERS = ['-1', -1, '+2', ' 3 ', '5.0', 12.5, 1e21];

	it.each(COUNTS)('%p is compared with "Minimum Remaining"', async (remaining, number) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ method: 'GET', fault: remains(remaining) });
		const guarded = { ...CREATE, options: { minRemaining: 100 } };
		const { error } = await runWorkflow(workflowOf(guarded, keywords(2)), owner);
		expect(error?.message).toBe(
			`No job was created: ${number} requests remain, but "Minimum Remaining" is 100`,
		);
		expect(sandbox.state.jobs).toEqual([]);
	});

	it.each(COUNTS)('%p is a number in the output of Usage', async (remaining, number) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: remains(remaining) });
		const { json } = await runWorkflow(workflowOf(USAGE), owner);
		expect(json).toEqual([{ plan: 'P', remaining: number }]);
	});

	it.each(COUNTS)('%p fires Allowance Low', async (remaining, number) => {
		const { sandbox, account: owner } = account();
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
		expect(await poll()).toBeNull();
		sandbox.faults.add({ fault: remains(remaining) });
		expect(await poll()).toMatchObject([{ event: 'allowanceLow', remaining: number }]);
		expect(await poll()).toBeNull();
	});

	it.each([...WORDS, ...NUMBERS])(
		'%p stops nothing, is logged, and is returned unchanged',
		async (remaining) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ method: 'GET', fault: remains(remaining) });
			const guarded = { ...CREATE, options: { minRemaining: 100 } };
			const { json } = await runWorkflow(workflowOf(guarded, keywords(2)), owner);
			expect(json).toHaveLength(2);
			expect(log.lines('warn')).toEqual([
				`"Minimum Remaining" was not applied: the service reports "${remaining}" remaining requests, which cannot be compared`,
			]);

			const { json: usage } = await runWorkflow(workflowOf(USAGE), owner);
			expect(usage).toEqual([{ plan: 'P', remaining }]);

			const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
			expect(await poll()).toBeNull();
			expect(await poll()).toBeNull();
			expect(log.lines('warn').at(-1)).toContain(`"${remaining}" remaining requests`);
		},
	);
});

describe('a Retry-After close to zero', () => {
	it.each(['0.0001', '0', '0.4', '-1', 'soon', ''])(
		'%p does not use up all attempts at once',
		async (retryAfter) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: status(429, { retryAfter }) });
			const { error } = await runWorkflow(workflowOf(CREATE), owner);
			expect(error?.message).toBe('The service is receiving too many requests');
			const times = gaps(sandbox.requests);
			expect(times).toHaveLength(4);
			for (const time of times) expect(time).toBeGreaterThanOrEqual(500);
			expect(times.reduce((sum, time) => sum + time)).toBeGreaterThan(7_000);
		},
	);
});

describe('a job_id that is a number', () => {
	it.each([
		['12345678901234567890', '12345678901234567890'],
		['-12345678901234567890', '-12345678901234567890'],
		['9007199254740993', '9007199254740993'],
		['9007199254740991', 9007199254740991],
		['17', 17],
	])('%s keeps all its digits', async (digits, jobId) => {
		const { sandbox, account: owner } = account();
		const body = `{"note":"12345678901234567890: \\"1\\"", "job_id": ${digits} }`;
		sandbox.faults.add({ fault: { kind: 'raw', body, carryOut: true } });
		const { json } = await runWorkflow(workflowOf(CREATE), owner);
		expect(json).toEqual([{ job_id: jobId }]);
	});

	it('is listed with all its digits when the run ends early', async () => {
		const { sandbox, account: owner } = account();
		const body = '{"job_id":12345678901234567890}';
		sandbox.faults.add({ match: 'keyword 0.', fault: { kind: 'raw', body, carryOut: true } });
		sandbox.faults.add({ fault: status(400) });
		const { error } = await runWorkflow(workflowOf(CREATE, keywords(2)), owner);
		expect(error?.description).toContain('(job_id: 12345678901234567890)');
	});
});

describe('"Minimum Remaining" with Retry On Fail', () => {
	it('does not say that no job was created after some were', async () => {
		const { sandbox, account: owner } = account();
		sandbox.state.remaining = 11;
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		const guarded = { ...CREATE, options: { minRemaining: 10 } };
		const { error } = await runWorkflow(workflowOf(guarded, keywords(4), RETRY_ON_FAIL), owner);
		expect(sandbox.state.jobs).toHaveLength(2);
		expect(error?.message).toMatch(/^No more jobs were created: 9 requests remain/);
		for (const { job_id } of sandbox.state.jobs) expect(error?.description).toContain(job_id);
	});

	it('does not say so either when the usage can no longer be read', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ match: 'keyword 2.', times: 1, fault: status(500) });
		sandbox.faults.add({ method: 'GET', skip: 1, fault: status(401) });
		const guarded = { ...CREATE, options: { minRemaining: 10 } };
		const { error } = await runWorkflow(workflowOf(guarded, keywords(4), RETRY_ON_FAIL), owner);
		expect(error?.message).toMatch(
			/^No more jobs were created: "Minimum Remaining" needs the usage/,
		);
	});
});

describe('a response nested 200,000 levels deep', () => {
	const DEPTH = 200_000;
	const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
	const objects = '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH);

	describe.each([
		['lists', lists],
		['objects', objects],
		['lists in a field', `{"plan":"P","remaining":"1","job_id":"x","success":true,"x":${lists}}`],
	])('of %s', (_what, body) => {
		it.each([
			['Job: Create', CREATE],
			['Blacklist: Add Many Items', ADD_MANY],
			['Blacklist: Delete', DELETE],
		])('with 500 is a service failure for %s', async (_name, parameters) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: { kind: 'raw', body, status: 500 } });
			const { error } = await runWorkflow(workflowOf(parameters), owner);
			expect(error).toMatchObject({
				message: 'The service could not process the request (status 500)',
				httpCode: '500',
			});
			expect(error?.description).not.toContain('The service says');
		});

		it.each([
			['Job: Create', CREATE],
			['Blacklist: Add Item', ADD],
			['Blacklist: Get Many', LIST],
			['Usage: Get', { ...USAGE, simple: false }],
		])('with 200 is an undocumented response for %s', async (_name, parameters) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ fault: { kind: 'raw', body } });
			const { error } = await runWorkflow(workflowOf(parameters), owner);
			expect(error?.message).toBe('The response does not match the documentation of the service');
			expect(error?.httpCode).toBe('200');
		});
	});
});

describe('an error with a body of more than 10 MB', () => {
	const bytes = 11 * 1024 * 1024;

	it('429: the request is still told to wait', async () => {
		const { sandbox, account: owner } = account();
		const fault: Fault = { kind: 'large', bytes, status: 429, headers: { 'retry-after': '7' } };
		sandbox.faults.add({ times: 2, fault });
		const { json, error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		for (const time of gaps(sandbox.requests)) {
			expect(time).toBeGreaterThanOrEqual(7_000);
			expect(time).toBeLessThan(9_000);
		}
		expect(sandbox.requests).toHaveLength(3);
	});

	it.each([400, 401, 500])('%i: the status decides', async (code) => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ fault: { kind: 'large', bytes, status: code } });
		const { error } = await runWorkflow(workflowOf(CREATE), owner);
		expect(error?.httpCode).toBe(String(code));
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('a status with an unknown outcome', () => {
	const UNKNOWN = [303, 408, 499, 502, 504, 507, 520, 521, 522, 523, 524, 525, 526, 527, 598];

	const CHANGES = OPERATIONS.filter(([, method]) => method !== 'GET');

	describe.each(UNKNOWN)('%i', (code) => {
		it.each(CHANGES)(
			'is reported by %s, and Retry On Fail does not send it again',
			async (_name, _method, parameters) => {
				const { sandbox, account: owner } = account();
				sandbox.faults.add({ fault: status(code, { carryOut: true }) });
				const once = await runWorkflow(workflowOf(parameters), owner);
				expect(once.error?.httpCode).toBe(String(code));
				expect(once.error?.description).toContain('may have been carried out');
				expect(sandbox.requests).toHaveLength(1);

				const twice = await runWorkflow(workflowOf(parameters, [{}], RETRY_ON_FAIL), owner);
				expect(twice.error?.message).toMatch(/^Not sent again/);
				expect(sandbox.requests).toHaveLength(2);
			},
		);
	});

	it.each([301, 302, 307, 308, 400, 404, 405, 413, 418])(
		'is not %i: Retry On Fail sends the request again',
		async (code) => {
			const { sandbox, account: owner } = account();
			sandbox.faults.add({ times: 1, fault: status(code) });
			const { error } = await runWorkflow(workflowOf(CREATE, [{}], RETRY_ON_FAIL), owner);
			expect(error).toBeUndefined();
			expect(sandbox.state.jobs).toHaveLength(1);
		},
	);
});

describe('a word that n8n treats as a cancellation', () => {
	it.each(['canceled', 'cancelled', 'Your plan was canceled.', 'Subscription cancelled'])(
		'%s in the service’s message leaves the execution failed',
		async (message) => {
			const { sandbox, account: owner } = account();
			const faults: Fault[] = [
				status(400, { body: { message } }),
				status(402, { body: message }),
				{ kind: 'json', body: { success: false, message } },
				{ kind: 'redirect', to: `https://example.com/${message.replaceAll(' ', '-')}` },
			];
			for (const fault of faults) {
				sandbox.faults.clear();
				sandbox.faults.add({ fault });
				for (const parameters of [CREATE, ADD, ADD_MANY, { ...USAGE, simple: false }]) {
					const { run } = await runWorkflow(workflowOf(parameters), owner);
					// Add Many Items only counts rejected values.
					expect(run.status).toBe(
						parameters === ADD_MANY && !run.data.resultData.error ? 'success' : 'error',
					);
				}
			}
		},
	);

	it.each<[string, INodeParameters]>([
		['a value', { ...ADD, type: 'cid', value: '={{ "cancelled" }}' }],
		['a number', { ...CREATE, filters: { minRating: '={{ "canceled" }}' } }],
		['a type', { ...ADD_MANY, type: '={{ "cancelled" }}' }],
		['a time', { ...USAGE, requestOptions: { timeout: 'canceled' } }],
		['an option', { ...ADD_MANY, options: { output: '={{ "canceled" }}' } }],
		['an address', { ...ADD, blacklist: listNamed('cancelled'), type: 'canceled' }],
	])('in %s that is refused leaves the execution failed', async (_what, parameters) => {
		const { sandbox, account: owner } = account();
		const { run, error } = await runWorkflow(workflowOf(parameters), owner);
		expect(error).toBeDefined();
		expect(run.status).toBe('error');
		expect(sandbox.requests).toEqual([]);
	});

	it('in the response of a usage leaves the execution failed', async () => {
		const { sandbox, account: owner } = account();
		sandbox.faults.add({ method: 'GET', fault: status(401, { body: 'cancelled' }) });
		const guarded = { ...CREATE, options: { minRemaining: 1 } };
		const { run } = await runWorkflow(workflowOf(guarded), owner);
		expect(run.status).toBe('error');
	});
});
