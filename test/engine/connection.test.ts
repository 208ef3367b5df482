import { listed } from '../support/jobs';
import { activeTrigger } from '../support/engine';
import { until, beBusy } from '../support/clock';
import { type Fault } from '../../sandbox';
import { createServer, request as sendOn, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';

import { Secret } from '../../nodes/shared/service/redact';
import { listen } from '../support/listen';
import { ADD_MANY, CREATE, USAGE, ADD, keywords, ONE_BY_ONE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute, start, log } = useEngine();

describe('"Proxy" under "Request Options"', () => {
	let proxy: Server;
	let port: number;
	let seen: Array<string | undefined>;

	beforeAll(async () => {
		proxy = createServer((request, response) => {
			const { 'proxy-authorization': user, ...headers } = request.headers;
			seen.push(user);
			const onward = sendOn(request.url!, { method: request.method, headers }, (answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			});
			request.pipe(onward);
		});
		port = await listen(proxy);
	});
	beforeEach(() => (seen = []));
	afterAll(() => {
		proxy.closeAllConnections();
		proxy.close();
	});

	it.each([
		['Job: Create', CREATE],
		['Blacklist: Add Many Items', ADD_MANY],
	])('is used by %s', async (_name, parameters) => {
		for (const user of ['', 'name:p%40ss@']) {
			const requestOptions = { proxy: `http://${user}127.0.0.1:${port}` };
			const { error } = await execute({ ...parameters, requestOptions });
			expect(error).toBeUndefined();
		}
		expect(seen).toEqual([undefined, expect.stringMatching(/^Basic /)]);
		expect(sandbox.requests).toHaveLength(2);
	});

	it.each(['http', 'https'])('is named if it refuses a request over %s', async (scheme) => {
		const refusing = createServer((_request, response) => response.writeHead(407).end());
		refusing.on('connect', (_request, socket) => {
			socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
		});
		const requestOptions = { proxy: `http://127.0.0.1:${await listen(refusing)}` };
		owner.baseUrl = owner.baseUrl.replace('http', scheme);
		const { error } = await execute({ ...CREATE, requestOptions });
		refusing.close();
		const message = 'Could not connect to the service';
		expect(error).toMatchObject({ message, httpCode: '407' });
		expect(error?.description).toContain('"Proxy"');
	});
});

it('a request is never reported as not sent once the service has it', async () => {
	jest.spyOn(Secret.prototype, 'removeFrom').mockImplementationOnce(() => {
		throw new SyntaxError('The engine failed');
	});
	const { error } = await execute(CREATE);
	expect(sandbox.state.jobs).toHaveLength(1);
	expect(error?.description).toContain('The request may have been carried out');
	expect(error?.message).toBe('This is a fault of this node');
	expect(error?.cause).toMatchObject({ name: 'SyntaxError', message: 'The engine failed' });
});

it("always allows the domain of the credential's own address", async () => {
	Object.assign(owner, { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' });
	const { error } = await execute(USAGE);
	expect(error).toBeUndefined();
});

it('a Timeout that ends before there is a connection is unknown, and not tried again', async () => {
	const connections: Socket[] = [];
	const silent = createTcpServer((connection) => connections.push(connection));
	owner.baseUrl = `https://127.0.0.1:${await listen(silent)}`;
	const { error } = await execute({ ...CREATE, requestOptions: { timeout: 2_000 } });
	expect(error?.message).toBe('The service did not respond in time');
	expect(error?.description).toMatch(
		/^Set a longer "Timeout"\. The request may have been carried out\.<br><br>A retry does not send /,
	);
	expect(connections).toHaveLength(1);
	silent.close();
});

/** What something returns, and how long it takes, in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<[result: T, milliseconds: number]> {
	const started = performance.now();
	return [await work, performance.now() - started];
}

/** A body that starts and never ends; the request is carried out. */
const STALL: Fault = { kind: 'stall', after: 5, carryOut: true };

describe('"Timeout" ends a response', () => {
	it.each<[string, Fault]>([
		['without a body', { kind: 'stall', carryOut: true }],
		['that stalls after a few bytes', STALL],
		['that stalls after a few bytes of gzip', { ...STALL, gzip: true, after: 12 }],
		['that is shorter than its length', { ...STALL, headers: { 'content-length': '500' } }],
		['that comes byte by byte', { kind: 'trickle', ms: 50 }],
	])('%s', async (_what, fault) => {
		sandbox.faults.add({ fault });
		const [{ error }, took] = await timed(execute({ ...ADD, requestOptions: { timeout: 500 } }));
		expect(took).toBe(500);
		expect(error?.message).toBe('The service did not respond in time');
		expect(error?.description).toContain('may have been carried out');
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('the body of a rejection that stalls', () => {
	it.each([
		['until the timeout of the request', { requestOptions: { timeout: 500 } }, 500],
		['for a second, if the request has more time', {}, 1_000],
	])('is read %s', async (_how, options, expected) => {
		sandbox.faults.add({ fault: { kind: 'stall', status: 400, after: 12 } });
		const [{ error }, took] = await timed(execute({ ...CREATE, ...options }));
		expect(took).toBe(expected);
		expect(error?.message).toBe('The service rejected the input');
		await until(() => sandbox.requests[0]!.endedAt !== undefined);
	});
});

/** Keeps n8n busy before the response: afterwards, timers that are due run before the network. */
function keepBusy(milliseconds: number): void {
	setTimeout(() => setImmediate(() => beBusy(milliseconds)), 20);
}

describe('a response that arrives in time while n8n is busy', () => {
	beforeEach(() => sandbox.faults.add({ fault: { kind: 'delay', ms: 50 } }));

	it('is read after "Timeout"', async () => {
		const { finished } = start({ ...CREATE, requestOptions: { timeout: 1_000 } });
		keepBusy(1_500);
		const { json } = await until(finished);
		expect(json).toEqual([{ job_id: sandbox.state.jobs[0]!.job_id }]);
	});

	it('is read after the ten seconds of a cancelled run', async () => {
		const { finished, cancel } = start(ONE_BY_ONE, keywords(3));
		await until(() => sandbox.requestCount > 0);
		cancel();
		keepBusy(10_500);
		await until(finished);
		expect(log.lines('warn')).toEqual([
			expect.stringContaining(
				`1 done, 0 failed, 2 not started. Done, by job_id: ${listed(sandbox.state.jobs)}.`,
			),
		]);
	});

	it('is read after the time of a poll', async () => {
		const poll = activeTrigger(owner, { events: ['allowanceLow'], threshold: 100 });
		keepBusy(1_500);
		expect(await poll('trigger', { budget: 1_000 })).toBeNull();
	});
});
