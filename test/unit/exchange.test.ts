import { Readable } from 'node:stream';

import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Credential, RequestContext } from '../../nodes/shared/service/credential';
import { exchange } from '../../nodes/shared/service/exchange';
import { Secret } from '../../nodes/shared/service/redact';
import { OnceEvent } from '../../nodes/shared/time/onceEvent';
import { listenedTo, until, useClock } from '../support/clock';

useClock();

interface Response {
	statusCode?: number;
	headers?: Record<string, string>;
	body?: Readable;
}

const KEY = 'sk_live_4f9a1c3e5d';

/** Sends a POST whose response is this; no real connection breaks in these ways on demand. */
async function post(
	response: Response | undefined,
	{ timeout = 60_000, abandon = new OnceEvent() } = {},
) {
	const sent = response && { statusCode: 201, headers: {}, ...response };
	const context = { helpers: { httpRequestWithAuthentication: async () => sent } };
	return await until(
		exchange(
			context as unknown as RequestContext,
			{ url: '/', method: 'POST', timeout },
			{ secret: new Secret(KEY) } as Credential,
			abandon,
		),
	);
}

const bodyOf = (...pieces: Array<string | Buffer>) =>
	Readable.from(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));

/** A body that begins like this, and then does not go on. */
function stalled(text: string): Readable {
	const body = new Readable({ read() {} });
	body.push(text);
	return body;
}

/** A body that breaks off with this error. */
function broken(text: string, error: object): Readable {
	const body = stalled(text);
	setImmediate(() => body.destroy(Object.assign(new Error('broken'), error)));
	return body;
}

/** Stops when the first of the body has been read. */
function stopWithin(body: Readable): OnceEvent {
	const stop = new OnceEvent();
	body.once('data', () => setImmediate(() => stop.happen()));
	return stop;
}

const LARGE = Buffer.alloc(10 * 1024 * 1024, 'x');
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

it.each<{ code: string; syscall?: string }>([
	{ code: 'ECONNREFUSED', syscall: 'connect' },
	{ code: 'ENOTFOUND' },
	{ code: 'CERT_HAS_EXPIRED' },
])('a response that breaks off with %j leaves the outcome unknown', async (error) => {
	expect(await post({ body: broken('{"job_', error) })).toMatchObject({
		facts: { reason: 'broken' },
		said: expect.stringContaining(`System code: ${error.code}.`),
	});
});

it('joins pieces that split a character, and leaves out a byte order mark', async () => {
	const bytes = Buffer.from('\ufeff{"name":"Žluťoučký 🐎"}');
	const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
	expect(await post({ body: bodyOf(...pieces) })).toMatchObject({
		body: { name: 'Žluťoučký 🐎' },
	});
});

it('no response at all leaves the outcome unknown', async () => {
	expect(await post(undefined)).toMatchObject({ facts: { doubt: 'unknown' } });
});

describe('a success that cannot be read is quoted, because it can contain the id of a paid job', () => {
	const PAID = '{"job_id":"paid","more":';
	const quoted = { serviceMessage: expect.stringContaining('"job_id":"paid"') };

	it.each<[string, string | Buffer]>([
		['of 10 MB that are not JSON', LARGE],
		['that is nested too deeply', `${DEEP}}`],
		['that is only half there', ''],
	])('if it is a response %s', async (_what, rest) => {
		expect(await post({ body: bodyOf(PAID, rest) })).toMatchObject({
			facts: { reason: 'unexpectedResponse', httpCode: '201', ...quoted },
		});
	});

	it('if it does not end in time', async () => {
		expect(await post({ body: stalled(PAID) })).toMatchObject({
			facts: { reason: 'timedOut', ...quoted },
		});
		expect(performance.now()).toBe(60_000);
	});

	it('if the run is stopped', async () => {
		const body = stalled(PAID);
		expect(await post({ body }, { abandon: stopWithin(body) })).toMatchObject({
			facts: { reason: 'abandoned', ...quoted },
		});
		expect(performance.now()).toBe(0);
	});

	it('without the key', async () => {
		const facts = { serviceMessage: '{"job_id":"paid","key":"[API key]","more' };
		const text = `{"job_id":"paid","key":"${KEY}","more`;
		expect(await post({ body: bodyOf(text) })).toMatchObject({ facts });
		const cut = broken(text, { code: 'ECONNRESET' });
		expect(await post({ body: cut })).toMatchObject({ facts });
	});
});

describe('the status of a rejection decides', () => {
	it.each<[string, () => Readable]>([
		['has 10 MB that are not JSON', () => bodyOf('{"message":"', LARGE)],
		['is nested too deeply', () => bodyOf(`{"message":${DEEP}}`)],
		['breaks off', () => broken('{"message":"No', { code: 'ECONNRESET' })],
		['does not end', () => stalled('{"message":"No')],
	])('if its body %s', async (_what, body) => {
		const headers = { 'retry-after': '7' };
		for (const [statusCode, reason] of [
			[400, 'rejectedInput'],
			[429, 'tooManyRequests'],
			[500, 'serverError'],
		] as const) {
			expect(await post({ statusCode, headers, body: body() })).toMatchObject({
				facts: { reason, httpCode: String(statusCode), retryAfter: 7_000 },
			});
		}
	});

	it('and its body is no longer read when the run is stopped', async () => {
		const body = stalled('{"message": "The ');
		const result = await post({ statusCode: 400, body }, { abandon: stopWithin(body) });
		expect(result).toMatchObject({ facts: { reason: 'rejectedInput' } });
		expect(performance.now()).toBe(0);
	});
});

it.each([200, 400])(
	'a request that has ended with %i leaves no timer behind',
	async (statusCode) => {
		await post({ statusCode, body: bodyOf('{}') });
		expect(listenedTo()).toBe(0);
	},
);

describe('a request that is aborted', () => {
	/** As n8n's helper ends it, with the state of its socket; n8n 1.123 drops the cause. */
	function canceled(socket?: { secureConnecting?: boolean }): Error {
		const axios = Object.assign(new Error('canceled'), {
			...{ code: 'ERR_CANCELED', isAxiosError: true, request: { socket } },
		});
		return Object.assign(new Error('canceled', socket && { cause: axios }), {
			...{ httpCode: 'ERR_CANCELED', messages: ['canceled'] },
		});
	}

	/** @param end what n8n's helper throws then; undefined if it does not end */
	async function abort(end: Error | undefined, abandon = new OnceEvent()) {
		const helpers = {
			async httpRequestWithAuthentication(this: IExecuteSingleFunctions) {
				const signal = this.getExecutionCancelSignal()!;
				return await new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => end && reject(end));
				});
			},
		};
		const context = { helpers } as unknown as RequestContext;
		const credential = { secret: new Secret(KEY) } as Credential;
		return await until(exchange(context, { url: '/', timeout: 300 }, credential, abandon));
	}

	it.each<[what: string, end: Error | undefined]>([
		['within the handshake', canceled({ secureConnecting: true })],
		['over plain http', canceled({})],
		['in n8n 1.123', canceled()],
		['and does not end', undefined],
	])('%s leaves the outcome unknown', async (_what, end) => {
		expect(await abort(end)).toMatchObject({ facts: { reason: 'timedOut' } });
		expect(performance.now()).toBe(300);
		expect(listenedTo()).toBe(0);
	});

	it('because the run is stopped says nothing about the service, with a connection or without', async () => {
		const stop = new OnceEvent();
		stop.happen();
		for (const socket of [{ secureConnecting: true }, {}]) {
			expect(await abort(canceled(socket), stop)).toMatchObject({ facts: { reason: 'abandoned' } });
		}
	});
});
