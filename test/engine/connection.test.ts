import { createServer, request as sendOn, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';

import { Secret } from '../../nodes/shared/service/redact';
import { listen } from '../support/listen';
import { ADD_MANY, CREATE, USAGE } from '../support/parameters';
import { useEngine } from '../support/useEngine';

const { sandbox, owner, execute } = useEngine();

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
