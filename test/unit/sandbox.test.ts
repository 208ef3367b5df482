import { connect } from 'node:net';

import {
	blacklistOf,
	startSandbox,
	type Fault,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import { advance, until, useClock } from '../support/clock';
import { status } from '../support/faults';

const KEY = '6f1c0a52-key';
const JOBS = '/api/v1/jobs';
const LISTS = '/api/v1/blacklist';
const LEADS = `${LISTS}/Old%20leads`;
const USAGE = '/api/v1/usage';
const JSON_TYPE = 'application/json';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ key: KEY });
});
beforeEach(() => sandbox.reset());
useClock();
afterEach(async () => void (await Promise.all(others.splice(0).map((other) => other.stop()))));
afterAll(async () => await sandbox.stop());

const others: Sandbox[] = [];
/** Another sandbox, for one test. */
async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	others.push(await until(startSandbox({ key: KEY, ...options })));
	return others.at(-1)!;
}

interface Call {
	key?: string;
	json?: unknown;
	/** In place of `json`, with this content-type if any. */
	text?: string;
	type?: string;
	leaving?: AbortSignal;
	to?: string;
}

/** Sends a request byte by byte: a client would refuse some of these, and hide some responses. */
async function send(method: string, path: string, call: Call = {}) {
	const { key = path.startsWith(USAGE) ? KEY : `Token ${KEY}`, json, to = sandbox.address } = call;
	const text = call.text ?? (json === undefined ? '' : JSON.stringify(json));
	const headers = { 'X-Api-Key': key, 'content-type': call.type ?? (json ? JSON_TYPE : '') };
	const length = text === '' ? '' : Buffer.byteLength(text);
	const all = { host: 'localhost', connection: 'close', ...headers, 'content-length': length };
	const sent = Object.entries(all).filter(([, value]) => value !== '');
	const { port, pathname } = new URL(to);
	const start = `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1`;
	const began = performance.now();
	const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
	call.leaving?.addEventListener('abort', () => socket.destroy());
	let received = '';
	socket.on('data', (chunk) => (received += chunk.toString('latin1')));
	socket.write([start, ...sent.map((header) => header.join(': ')), `\r\n${text}`].join('\r\n'));
	await new Promise((resolve) => socket.on('close', resolve));
	const [head = '', body = ''] = received.split(/\r\n\r\n([^]*)/);
	const code = Number(head.split(' ')[1] ?? 0);
	return { code, head: head.toLowerCase(), body, took: performance.now() - began };
}

type Sent = ReturnType<typeof send>;
const job = (keyword = 'x', more?: Call) => send('POST', JOBS, { json: { keyword }, ...more });
const item = (value: string, path = LEADS) => send('POST', path, { json: { type: 'cid', value } });
const usage = (more: Call = {}) => send('GET', USAGE, more);
const allOf = async (...sent: Sent[]) => await until(Promise.all(sent));
const codesOf = async (...sent: Sent[]) => (await allOf(...sent)).map(({ code }) => code);
const jsonOf = async (sent: Sent) => JSON.parse((await until(sent)).body) as unknown;
const fault = (...faults: Fault[]) => faults.forEach((one) => sandbox.faults.add({ fault: one }));
const keywords = () => sandbox.state.jobs.map(({ keyword }) => keyword);

describe('what is refused', () => {
	const text = { text: '{"keyword":', type: JSON_TYPE };
	const [job, lead] = [{ keyword: 'x' }, { value: '1', type: 'phone' }];
	it.each<[string, string, Call, number, string]>([
		['POST', JOBS, { json: {} }, 400, '"keyword" is required'],
		['POST', JOBS, { json: { keyword: '' } }, 400, '"keyword" must not be empty'],
		['POST', JOBS, { json: { ...job, keywords: 'x' } }, 400, 'Unknown field "keywords"'],
		['POST', JOBS, { json: { ...job, sort_order: 'up' } }, 400, '"sort_order" must be one of asc'],
		['POST', JOBS, { json: { ...job, min_rating: '4' } }, 400, '"min_rating" must be integer'],
		['POST', JOBS, { json: { ...job, has_phone: 'true' } }, 400, '"has_phone" must be boolean'],
		['POST', LEADS, { json: lead }, 400, '"type" must be one of email, domain, place_id, cid'],
		['POST', JOBS, text, 400, 'The body is not valid JSON'],
		['POST', LEADS, { text: 'a=b', type: 'text/plain' }, 415, 'The content-type must be'],
		['GET', USAGE, { text: '{}' }, 400, 'A GET request must not have a body'],
		['DELETE', LEADS, { type: JSON_TYPE }, 400, 'must not have a content-type'],
		['GET', `${USAGE}?plan=1`, {}, 400, 'Unknown query parameter "plan"'],
		['GET', '/api/v1/job', {}, 404, 'No endpoint GET /api/v1/job'],
		['DELETE', `${LISTS}/`, {}, 400, '"name" must not be empty'],
		['DELETE', `${LISTS}/%zz`, {}, 400, ''],
	])('%s %s with %j', async (method, path, call, code, message) => {
		const said = { message: expect.stringContaining(message) };
		expect(await jsonOf(send(method, path, call))).toEqual(said);
		expect(sandbox.requests).toMatchObject([{ method, path, status: code, carriedOut: false }]);
		expect(sandbox.state).toMatchObject({ jobs: [], blacklists: new Map() });
	});

	const token = `Token ${KEY}`;
	it.each([
		['documented', token, KEY],
		['token', token, token],
		['bare', KEY, KEY],
	] as const)('every key but the right one, format %s', async (keyFormat, ofLists, ofUsage) => {
		const { address: to } = await start({ keyFormat });
		for (const key of [token, KEY, '', `token ${KEY}`, `Bearer ${KEY}`, KEY.toUpperCase()]) {
			const sent = [send('GET', LISTS, { key, to }), send('GET', USAGE, { key, to })];
			const right = [key === ofLists, key === ofUsage];
			expect([key, await codesOf(...sent)]).toEqual([key, right.map((is) => (is ? 200 : 401))]);
		}
	});
});

describe('a fault', () => {
	it('successFalse and nb concern their endpoints only', async () => {
		fault({ kind: 'successFalse' }, { kind: 'nb' });
		for (const name of ['A', 'Old leads']) sandbox.state.blacklists.set(name, blacklistOf());
		expect(await jsonOf(item('1'))).toEqual({ success: false });
		expect(await jsonOf(send('DELETE', LEADS))).toEqual({ success: false });
		const { body } = await until(send('GET', LISTS));
		expect(body).toBe('[{"name":"A","count":0},{"name":"Old leads","nb":0}]');
		expect(await jsonOf(job())).toHaveProperty('job_id');
	});

	it('delay carries out the request even if the client has left', async () => {
		fault({ kind: 'delay', ms: 60 });
		const leaving = new AbortController();
		void job('x', { leaving: leaving.signal });
		await advance(30);
		leaving.abort();
		await advance(30);
		expect(keywords()).toEqual(['x']);
		expect(sandbox.requests).toMatchObject([{ carriedOut: true, status: undefined }]);
	});

	const delay = (ms: number): Fault => ({ kind: 'delay', ms });
	const tenth = { kind: 'rateLimit', perSecond: 0.1 } as const;
	const two = { kind: 'capacity', atOnce: 2, ms: 90 } as const;
	it.each<[Fault[], string]>([
		[[delay(60), delay(40), status(500)], '500 after 100'],
		[[{ ...tenth, perSecond: 2 }, status(500)], '500 after 0, 500 after 0, 429 after 0: 1'],
		[[tenth], '200 after 0, 429 after 0: 10'],
		[[{ ...tenth, retryAfter: 'date' }], '200 after 0, 429 after 0: thu 01 jan 2026 00:00:10 gmt'],
		[[{ ...tenth, retryAfter: 'none' }], '200 after 0, 429 after 0'],
		[[two, delay(9)], '200 after 99, 200 after 99, 200 after 198'],
		[[{ ...two, atOnce: 1, refuses: true, retryAfter: '7' }], '200 after 90, 429 after 0: 7'],
	])('with %j, jobs created at once are answered: %s', async (faults, expected) => {
		fault(...faults);
		const each = expected.split(', ');
		const answers = await allOf(...each.map((_one, index) => job(String(index))));
		const told = answers.map(({ code, took, head }) => {
			return `${code} after ${took}${/(?<=retry-after): .*/.exec(head)?.[0] ?? ''}`;
		});
		expect(told.map((one) => one.replace(',', ''))).toEqual(each);
		const done = each.flatMap((one, index) => (one.startsWith('200') ? [String(index)] : []));
		expect(keywords()).toEqual(done);
	});
});

it('a fault applies to some at random, the same ones in every run', async () => {
	const pattern = async () => {
		const { address: to, faults } = await start();
		faults.add({ probability: 0.3, fault: status(500) });
		return (await codesOf(...Array.from({ length: 30 }, () => usage({ to })))).join();
	};
	const first = await pattern();
	expect(await pattern()).toBe(first);
	expect(first).toMatch(/200.*500|500.*200/);
});

it('GET /sandbox shows the state, and is not recorded', async () => {
	await allOf(job(), item('1'));
	sandbox.faults.add({ times: 1, fault: { kind: 'html' } });
	await until(usage());
	expect(await jsonOf(send('GET', '/sandbox', { key: '' }))).toEqual({
		...{ plan: 'Sandbox', remaining: 999, jobs: sandbox.state.jobs, requests: 3 },
		blacklists: [{ name: 'Old leads', items: [{ type: 'cid', value: '1' }] }],
		faults: [{ rule: { times: 1, fault: { kind: 'html' } }, matched: 1, applied: 1 }],
	});
});

it('PUT /sandbox/faults replaces the faults', async () => {
	fault({ kind: 'drop' });
	const text = '[{"fault":{"kind":"status","status":503}}]';
	const type = 'application/x-www-form-urlencoded';
	expect(await codesOf(send('PUT', '/sandbox/faults', { text, type }))).toEqual([200]);
	expect(await codesOf(usage())).toEqual([503]);
	expect(await codesOf(send('PUT', '/sandbox/faults', { text: '[]' }))).toEqual([200]);
	expect(await codesOf(usage())).toEqual([200]);
});

it.each<[string, string]>([
	['[{', 'The body is not valid JSON'],
	['[{"fault":{"kind":"fire"}}]', '"0.fault.kind" must be one of status, delay'],
	['[{"fault":{"kind":"delay"}}]', '"0.fault.ms" is required'],
	['[{"fault":{"kind":"hang","ms":5}}]', 'Unknown field "0.fault.ms"'],
	['[{"fault":{"kind":"drop"},"probability":2}]', '"0.probability" must be <= 1'],
])('PUT /sandbox/faults refuses %s, and keeps the rules in force', async (text, said) => {
	fault(status(503));
	const message = expect.stringContaining(said);
	expect(await jsonOf(send('PUT', '/sandbox/faults', { text }))).toEqual({ message });
	expect(await codesOf(usage())).toEqual([503]);
});
