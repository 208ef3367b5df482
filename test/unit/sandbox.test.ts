import fc from 'fast-check';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

import { blacklistOf, startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { until } from '../support/until';

const KEY = '6f1c0a52-key';
const LEADS = '/api/v1/blacklist/Old%20leads';

interface Call {
	key?: string | null;
	/** Sent as JSON with its content-type, unless `headers` overrides it. */
	json?: unknown;
	raw?: string;
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	body: unknown;
	tookMs: number;
}

describe('sandbox', () => {
	let sandbox: Sandbox;
	const agent = new Agent({ keepAlive: true });

	beforeAll(async () => {
		sandbox = await startSandbox({ key: KEY });
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		agent.destroy();
		await sandbox.stop();
	});

	/** Plain HTTP: fetch would normalize paths, and refuses some of these requests. */
	async function call(method: string, path: string, options: Call = {}, to = sandbox.address) {
		const started = performance.now();
		const { key = path.startsWith('/api/v1/usage') ? KEY : `Token ${KEY}` } = options;
		const body = options.raw ?? (options.json === undefined ? '' : JSON.stringify(options.json));
		const headers: Record<string, string | number> = {
			...(key === null ? {} : { 'x-api-key': key }),
			...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
			...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }),
			...options.headers,
		};
		return await new Promise<Answer>((resolve, reject) => {
			const { hostname, port, pathname } = new URL(to);
			const prefix = pathname === '/' ? '' : pathname;
			const sent = httpRequest(
				{ hostname, port, method, path: prefix + path, headers, agent, signal: options.signal },
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('error', reject);
					response.on('end', () => {
						const text = Buffer.concat(chunks).toString();
						resolve({
							status: response.statusCode ?? 0,
							headers: response.headers,
							text,
							body: jsonOrUndefined(text),
							tookMs: performance.now() - started,
						});
					});
				},
			);
			sent.on('error', reject);
			sent.end(body);
		});
	}

	const createJob = (json: unknown = { keyword: 'plumber' }) =>
		call('POST', '/api/v1/jobs', { json });
	const addItem = (value = 'a@example.com', path = LEADS) =>
		call('POST', path, { json: { type: 'email', value } });
	const lists = () => call('GET', '/api/v1/blacklist');
	const usage = () => call('GET', '/api/v1/usage');
	const faultOf = (fault: Fault) => sandbox.faults.add({ fault });
	const lastRequest = () => sandbox.requests.at(-1);

	describe('the five endpoints', () => {
		it('creates a job with every field and returns only its identifier', async () => {
			const json = {
				keyword: 'plumber Berlin',
				group_name: 'Leads',
				sort_by: 'reviews',
				sort_order: 'desc',
				min_rating: 4,
				min_reviews: 10,
				max_reviews: 500,
				has_phone: true,
				has_website: false,
			};
			const { status, headers, body } = await createJob(json);
			const [job] = sandbox.state.jobs;

			expect(status).toBe(200);
			expect(headers['content-type']).toMatch(/^application\/json/);
			expect(body).toEqual({ job_id: job?.job_id });
			expect(job?.job_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
			expect(job).toEqual({ ...json, job_id: job?.job_id });
		});

		it('puts a job without a group into the group API', async () => {
			await createJob();
			expect(sandbox.state.jobs).toMatchObject([{ keyword: 'plumber', group_name: 'API' }]);
			expect(lastRequest()?.body).toEqual({ keyword: 'plumber' });
		});

		it('deducts one request per job from the allowance, and answers 402 at zero', async () => {
			sandbox.state.remaining = 1;
			expect((await createJob()).status).toBe(200);
			const refused = await createJob();

			expect(refused.status).toBe(402);
			expect(refused.body).toEqual({ message: expect.any(String) });
			expect(sandbox.state.jobs).toHaveLength(1);
			expect((await usage()).body).toEqual({ plan: 'Sandbox', remaining: '0' });
		});

		it('creates a list with its first item and counts a repeated item once', async () => {
			expect((await addItem()).body).toEqual({ success: true });
			expect((await addItem()).body).toEqual({ success: true });
			await addItem('b@example.com');
			await call('POST', LEADS, { json: { type: 'domain', value: 'a@example.com' } });

			expect((await lists()).body).toEqual([{ name: 'Old leads', count: 3 }]);
			expect(sandbox.requests[1]?.carriedOut).toBe(true);
		});

		it('lists blacklists added by a test', async () => {
			expect((await lists()).body).toEqual([]);
			sandbox.state.blacklists.set('A', blacklistOf({ type: 'cid', value: '1' }));
			sandbox.state.blacklists.set('B', blacklistOf());
			expect((await lists()).body).toEqual([
				{ name: 'A', count: 1 },
				{ name: 'B', count: 0 },
			]);
		});

		it('deletes a whole list, and answers 404 when there is none', async () => {
			await addItem();
			expect(await call('DELETE', LEADS)).toMatchObject({ status: 200, body: { success: true } });
			expect(await call('DELETE', LEADS)).toMatchObject({
				status: 404,
				body: { message: 'Blacklist "Old leads" does not exist' },
			});
			expect((await lists()).body).toEqual([]);
		});

		it('returns plan and remaining requests, the number as text', async () => {
			expect(await usage()).toMatchObject({
				status: 200,
				body: { plan: 'Sandbox', remaining: '1000' },
			});
			Object.assign(sandbox.state, { plan: 'Pro', remaining: 7 });
			expect((await usage()).body).toEqual({ plan: 'Pro', remaining: '7' });
		});
	});

	describe('names of blacklists', () => {
		const names = [
			'Old leads',
			'a/b',
			'50%',
			'%2F',
			'%252F',
			'a?b#c;d',
			'.',
			'..',
			'Ärzte',
			'東京 🏙',
			'+',
		];

		it.each([...names, 'x'.repeat(5000), '東'.repeat(2000)])(
			'are returned unchanged: %s',
			async (name) => {
				const path = `/api/v1/blacklist/${encodeURIComponent(name)}`;
				expect((await addItem('a@example.com', path)).status).toBe(200);
				expect((await lists()).body).toEqual([{ name, count: 1 }]);
				expect((await call('DELETE', path)).body).toEqual({ success: true });
				expect(lastRequest()?.path).toBe(path);
			},
		);

		it('are returned unchanged', async () => {
			const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
			await fc.assert(
				fc.asyncProperty(anyName, async (name) => {
					sandbox.state.blacklists.clear();
					await addItem('a@example.com', `/api/v1/blacklist/${encodeURIComponent(name)}`);
					expect([...sandbox.state.blacklists.keys()]).toEqual([name]);
				}),
				{ numRuns: 200 },
			);
		});

		it('are one path segment, and not empty', async () => {
			expect((await addItem('a', '/api/v1/blacklist/a/b')).status).toBe(404);
			expect((await addItem('a', '/api/v1/blacklist/')).status).toBe(400);
			expect((await addItem('a', '/api/v1/blacklist/%zz')).status).toBe(400);
			expect(sandbox.requests.map(({ status }) => status)).toEqual([404, 400, 400]);
		});
	});

	describe('refuses', () => {
		const job = (fields: Record<string, unknown>) => ({ keyword: 'plumber', ...fields });
		const bodies: Array<[string, unknown, string]> = [
			['/api/v1/jobs', {}, '"keyword" is required'],
			['/api/v1/jobs', job({ keyword: '' }), '"keyword" must not be empty'],
			['/api/v1/jobs', job({ keyword: 5 }), '"keyword" must be string'],
			['/api/v1/jobs', job({ keywords: 'x' }), 'Unknown field "keywords"'],
			['/api/v1/jobs', job({ group_name: null }), '"group_name" must be string'],
			['/api/v1/jobs', job({ sort_by: 1 }), '"sort_by" must be string'],
			['/api/v1/jobs', job({ sort_order: 'up' }), '"sort_order" must be one of asc, desc'],
			['/api/v1/jobs', job({ min_rating: '4' }), '"min_rating" must be integer'],
			['/api/v1/jobs', job({ min_rating: 4.5 }), '"min_rating" must be integer'],
			['/api/v1/jobs', job({ min_reviews: true }), '"min_reviews" must be integer'],
			['/api/v1/jobs', job({ max_reviews: '9' }), '"max_reviews" must be integer'],
			['/api/v1/jobs', job({ has_phone: 'true' }), '"has_phone" must be boolean'],
			['/api/v1/jobs', job({ has_website: 1 }), '"has_website" must be boolean'],
			['/api/v1/jobs', [], 'The body must be object'],
			['/api/v1/jobs', null, 'The body must be object'],
			[LEADS, { value: 'a' }, '"type" is required'],
			[LEADS, { type: 'email' }, '"value" is required'],
			[LEADS, { type: 'phone', value: 'a' }, '"type" must be one of email, domain, place_id, cid'],
			[LEADS, { type: 'cid', value: 1 }, '"value" must be string'],
			[LEADS, { type: 'cid', value: '1', name: 'x' }, 'Unknown field "name"'],
		];

		it.each(bodies)('POST %s with %j', async (path, json, message) => {
			expect(await call('POST', path, { json })).toMatchObject({ status: 400, body: { message } });
			expect(sandbox.state.jobs).toEqual([]);
			expect(sandbox.state.blacklists.size).toBe(0);
			expect(lastRequest()).toMatchObject({ status: 400, carriedOut: false, body: json });
		});

		const forms: Array<[string, string, string, Call, number]> = [
			['broken JSON', 'POST', '/api/v1/jobs', { raw: '{"keyword":', headers: json() }, 400],
			['an empty body', 'POST', '/api/v1/jobs', { headers: json() }, 400],
			['no content-type', 'POST', '/api/v1/jobs', { raw: '{"keyword":"x"}' }, 415],
			['another content-type', 'POST', LEADS, { raw: 'a=b', headers: json('text/plain') }, 415],
			['a malformed content-type', 'POST', LEADS, { raw: '{}', headers: json('json') }, 415],
			['a body on GET', 'GET', '/api/v1/usage', { raw: '{}' }, 400],
			['a content-type on GET', 'GET', '/api/v1/blacklist', { headers: json() }, 400],
			['a body on DELETE', 'DELETE', LEADS, { raw: '{}' }, 400],
			['a content-type on DELETE', 'DELETE', LEADS, { headers: json() }, 400],
			['a query', 'GET', '/api/v1/usage?plan=1', {}, 400],
			['a query on POST', 'POST', '/api/v1/jobs?a=1', { json: { keyword: 'x' } }, 400],
			['an unknown path', 'GET', '/api/v1/job', {}, 404],
			['an unknown path with a body', 'POST', '/api/v2/jobs', { json: {} }, 404],
			['a path that ends in a slash', 'GET', '/api/v1/usage/', {}, 404],
			['another letter case', 'GET', '/API/v1/usage', {}, 404],
			['an unknown method', 'PUT', '/api/v1/jobs', { json: { keyword: 'x' } }, 404],
			['HEAD', 'HEAD', '/api/v1/usage', {}, 404],
		];

		it.each(forms)('%s', async (_what, method, path, options, status) => {
			const answer = await call(method, path, options);
			expect(answer.status).toBe(status);
			if (method !== 'HEAD') expect(answer.body).toEqual({ message: expect.any(String) });
			expect(sandbox.requests).toMatchObject([{ method, path, status, carriedOut: false }]);
			expect(sandbox.state.jobs).toEqual([]);
		});

		it('but accepts a charset in the content-type and a bare question mark', async () => {
			const headers = json('application/json; charset=utf-8');
			const raw = '{"keyword":"plumber"}';
			expect((await call('POST', '/api/v1/jobs?', { raw, headers })).status).toBe(200);
		});
	});

	describe('the key', () => {
		const token = `Token ${KEY}`;
		const accepted = {
			documented: { '/api/v1/blacklist': token, '/api/v1/usage': KEY },
			token: { '/api/v1/blacklist': token, '/api/v1/usage': token },
			bare: { '/api/v1/blacklist': KEY, '/api/v1/usage': KEY },
		};
		const others = [
			null,
			'',
			'wrong',
			`token ${KEY}`,
			`Token  ${KEY}`,
			`Bearer ${KEY}`,
			KEY.toUpperCase(),
		];

		it.each(['documented', 'token', 'bare'] as const)('format %s', async (keyFormat) => {
			const strict = await startSandbox({ key: KEY, keyFormat });
			for (const [path, right] of Object.entries(accepted[keyFormat])) {
				for (const key of [token, KEY, ...others]) {
					const { status, body } = await call('GET', path, { key }, strict.address);
					expect([path, key, status]).toEqual([path, key, key === right ? 200 : 401]);
					if (status === 401) expect(body).toEqual({ message: expect.any(String) });
				}
			}
			await strict.stop();
		});

		it('is checked on every endpoint, and before the body', async () => {
			expect((await call('POST', '/api/v1/jobs', { key: KEY, json: {} })).status).toBe(401);
			expect((await call('POST', LEADS, { key: KEY, json: {} })).status).toBe(401);
			expect((await call('DELETE', LEADS, { key: KEY })).status).toBe(401);
		});

		it('is random by default', async () => {
			const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
			expect(one.key).toMatch(/^[0-9a-f-]{36}$/);
			expect(one.key).not.toBe(two.key);
			await Promise.all([one.stop(), two.stop()]);
		});
	});

	describe('the record', () => {
		it('has every request, in order, as received', async () => {
			const raw = '{ "keyword": "Café" }';
			await call('POST', '/api/v1/jobs', { raw, headers: { ...json(), 'X-Extra': 'Yes' } });
			await call('GET', '/elsewhere?a=%20', { key: null });

			expect(sandbox.requests).toMatchObject([
				{
					method: 'POST',
					path: '/api/v1/jobs',
					headers: { 'x-api-key': `Token ${KEY}`, 'x-extra': 'Yes' },
					rawBody: raw,
					body: { keyword: 'Café' },
					status: 200,
					carriedOut: true,
				},
				{ method: 'GET', path: '/elsewhere?a=%20', rawBody: '', status: 404, carriedOut: false },
			]);
			const [first, second] = sandbox.requests;
			expect(first?.body).not.toHaveProperty('group_name');
			expect(second?.body).toBeUndefined();
			expect(second?.at).toBeGreaterThan(first?.at ?? Infinity);
			expect(sandbox.requestCount).toBe(2);
		});

		it('accepts a body in chunks, and one longer than a megabyte', async () => {
			const keyword = 'é'.repeat(1_000_000);
			expect((await createJob({ keyword })).status).toBe(200);
			expect(sandbox.state.jobs[0]?.keyword).toBe(keyword);
		});

		it('has the maximum of requests in flight', async () => {
			for (let i = 0; i < 5; i += 1) await usage();
			expect(sandbox.maxInFlight).toBe(1);
			faultOf({ kind: 'hang' });
			const hung = Promise.allSettled(Array.from({ length: 7 }, usage));
			await until(() => sandbox.requestCount === 12);
			expect(sandbox.maxInFlight).toBe(7);
			sandbox.reset();
			await hung;
			await usage();
			expect(sandbox.maxInFlight).toBe(1);
		});

		it('has the time from the first request to the last', async () => {
			for (let i = 0; i < 3; i += 1) await usage();
			const [first, , last] = sandbox.requests;
			expect(sandbox.lasted).toBe(last!.at - first!.at);
			sandbox.reset();
			await usage();
			expect(sandbox.lasted).toBe(0);
		});

		it('can be reduced to a count', async () => {
			const lean = await startSandbox({ key: KEY, record: false });
			await call('POST', '/api/v1/jobs', { json: { keyword: 'x' } }, lean.address);
			expect(lean.requests).toEqual([]);
			expect(lean.requestCount).toBe(1);
			expect(lean.state.jobs).toHaveLength(1);
			await lean.stop();
		});
	});

	describe('faults', () => {
		it('status: with the default message', async () => {
			faultOf({ kind: 'status', status: 503 });
			expect(await createJob()).toMatchObject({ status: 503, body: { message: 'Sandbox fault' } });
			expect(sandbox.state.jobs).toEqual([]);
			expect(lastRequest()).toMatchObject({ status: 503, fault: 'status', carriedOut: false });
		});

		it('status: with headers and a body, JSON or text', async () => {
			const headers = { 'Retry-After': '3', 'Content-Type': 'application/problem+json' };
			faultOf({ kind: 'status', status: 429, headers, body: { error: 'slow' } });
			const answer = await usage();
			expect(answer).toMatchObject({ status: 429, body: { error: 'slow' } });
			expect(answer.headers).toMatchObject({
				'retry-after': '3',
				'content-type': 'application/problem+json',
			});

			sandbox.faults.clear();
			faultOf({ kind: 'status', status: 500, body: 'Out of order' });
			const text = await usage();
			expect(text.text).toBe('Out of order');
			expect(text.headers['content-type']).toMatch(/^text\/plain/);
		});

		it('status: without a body where HTTP allows none', async () => {
			faultOf({ kind: 'status', status: 204 });
			expect(await usage()).toMatchObject({ status: 204, text: '' });
		});

		it('status: any from 200 to 599', async () => {
			for (let status = 200; status <= 599; status += 1) {
				sandbox.faults.clear();
				faultOf({ kind: 'status', status });
				const answer = await usage();
				expect(answer.status).toBe(status);
				expect(answer.text).toBe([204, 304].includes(status) ? '' : '{"message":"Sandbox fault"}');
			}
		});

		it('status: an invalid one is explained with 500', async () => {
			faultOf({ kind: 'status', status: 503, headers: { 'x-bad': 'a\nb' } });
			const { status, body } = await usage();
			expect(status).toBe(500);
			expect(body).toEqual({ message: expect.stringContaining('cannot be applied') });
		});

		it('status: applies before key, path and body are checked', async () => {
			faultOf({ kind: 'status', status: 503, carryOut: true });
			const answers = await Promise.all([
				call('GET', '/nowhere', { key: null }),
				call('POST', '/nowhere', { json: {} }),
				call('GET', '/api/v1/blacklist/%zz'),
				call('POST', '/api/v1/jobs', { key: 'wrong', json: { keyword: 'x' } }),
				call('POST', '/api/v1/jobs', { json: { keywords: 'x' } }),
				call('POST', '/api/v1/jobs', { raw: 'keyword' }),
			]);
			expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
			expect(sandbox.state.jobs).toEqual([]);
			expect(sandbox.requests.every(({ carriedOut }) => !carriedOut)).toBe(true);
		});

		it.each<[Fault, number | 'broken']>([
			[{ kind: 'status', status: 500, carryOut: true }, 500],
			[{ kind: 'drop', carryOut: true }, 'broken'],
			[{ kind: 'html', carryOut: true }, 200],
			[{ kind: 'truncated', carryOut: true }, 200],
			[{ kind: 'cut', carryOut: true }, 'broken'],
			[{ kind: 'json', body: {}, carryOut: true }, 200],
			[{ kind: 'large', bytes: 1000, carryOut: true }, 200],
			[{ kind: 'raw', body: '{}', carryOut: true }, 200],
			[{ kind: 'status', status: 500 }, 500],
			[{ kind: 'drop' }, 'broken'],
			[{ kind: 'html' }, 200],
			[{ kind: 'truncated' }, 200],
			[{ kind: 'cut' }, 'broken'],
			[{ kind: 'json', body: {} }, 200],
			[{ kind: 'large', bytes: 1000 }, 200],
			[{ kind: 'raw', body: '{}' }, 200],
		])('carries out the request only on demand: %j', async (fault, expected) => {
			faultOf(fault);
			const outcome = await createJob().then(
				({ status }) => status,
				() => 'broken',
			);
			const carriedOut = 'carryOut' in fault;
			expect(outcome).toBe(expected);
			expect(sandbox.state.jobs).toHaveLength(carriedOut ? 1 : 0);
			expect(sandbox.state.remaining).toBe(carriedOut ? 999 : 1000);
			expect(lastRequest()).toMatchObject({ carriedOut, fault: fault.kind });
		});

		it('delay: waits, then responds as usual', async () => {
			faultOf({ kind: 'delay', ms: 60 });
			const { status, tookMs } = await createJob();
			expect(status).toBe(200);
			expect(tookMs).toBeGreaterThanOrEqual(55);
			expect(sandbox.state.jobs).toHaveLength(1);
			expect(lastRequest()?.fault).toBe('delay');
		});

		it('delay: the next rules apply after it', async () => {
			faultOf({ kind: 'delay', ms: 40 });
			faultOf({ kind: 'delay', ms: 40 });
			faultOf({ kind: 'status', status: 500 });
			const { status, tookMs } = await createJob();
			expect(status).toBe(500);
			expect(tookMs).toBeGreaterThanOrEqual(75);
			expect(lastRequest()?.fault).toBe('status');
		});

		it('delay: carries out the request even if the client has disconnected', async () => {
			faultOf({ kind: 'delay', ms: 80 });
			const json = { keyword: 'plumber' };
			const signal = AbortSignal.timeout(30);
			await expect(call('POST', '/api/v1/jobs', { json, signal })).rejects.toThrow();
			await until(() => sandbox.state.jobs.length === 1);
			expect(lastRequest()).toMatchObject({ carriedOut: true, status: undefined });
		});

		it('drop: breaks the connection without a response', async () => {
			faultOf({ kind: 'drop' });
			await expect(usage()).rejects.toMatchObject({ code: 'ECONNRESET' });
			expect(lastRequest()).toMatchObject({ fault: 'drop', status: undefined });
		});

		it('hang: never responds', async () => {
			faultOf({ kind: 'hang' });
			const signal = AbortSignal.timeout(80);
			await expect(
				call('POST', '/api/v1/jobs', { json: { keyword: 'x' }, signal }),
			).rejects.toThrow();
			expect(sandbox.state.jobs).toEqual([]);
			expect(lastRequest()).toMatchObject({ fault: 'hang', status: undefined });
		});

		const USUAL = '{"plan":"Sandbox","remaining":"1000"}';

		/**
		 * Reads what a stall sends before it breaks the connection, which must not happen too early.
		 */
		async function stalled(fault: Omit<Extract<Fault, { kind: 'stall' }>, 'kind'>) {
			sandbox.faults.clear();
			faultOf({ kind: 'stall', ...fault });
			const received = raw('GET', '/api/v1/usage');
			const first = await Promise.race([received, sleep(60)]);
			expect(first).toBeUndefined();
			sandbox.reset();
			const [head = '', body = ''] = (await received).split(/\r\n\r\n([^]*)/);
			return { head: head.toLowerCase(), body };
		}

		it('stall: the headers at once, then silence', async () => {
			const { head, body } = await stalled({});
			expect(head).toMatch(/^http\/1\.1 200 ok\r\n/);
			expect(head).toContain('content-type: application/json');
			expect(head).toContain('transfer-encoding: chunked');
			expect(head).not.toContain('content-encoding');
			expect(body).toBe('');
		});

		it('stall: after the first bytes of the usual response', async () => {
			const { head, body } = await stalled({ after: 8 });
			expect(head).toContain('transfer-encoding: chunked');
			expect(body).toBe('8\r\n{"plan":\r\n');
		});

		it('stall: with a content-length that is never reached', async () => {
			const { head, body } = await stalled({ headers: { 'content-length': '1000000' }, after: 5 });
			expect(head).toContain('content-length: 1000000');
			expect(head).not.toContain('chunked');
			expect(body).toBe('{"pla');
		});

		it('stall: after the head of a refusal', async () => {
			const { head, body } = await stalled({ status: 429, headers: { 'Retry-After': '2' } });
			expect(head).toMatch(/^http\/1\.1 429 too many requests\r\n/);
			expect(head).toContain('retry-after: 2');
			expect(body).toBe('');
		});

		it('stall: in the middle of a compressed response', async () => {
			const compressed = gzipSync(USUAL);
			const { length } = compressed;
			const half = await stalled({
				gzip: true,
				headers: { 'content-length': `${length}` },
				after: 20,
			});
			expect(half.head).toContain('content-encoding: gzip');
			expect(half.head).toContain(`content-length: ${length}`);
			expect(half.body).toBe(compressed.toString('latin1', 0, 20));

			const whole = await stalled({
				gzip: true,
				headers: { 'content-length': '1000' },
				after: 1_000,
			});
			expect(gunzipSync(Buffer.from(whole.body, 'latin1')).toString()).toBe(USUAL);

			const none = await stalled({ gzip: true });
			expect(none.head).toContain('content-encoding: gzip');
			expect(none.body).toBe('');
		});

		it.each([true, false])('stall: the client disconnects, carried out: %s', async (carryOut) => {
			faultOf({ kind: 'stall', carryOut });
			const signal = AbortSignal.timeout(50);
			const json = { keyword: 'x' };
			await expect(call('POST', '/api/v1/jobs', { json, signal })).rejects.toThrow();
			expect(sandbox.state.jobs).toHaveLength(carryOut ? 1 : 0);
			expect(lastRequest()).toMatchObject({ fault: 'stall', status: 200, carriedOut: carryOut });
		});

		it('html: a web page', async () => {
			faultOf({ kind: 'html' });
			const { status, headers, text } = await usage();
			expect(status).toBe(200);
			expect(headers['content-type']).toMatch(/^text\/html/);
			expect(text).toMatch(/^<!doctype html>/);
		});

		it('truncated: ends properly, but is incomplete', async () => {
			faultOf({ kind: 'truncated' });
			const { status, headers, text } = await usage();
			expect(status).toBe(200);
			expect(headers['content-type']).toMatch(/^application\/json/);
			expect(headers['content-length']).toBe(String(text.length));
			expect('{"plan":"Sandbox","remaining":"1000"}'.startsWith(text)).toBe(true);
			expect(() => JSON.parse(text)).toThrow();
		});

		it('cut: breaks the connection in the middle of the body', async () => {
			faultOf({ kind: 'cut' });
			const received = await raw('GET', '/api/v1/usage');
			expect(received).toMatch(/^HTTP\/1\.1 200/);
			expect(received).toMatch(/content-length: 37\r\n/);
			expect(received).toMatch(/\r\n\r\n\{"plan":"Sandbox",$/);
		});

		it('json: any body', async () => {
			faultOf({ kind: 'json', body: [{ id: 1 }] });
			expect(await createJob()).toMatchObject({ status: 200, body: [{ id: 1 }] });
			sandbox.faults.clear();
			faultOf({ kind: 'json', body: null });
			expect((await createJob()).text).toBe('null');
		});

		it.each([
			['escapes', '{"message":"a\\/b \\u0041"}'],
			['a number of 20 digits', '{"remaining":12345678901234567890}'],
			['deep nesting', '['.repeat(200_000) + ']'.repeat(200_000)],
			['not JSON', '{"job_id": é'],
			['nothing', ''],
		])('raw: %s, character by character', async (_what, body) => {
			faultOf({ kind: 'raw', body });
			const answer = await createJob();
			expect(answer.status).toBe(200);
			expect(answer.headers['content-type']).toMatch(/^application\/json/);
			expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(body)));
			expect(answer.text === body).toBe(true);
		});

		it('raw: with a status and headers', async () => {
			faultOf({ kind: 'raw', body: '{}', status: 429, headers: { 'Retry-After': '5' } });
			const answer = await usage();
			expect(answer).toMatchObject({ status: 429, text: '{}' });
			expect(answer.headers['retry-after']).toBe('5');
		});

		it('successFalse: for adding to and deleting a list only', async () => {
			faultOf({ kind: 'successFalse' });
			await createJob();
			expect((await lists()).body).toEqual([]);
			expect(await addItem()).toMatchObject({ status: 200, body: { success: false } });
			expect(sandbox.state.blacklists.size).toBe(0);
			sandbox.state.blacklists.set('Old leads', blacklistOf());
			expect((await call('DELETE', LEADS)).body).toEqual({ success: false });
			expect(sandbox.state.blacklists.size).toBe(1);
			expect(sandbox.state.jobs).toHaveLength(1);
			expect(sandbox.requests.map(({ fault }) => fault)).toEqual([
				undefined,
				undefined,
				'successFalse',
				'successFalse',
			]);
		});

		it('nb: the last entry of the listing', async () => {
			faultOf({ kind: 'nb' });
			expect((await lists()).body).toEqual([]);
			sandbox.state.blacklists.set('A', blacklistOf());
			sandbox.state.blacklists.set('B', blacklistOf({ type: 'cid', value: '1' }));
			expect((await lists()).body).toEqual([
				{ name: 'A', count: 0 },
				{ name: 'B', nb: 1 },
			]);
			expect((await usage()).body).toEqual({ plan: 'Sandbox', remaining: '1000' });
		});

		it('redirect: 302, or the given status', async () => {
			sandbox.faults.add({ times: 1, fault: { kind: 'redirect', to: 'https://example.com/x' } });
			faultOf({ kind: 'redirect', to: '/other', status: 307 });
			expect(await createJob()).toMatchObject({
				status: 302,
				headers: { location: 'https://example.com/x' },
			});
			expect(await createJob()).toMatchObject({ status: 307, headers: { location: '/other' } });
			expect(sandbox.state.jobs).toEqual([]);
		});

		it('echo: repeats the key in both forms', async () => {
			faultOf({ kind: 'echo', status: 403 });
			const { status, body } = await createJob();
			expect(status).toBe(403);
			expect(body).toEqual({ message: expect.stringContaining(`"Token ${KEY}" (${KEY})`) });
		});

		it.each([
			[
				'plain',
				'Token a/b"ä',
				String.raw`{"message":"Sandbox fault for x-api-key \"Token a/b\"ä\" (a/b\"ä)"}`,
			],
			[
				'slashes',
				'Token a/b',
				String.raw`{"message":"Sandbox fault for x-api-key \"Token a\/b\" (a\/b)"}`,
			],
			[
				'unicode',
				'a/bÿ',
				String.raw`{"message":"Sandbox fault for x-api-key \"\u0061\u002f\u0062\u00ff\" (\u0061\u002f\u0062\u00ff)"}`,
			],
			[
				'percent',
				'Token a/b',
				String.raw`{"message":"Sandbox fault for x-api-key \"Token%20a%2fb\" (a%2fb)"}`,
			],
			[
				'nested',
				'Token a/b',
				String.raw`{"message":"{\"message\":\"Sandbox fault for x-api-key \\\"Token a\\/b\\\" (a\\/b)\"}"}`,
			],
		] as const)('echo: the form %s of the key', async (form, key, bytes) => {
			faultOf({ kind: 'echo', status: 403, form });
			const { status, headers, text, body } = await call('GET', '/api/v1/usage', { key });
			expect(status).toBe(403);
			expect(headers['content-type']).toMatch(/^application\/json/);
			expect(text).toBe(bytes);
			expect(body).toEqual({ message: expect.any(String) });
		});

		it('echo: the message of the form nested is itself JSON', async () => {
			faultOf({ kind: 'echo', status: 403, form: 'nested' });
			const { body } = await call('GET', '/api/v1/usage', { key: 'a/b' });
			const { message } = body as { message: string };
			expect(message).toContain('(a\\/b)');
			expect(JSON.parse(message)).toEqual({ message: expect.stringContaining('(a/b)') });
		});

		it.each([
			[403, 302],
			[307, 307],
		])('echo: in the location, with %i as %i', async (status, expected) => {
			faultOf({ kind: 'echo', status, in: 'location' });
			const answer = await call('GET', '/api/v1/usage', { key: 'Token a/b' });
			expect(answer.status).toBe(expected);
			expect(answer.headers.location).toBe('/login?key=Token%20a%2fb');
			expect(answer.body).toEqual({ message: 'Moved' });
		});

		it('large: with a status and headers', async () => {
			const headers = { 'Retry-After': '1', 'Content-Type': 'text/plain' };
			faultOf({ kind: 'large', bytes: 11_000_000, status: 429, headers });
			const answer = await usage();
			expect(answer.status).toBe(429);
			expect(answer.text).toHaveLength(11_000_000);
			expect(answer.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'text/plain' });
		});

		it('large: the usual response in many bytes', async () => {
			faultOf({ kind: 'large', bytes: 3_000_000 });
			const { text, body } = await usage();
			expect(text).toHaveLength(3_000_000);
			expect(body).toEqual({ plan: 'Sandbox', remaining: '1000' });
		});

		it('trickle: byte by byte', async () => {
			faultOf({ kind: 'trickle', ms: 4 });
			const { status, body, tookMs } = await createJob();
			expect(status).toBe(200);
			expect(body).toEqual({ job_id: sandbox.state.jobs[0]?.job_id });
			expect(tookMs).toBeGreaterThan(100);
		});

		it('rateLimit: refuses requests above the limit, with Retry-After', async () => {
			faultOf({ kind: 'rateLimit', perSecond: 3 });
			const answers = await Promise.all(Array.from({ length: 5 }, () => createJob()));
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
			expect(sandbox.state.jobs).toHaveLength(3);

			const refused = answers.find(({ status }) => status === 429);
			expect(refused?.headers['retry-after']).toBe('1');
			expect(refused?.body).toEqual({ message: 'Too many requests' });
			expect(sandbox.requests.filter(({ fault }) => fault === 'rateLimit')).toHaveLength(2);

			await sleep(1010);
			expect((await createJob()).status).toBe(200);
		});

		it('rateLimit: Retry-After as a date, a decimal or not at all', async () => {
			sandbox.faults.add({
				times: 1,
				fault: { kind: 'rateLimit', perSecond: 0.1, retryAfter: 'date' },
			});
			await usage();
			const before = Date.now();
			const date = (await usage()).headers['retry-after'] ?? '';
			expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
			expect(Date.parse(date) - before).toBeGreaterThan(9_000);
			expect(Date.parse(date) - before).toBeLessThan(12_000);

			sandbox.faults.clear();
			faultOf({ kind: 'rateLimit', perSecond: 1, retryAfter: 'none' });
			await usage();
			const { status, headers } = await usage();
			expect(status).toBe(429);
			expect(headers).not.toHaveProperty('retry-after');

			sandbox.faults.clear();
			faultOf({ kind: 'rateLimit', perSecond: 1, retryAfter: 'decimal' });
			await usage();
			expect((await usage()).headers['retry-after']).toBe('0.0001');
		});

		it('rateLimit: later rules apply to the requests it lets pass', async () => {
			faultOf({ kind: 'rateLimit', perSecond: 1 });
			faultOf({ kind: 'status', status: 500 });
			expect((await usage()).status).toBe(500);
			expect((await usage()).status).toBe(429);
		});
	});

	describe('capacity', () => {
		it('handles a number at once, and the others wait in order of arrival', async () => {
			faultOf({ kind: 'capacity', atOnce: 2, ms: 400 });
			const started = performance.now();
			const sent: Array<Promise<Answer>> = [];
			for (let index = 0; index < 6; index += 1) {
				sent.push(createJob({ keyword: String(index) }));
				await until(() => sandbox.requestCount === index + 1);
			}
			const answers = await Promise.all(sent);
			// Three times two: sequentially it would take 2,400 ms, all at once 400 ms.
			expect(performance.now() - started).toBeGreaterThan(1_190);
			expect(performance.now() - started).toBeLessThan(2_390);
			expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
			expect(sandbox.state.jobs.map(({ keyword }) => keyword)).toEqual([...'012345']);
			expect(sandbox.requests.every(({ fault }) => fault === 'capacity')).toBe(true);
		});

		it('optionally refuses requests above it', async () => {
			faultOf({ kind: 'capacity', atOnce: 2, ms: 1_000, refuses: true, retryAfter: '7' });
			const answers = await Promise.all(Array.from({ length: 5 }, () => createJob()));
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
			expect(sandbox.state.jobs).toHaveLength(2);
			const refused = answers.filter(({ status }) => status === 429);
			for (const { headers, body, tookMs } of refused) {
				expect(headers['retry-after']).toBe('7');
				expect(body).toEqual({ message: 'Too many requests' });
				expect(tookMs).toBeLessThan(1_000);
			}
			// The slots are free again.
			expect((await createJob()).status).toBe(200);
		});

		it('sends Retry-After only if configured', async () => {
			faultOf({ kind: 'capacity', atOnce: 1, ms: 50, refuses: true });
			const answers = await Promise.all([usage(), usage()]);
			const refused = answers.find(({ status }) => status === 429);
			expect(refused?.headers).not.toHaveProperty('retry-after');
		});

		it('applies later rules, and stays occupied until their response has ended', async () => {
			faultOf({ kind: 'capacity', atOnce: 1 });
			faultOf({ kind: 'delay', ms: 40 });
			faultOf({ kind: 'status', status: 500 });
			const answers = await Promise.all([usage(), usage()]);
			expect(answers.map(({ status }) => status)).toEqual([500, 500]);
			expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeGreaterThan(75);
			expect(lastRequest()?.fault).toBe('status');
		});

		it('is released when the client disconnects, whether handled or waiting', async () => {
			sandbox.faults.add({ fault: { kind: 'capacity', atOnce: 1 } });
			sandbox.faults.add({ times: 1, fault: { kind: 'hang' } });
			const json = { keyword: 'x' };
			const worked = new AbortController();
			const waited = new AbortController();
			const send = ({ signal }: AbortController) =>
				expect(call('POST', '/api/v1/jobs', { json, signal })).rejects.toThrow();
			const first = send(worked);
			await until(() => lastRequest()?.fault === 'hang');
			const second = send(waited);
			await until(() => sandbox.requestCount === 2);
			const third = createJob({ keyword: 'third' });
			await until(() => sandbox.requestCount === 3);

			waited.abort();
			await second;
			await sleep(30);
			expect(sandbox.state.jobs).toEqual([]);
			worked.abort();
			await first;
			expect((await third).status).toBe(200);
			expect(sandbox.state.jobs).toMatchObject([{ keyword: 'third' }]);
			expect((await createJob()).status).toBe(200);
		});

		it('gives no slot to a client that disconnected before its turn', async () => {
			sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 60 } });
			sandbox.faults.add({ fault: { kind: 'capacity', atOnce: 1, refuses: true } });
			const json = { keyword: 'x' };
			const signal = AbortSignal.timeout(20);
			await expect(call('POST', '/api/v1/jobs', { json, signal })).rejects.toThrow();
			await until(() => sandbox.state.jobs.length === 1);
			expect((await usage()).status).toBe(200);
		});

		it('is free after a reset, and waiting requests are not carried out', async () => {
			faultOf({ kind: 'capacity', atOnce: 1, ms: 60_000 });
			const open = Array.from({ length: 3 }, () => expect(createJob()).rejects.toThrow());
			await until(() => sandbox.requestCount === 3);
			sandbox.reset();
			await Promise.all(open);
			faultOf({ kind: 'capacity', atOnce: 1 });
			expect((await usage()).status).toBe(200);
			await sleep(30);
			expect(sandbox.state.jobs).toEqual([]);
		});

		it('lets waiting requests continue when the rules are removed', async () => {
			faultOf({ kind: 'capacity', atOnce: 1, ms: 40 });
			faultOf({ kind: 'status', status: 500 });
			const answers = [usage(), usage()];
			await until(() => sandbox.requestCount === 2);
			sandbox.faults.clear();
			expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
		});
	});

	describe('which requests a fault applies to', () => {
		const fault: Fault = { kind: 'status', status: 500 };

		it('those with the method, the start of the path and the text in the body', async () => {
			sandbox.faults.add({
				method: 'post',
				path: '/api/v1/blacklist/Old leads',
				match: 'b@ex',
				fault,
			});
			await addItem('b@example.com', '/api/v1/blacklist/New');
			await addItem('a@example.com');
			await call('DELETE', LEADS);
			await lists();
			await addItem('b@example.com');
			expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 500]);
		});

		it('none before skip and after times, counted for each rule', async () => {
			sandbox.faults.add({ path: '/api/v1/usage', skip: 1, times: 2, fault });
			sandbox.faults.add({ skip: 2, times: 1, fault: { kind: 'status', status: 503 } });
			const statuses = [];
			for (let i = 0; i < 6; i += 1) statuses.push((await usage()).status);
			// The second rule only sees requests that the first let pass: the 1st, the 4th, the 5th.
			expect(statuses).toEqual([200, 500, 500, 200, 503, 200]);
		});

		it('the first rule that is due', async () => {
			sandbox.faults.add({ path: '/api/v1/jobs', fault });
			sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
			expect((await createJob()).status).toBe(500);
			expect((await usage()).status).toBe(503);
		});

		it('some at random, the same ones with the same seed', async () => {
			const pattern = async (seed: number) => {
				const seeded = await startSandbox({ key: KEY, seed });
				seeded.faults.add({ probability: 0.3, fault });
				for (let i = 0; i < 60; i += 1) await call('GET', '/api/v1/usage', {}, seeded.address);
				const first = seeded.requests.map(({ status }) => status).join();
				seeded.reset();
				seeded.faults.add({ probability: 0.3, fault });
				for (let i = 0; i < 60; i += 1) await call('GET', '/api/v1/usage', {}, seeded.address);
				expect(seeded.requests.map(({ status }) => status).join()).toBe(first);
				await seeded.stop();
				return first;
			};
			const one = await pattern(42);
			expect(await pattern(42)).toBe(one);
			expect(await pattern(43)).not.toBe(one);
			const faults = one.split(',').filter((status) => status === '500').length;
			expect(faults).toBeGreaterThan(6);
			expect(faults).toBeLessThan(32);
		});

		it('all with probability 1, none with 0', async () => {
			sandbox.faults.add({ probability: 0, fault: { kind: 'drop' } });
			sandbox.faults.add({ probability: 1, fault });
			for (let i = 0; i < 5; i += 1) expect((await usage()).status).toBe(500);
		});
	});

	describe('a base path', () => {
		it('is the prefix of the service, and not part of the rules', async () => {
			const prefixed = await startSandbox({ key: KEY, basePath: '/some/prefix/' });
			const at = prefixed.address;
			expect(at).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/some\/prefix$/);
			expect((await call('GET', '/api/v1/usage', {}, at)).status).toBe(200);
			expect((await call('GET', '/api/v1/usage', {}, new URL(at).origin)).status).toBe(404);
			prefixed.faults.add({ path: '/api/v1/usage', fault: { kind: 'status', status: 500 } });
			expect((await call('GET', '/api/v1/usage', {}, at)).status).toBe(500);
			expect((await call('GET', '/sandbox', {}, new URL(at).origin)).status).toBe(200);
			expect(prefixed.requests.map(({ path }) => path)).toEqual([
				'/some/prefix/api/v1/usage',
				'/api/v1/usage',
				'/some/prefix/api/v1/usage',
			]);
			await prefixed.stop();
		});
	});

	describe('control over HTTP', () => {
		const control = (method: string, path: string, options: Call = {}) =>
			call(method, path, { key: null, ...options });

		it('shows the state', async () => {
			await createJob();
			await addItem();
			sandbox.faults.add({ times: 1, fault: { kind: 'html' } });
			await usage();
			expect((await control('GET', '/sandbox')).body).toEqual({
				plan: 'Sandbox',
				remaining: 999,
				jobs: sandbox.state.jobs,
				blacklists: [{ name: 'Old leads', items: [{ type: 'email', value: 'a@example.com' }] }],
				requests: 3,
				faults: [{ rule: { times: 1, fault: { kind: 'html' } }, matched: 1, applied: 1 }],
			});
			expect(sandbox.requests).toHaveLength(3);
		});

		it('replaces and removes the faults, which do not apply to it', async () => {
			const rules = [{ fault: { kind: 'status', status: 503 } }];
			faultOf({ kind: 'drop' });
			expect((await control('PUT', '/sandbox/faults', { json: rules })).status).toBe(200);
			expect((await usage()).status).toBe(503);
			expect((await control('DELETE', '/sandbox/faults')).status).toBe(200);
			expect((await usage()).status).toBe(200);
		});

		it('accepts every field of every fault', async () => {
			const headers = { 'retry-after': '1' };
			const faults: Fault[] = [
				{ kind: 'status', status: 520, headers, body: {}, carryOut: true },
				{ kind: 'stall', status: 429, headers, gzip: true, after: 0, carryOut: true },
				{ kind: 'json', body: null, carryOut: true },
				{ kind: 'raw', body: '', status: 499, headers, carryOut: true },
				{ kind: 'redirect', to: '/x', status: 307 },
				{ kind: 'echo', status: 303, form: 'nested', in: 'location' },
				{ kind: 'large', bytes: 1, status: 429, headers, carryOut: true },
				{ kind: 'rateLimit', perSecond: 0.5, retryAfter: 'decimal' },
				{ kind: 'capacity', atOnce: 1, ms: 0, refuses: true, retryAfter: '1' },
			];
			const json = faults.map((fault) => ({ fault }));
			const { status, body } = await control('PUT', '/sandbox/faults', { json });
			expect(status).toBe(200);
			expect(body).toEqual(json.map((rule) => ({ rule, matched: 0, applied: 0 })));
		});

		it('accepts any content-type, because curl sends that of a form', async () => {
			const headers = json('application/x-www-form-urlencoded');
			const raw = '[{"fault":{"kind":"html"}}]';
			expect((await control('PUT', '/sandbox/faults', { raw, headers })).status).toBe(200);
			expect((await usage()).headers['content-type']).toMatch(/^text\/html/);
		});

		it.each<[unknown, string]>([
			[{}, 'The body must be array'],
			[[{}], '"0.fault" is required'],
			[[{ fault: { kind: 'fire' } }], '"0.fault.kind" must be one of status, delay'],
			[[{ fault: { kind: 'delay' } }], '"0.fault.ms" is required'],
			[[{ fault: { kind: 'status', status: 99 } }], '"0.fault.status" must be >= 200'],
			[[{ fault: { kind: 'drop', carryout: true } }], 'Unknown field "0.fault.carryout"'],
			[[{ fault: { kind: 'hang', ms: 5 } }], 'Unknown field "0.fault.ms"'],
			[[{ fault: { kind: 'raw', body: {} } }], '"0.fault.body" must be string'],
			[[{ fault: { kind: 'stall', after: -1 } }], '"0.fault.after" must be >= 0'],
			[[{ fault: { kind: 'capacity', atOnce: 0 } }], '"0.fault.atOnce" must be >= 1'],
			[
				[{ fault: { kind: 'echo', status: 400, form: 'bold' } }],
				'"0.fault.form" must be one of plain, slashes, unicode, percent, nested',
			],
			[[{ fault: { kind: 'drop' }, time: 1 }], 'Unknown field "0.time"'],
			[[{ fault: { kind: 'drop' }, probability: 2 }], '"0.probability" must be <= 1'],
		])('refuses the rules %j', async (rules, message) => {
			faultOf({ kind: 'html' });
			const { status, body } = await control('PUT', '/sandbox/faults', { json: rules });
			expect(status).toBe(400);
			expect(body).toEqual({ message: expect.stringContaining(message) });
			// The current rules stay in force.
			expect((await usage()).headers['content-type']).toMatch(/^text\/html/);
		});

		it('refuses rules that are not JSON', async () => {
			expect(await control('PUT', '/sandbox/faults', { raw: '[{' })).toMatchObject({
				status: 400,
				body: { message: 'The body is not valid JSON' },
			});
		});

		it('resets', async () => {
			await createJob();
			expect((await control('POST', '/sandbox/reset')).status).toBe(200);
			expect(sandbox.state.jobs).toEqual([]);
			expect(sandbox.requestCount).toBe(0);
		});
	});

	describe('reset', () => {
		it('restores the initial state', async () => {
			const own = await startSandbox({ key: KEY, plan: 'Pro', remaining: 5 });
			const { state, requests } = own;
			await call('POST', '/api/v1/jobs', { json: { keyword: 'x' } }, own.address);
			await addItem('a', LEADS);
			state.plan = 'Other';
			state.blacklists.set('A', blacklistOf());
			own.faults.add({ fault: { kind: 'drop' } });
			own.reset();

			expect(state).toEqual({ jobs: [], blacklists: new Map(), plan: 'Pro', remaining: 5 });
			expect(own.state).toBe(state);
			expect(requests).toEqual([]);
			expect([own.requestCount, own.maxInFlight]).toEqual([0, 0]);
			expect((await call('GET', '/api/v1/usage', {}, own.address)).status).toBe(200);
			await own.stop();
		});

		it('drops requests in flight, so that they do not affect the next test', async () => {
			sandbox.faults.add({ times: 1, fault: { kind: 'delay', ms: 50 } });
			const late = expect(createJob()).rejects.toMatchObject({ code: 'ECONNRESET' });
			await until(() => lastRequest()?.fault === 'delay');
			sandbox.reset();
			await late;
			await sleep(80);
			expect(sandbox.state.jobs).toEqual([]);
			expect(sandbox.requestCount).toBe(0);
		});
	});

	describe('stop', () => {
		it('closes every connection at once: kept alive, delayed, queued, hung and half sent', async () => {
			const own = await startSandbox({ key: KEY });
			await call('GET', '/api/v1/usage', {}, own.address);
			own.faults.add({ times: 2, fault: { kind: 'capacity', atOnce: 1, ms: 60_000 } });
			own.faults.add({ times: 1, fault: { kind: 'hang' } });
			own.faults.add({ times: 1, fault: { kind: 'stall' } });
			own.faults.add({ times: 1, fault: { kind: 'delay', ms: 60_000 } });
			own.faults.add({ times: 1, fault: { kind: 'trickle', ms: 10_000 } });
			const open = Array.from({ length: 6 }, () =>
				expect(call('GET', '/api/v1/usage', {}, own.address)).rejects.toThrow(),
			);
			await until(() => own.requests.filter(({ fault }) => fault !== undefined).length === 6);

			const started = performance.now();
			await own.stop();
			await Promise.all(open);
			expect(performance.now() - started).toBeLessThan(10_000);
			await expect(call('GET', '/api/v1/usage', {}, own.address)).rejects.toMatchObject({
				code: 'ECONNREFUSED',
			});
		});

		it('is idempotent', async () => {
			const own = await startSandbox();
			await Promise.all([own.stop(), own.stop()]);
		});
	});

	it('rejects a port that is in use', async () => {
		const port = Number(new URL(sandbox.address).port);
		await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});

	/** The raw bytes until the connection ends, one character per byte. */
	async function raw(method: string, path: string): Promise<string> {
		return await new Promise((resolve) => {
			let received = '';
			const socket = connect(Number(new URL(sandbox.address).port), '127.0.0.1');
			socket.on('data', (chunk) => (received += chunk.toString('latin1')));
			socket.on('close', () => resolve(received));
			socket.on('error', () => {});
			socket.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\n\r\n`);
		});
	}
});

function json(type = 'application/json'): Record<string, string> {
	return { 'content-type': type };
}

function jsonOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
