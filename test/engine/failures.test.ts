import { TESTED_NODE } from '../support/workflowOf';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { blacklistOf, type Fault } from '../../sandbox';
import { status } from '../support/faults';
import { listen } from '../support/listen';
import {
	ADD,
	CREATE,
	DELETE,
	keywords,
	LIST,
	ONE_BY_ONE,
	OPERATIONS,
	USAGE,
} from '../support/parameters';
import { CONTINUE } from '../support/settings';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, log } = useEngine();

const says = (code: number): Fault => status(code, { body: { message: 'So says the service.' } });
const json = (body: unknown): Fault => ({ kind: 'json', body });

const MAYBE = 'The request may have been carried out.';
const SHAPE = 'The response does not match the documentation of the service';
const BROKEN = 'The connection to the service broke before the response was complete';

const HTML: Fault = { kind: 'html' };
const HALF: Fault = { kind: 'truncated', carryOut: true };
const CUT: Fault = { kind: 'cut', carryOut: true };
const NOT_FOUND = 'The service could not find what was requested';
const UNSUCCESSFUL = 'The service reported that the request was not successful';
const NO_ID = json({ message: 'So says the service.' });

/** What each status means, and all words: unit/outcomes.test.ts and ending.test.ts. */
it.each<[what: string, of: INodeParameters, fault: Fault, message: string, said: RegExp]>([
	['a Delete of no blacklist', DELETE, json({ success: false }), UNSUCCESSFUL, /Check "Blacklist"/],
	['what is not found', DELETE, says(404), NOT_FOUND, /"Blacklist"/],
	[
		'a web page for a GET',
		LIST,
		HTML,
		SHAPE,
		/^Expected JSON\. Content type: text\/html.* "Base URL"/,
	],
	['half a response', CREATE, HALF, SHAPE, /^Expected JSON\. The service says: "{"job_id":"/],
	['a job without job_id', CREATE, NO_ID, SHAPE, /^Expected a "job_id".* "So says the service"/],
	['a response that breaks off', CREATE, CUT, BROKEN, /The service says: "{"job_id":"/],
])(
	'%s ends the node with what happened and what to do',
	async (_what, of, fault, message, said) => {
		sandbox.faults.add({ fault });
		const { error } = await execute(of);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(said);
		expect(error?.description?.includes(MAYBE)).toBe(of === CREATE);
		expect(sandbox.requests).toHaveLength(1);
	},
);

describe('with Continue, what fails becomes its own item, paired, and the others are processed:', () => {
	it.each<[what: string, parameters: INodeParameters, fault: Fault]>([
		['a rejected POST', { ...CREATE, keyword: '={{ $itemIndex }}' }, says(400)],
		[
			'a POST with an unknown outcome',
			{ ...ADD, value: '={{ $itemIndex }}.com' },
			{ kind: 'drop' },
		],
	])('%s', async (_what, parameters, fault) => {
		sandbox.faults.add({ skip: 1, times: 1, fault });
		const oneByOne = { ...parameters, options: { concurrency: 1 } };
		// Empty, because n8n adds the fields of the input item to the item on the error branch.
		const { outputs, error } = await execute(oneByOne, [{}, {}, {}], CONTINUE);
		expect(error).toBeUndefined();
		expect(outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		const failed = { error: expect.any(String), message: expect.any(String) };
		expect(outputs[1]).toEqual([{ json: failed, pairedItem: { item: 1 } }]);
		expect(sandbox.requests).toHaveLength(3);
	});

	it.each([undefined, 'stopWorkflow', 'continueErrorOutput'] as const)(
		'also by the "continueOnFail" of an older file, beside %s',
		async (onError) => {
			sandbox.faults.add({ skip: 1, times: 1, fault: status(500) });
			const settings = { continueOnFail: true, onError };
			const { outputs } = await execute(ONE_BY_ONE, keywords(3), settings);
			const errors = outputs[onError === 'continueErrorOutput' ? 1 : 0]!.filter(
				({ json }) => json.error,
			);
			expect(errors).toMatchObject([{ pairedItem: { item: 1 } }]);
			const ids = outputs[0]!.flatMap(({ json }) => json.job_id ?? []);
			expect(ids).toEqual(sandbox.state.jobs.map(({ job_id }) => job_id));
		},
	);

	it('in the only output with plain Continue', async () => {
		sandbox.faults.add({ match: 'keyword 1.', fault: says(400) });
		const { outputs } = await execute(CREATE, keywords(3), { onError: 'continueRegularOutput' });
		const job = (item: number) => ({ json: { job_id: expect.any(String) }, pairedItem: { item } });
		const message = 'The service says: "So says the service". Correct the values of this item.';
		const rejected = { error: 'The service rejected the input', message };
		expect(outputs[0]).toEqual([job(0), { json: rejected, pairedItem: { item: 1 } }, job(2)]);
	});
});

describe('an address without a service', () => {
	it.each([
		['GET', USAGE],
		['POST', CREATE],
	])('that does not speak TLS: nothing was sent, and a %s is not retried', async (_method, of) => {
		owner.baseUrl = owner.baseUrl.replace('http:', 'https:');
		const { error } = await execute(of);
		expect(error?.message).toBe('Could not make a secure connection to the service');
		expect(error?.description).toMatch(/the service expects http:\/\//);
		expect(performance.now()).toBe(0);
		expect(sandbox.requests).toEqual([]);
	});

	it('that does not speak HTTP leaves the outcome unknown', async () => {
		const server = createTcpServer((socket) => socket.end('hello\r\n\r\n'));
		owner.baseUrl = `http://127.0.0.1:${await listen(server)}`;
		const { error } = await execute(CREATE);
		server.close();
		expect(error?.message).toBe(BROKEN);
		expect(error?.description).toContain(MAYBE);
	});
});

it.each([
	['GET', 302, USAGE],
	['POST', 303, CREATE],
	['POST', 307, ADD],
	['DELETE', 308, DELETE],
])('a redirect of a %s with %i is not followed', async (_method, code, parameters) => {
	const keysElsewhere: string[] = [];
	const elsewhere = createServer((request, response) => {
		keysElsewhere.push(String(request.headers['x-api-key']));
		response.end('{}');
	});
	const to = `http://127.0.0.1:${await listen(elsewhere)}/preexisting`;
	sandbox.state.blacklists.set('customers', blacklistOf());
	sandbox.faults.add({ times: 1, fault: { kind: 'redirect', to, status: code } });
	const { error } = await execute(parameters);
	elsewhere.close();
	// Whole, although n8n takes "preEXISTing" for a system code.
	expect(error).toMatchObject({
		message: `The service responded with a redirect to ${to}, which is not followed`,
		httpCode: String(code),
	});
	expect(error!.description!.includes('"Base URL"')).toBe(code !== 303);
	expect(error!.description!.includes(MAYBE)).toBe(code === 303);
	expect(keysElsewhere).toEqual([]);
	expect(sandbox.requests).toHaveLength(1);
});

it('a job_id that is a number is passed on, unless JavaScript rounds it', async () => {
	const answer = (body: string): Fault => ({ kind: 'raw', body, carryOut: true });
	sandbox.faults.add({ times: 1, fault: answer('{"job_id":123456}') });
	sandbox.faults.add({ fault: answer('{"job_id":12345678901234567890}') });
	const { json, error } = await execute(CREATE);
	expect([json, error]).toEqual([[{ job_id: 123456 }], undefined]);
	const rounded = await execute(CREATE);
	expect(rounded.error?.description).toMatch(/^Expected a "job_id".*may have been carried out/);
});

/** n8n takes an execution for cancelled if its error message contains "canceled" or "cancelled". */
describe('an execution stays failed if the word "cancelled" is', () => {
	it.each<[where: string, parameters: INodeParameters, fault: Fault]>([
		['in the message of the service', CREATE, status(402, { body: 'Your plan was cancelled.' })],
		['in the target of a redirect', USAGE, { kind: 'redirect', to: 'https://h/canceled' }],
		['in a refused value', { ...ADD, type: 'cid', value: '={{ "cancelled" }}' }, status(200)],
	])('%s', async (_where, parameters, fault) => {
		sandbox.faults.add({ fault });
		const { run, error } = await execute(parameters);
		expect(error).toBeDefined();
		expect(run.status).toBe('error');
	});
});

const guarded = (minRemaining: number) => ({ ...CREATE, options: { minRemaining } });

describe('"remaining" that is', () => {
	const remains = (remaining: unknown): Fault => ({ kind: 'json', body: { plan: 'P', remaining } });

	it.each<[remaining: unknown, number: number]>([
		['007', 7],
		[4, 4],
		['-3', -3],
	])(
		'%j is compared with "Minimum Remaining Requests", and a number in the output',
		async (of, number) => {
			sandbox.faults.add({ method: 'GET', fault: remains(of) });
			const { error } = await execute(guarded(10), keywords(2));
			expect(error?.message).toBe(
				`Not created: the run needs 2, the account has ${number}, and "Minimum Remaining Requests" is 10`,
			);
			expect(sandbox.state.jobs).toEqual([]);
			const { json } = await execute(USAGE);
			expect(json).toEqual([{ plan: 'P', remaining: number }]);
		},
	);

	it.each(['many', '5 of 10', '- 1', 12.5, '99999999999999999999'])(
		'%j stops nothing, is logged, and is returned unchanged',
		async (remaining) => {
			sandbox.faults.add({ method: 'GET', fault: remains(remaining) });
			const { json } = await execute(guarded(100), keywords(2));
			expect(json).toHaveLength(2);
			expect(log.lines('warn')).toEqual([
				`${TESTED_NODE}: the service reports "${remaining}" remaining requests, so no minimum and no threshold applies`,
			]);
			const { json: usage } = await execute(USAGE);
			expect(usage).toEqual([{ plan: 'P', remaining }]);
		},
	);
});

/** JSON that the service documents for no operation. */
const ANSWERS = [null, true, 7, 'text', {}, { success: 'yes' }, [null], ['text'], [[]], [{}]];

it.each(OPERATIONS)(
	'%s refuses what the service does not document: its `parse` throws unexpectedResponse',
	async (_name, _method, parameters) => {
		const accepted: unknown[] = [];
		for (const body of ANSWERS) {
			sandbox.faults.clear();
			sandbox.faults.add({ fault: { kind: 'json', body } });
			const { error } = await execute(parameters);
			const expected = 'The response does not match the documentation of the service';
			if (error?.message !== expected) accepted.push([body, error?.message]);
		}
		expect(accepted).toEqual([]);
	},
);
