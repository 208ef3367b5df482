import { Readable } from 'node:stream';

import type { Credential, RequestContext } from '../../nodes/shared/http/credential';
import { exchange } from '../../nodes/shared/http/exchange';
import { Secret } from '../../nodes/shared/http/secret';
import { Stop } from '../../nodes/shared/stop';
import { listenedTo, useSteppedClock } from '../support/steppedClock';

/** A context whose helper returns this; no real connection breaks in these ways on demand. */
const contextOf = (response: unknown) =>
	({
		helpers: { httpRequestWithAuthentication: async () => response },
	}) as unknown as RequestContext;

const credential = { secret: new Secret('a-long-enough-key') } as Credential;

/** A body that breaks off with this error. */
function broken(error: object): Readable {
	const body = new Readable({ read() {} });
	body.push('{"job_');
	setImmediate(() => body.destroy(Object.assign(new Error('broken'), error)));
	return body;
}

it.each<{ code?: string; name?: string; syscall?: string }>([
	{ code: 'ECONNREFUSED', syscall: 'connect' },
	{ code: 'ENOTFOUND' },
	{ code: 'CERT_HAS_EXPIRED' },
	{ name: 'SsrfBlockedIpError' },
])('a response that breaks off with %j leaves the outcome unknown', async (error) => {
	for (const statusCode of [200, 201]) {
		const response = { statusCode, headers: {}, body: broken(error) };
		const result = await exchange(contextOf(response), { url: '/', method: 'POST' }, credential);
		const { code = error.name } = error;
		expect(result).toMatchObject({ trouble: { kind: 'connection', code, what: 'broken' } });
	}
});

describe('a success that cannot be read is quoted, because it can contain the id of a paid job', () => {
	const PAID = '{"job_id":"paid","more":';
	const post = { url: '/', method: 'POST' } as const;
	const quoted = { trouble: { serviceMessage: expect.stringContaining('"job_id":"paid"') } };

	it.each<[string, string]>([
		['of more than 10 MB', 'x'.repeat(10 * 1024 * 1024)],
		['that is nested too deeply', `${'['.repeat(600)}${']'.repeat(600)}}`],
		['that is only half there', ''],
	])('if it is a response %s', async (_what, rest) => {
		const body = Readable.from([Buffer.from(PAID), Buffer.from(rest)]);
		const response = { statusCode: 201, headers: {}, body };
		expect(await exchange(contextOf(response), post, credential)).toMatchObject(quoted);
	});

	it('if the run is stopped', async () => {
		const body = new Readable({ read() {} });
		body.push(PAID);
		const abandon = new Stop();
		body.once('data', () => setImmediate(() => abandon.stop()));
		const response = { statusCode: 201, headers: {}, body };
		const result = await exchange(contextOf(response), post, credential, abandon);
		expect(result).toMatchObject({ trouble: { kind: 'abandoned' } });
		expect(result).toMatchObject(quoted);
	});
});

it('no response at all leaves the outcome unknown', async () => {
	const result = await exchange(contextOf(undefined), { url: '/', method: 'POST' }, credential);
	expect(result).toMatchObject({ trouble: { kind: 'connection', what: 'broken' } });
});

it('the body of a rejection is read until the timeout, even if n8n does not abort it', async () => {
	const body = new Readable({ read() {} });
	body.push('{"message": "The ');
	const response = { statusCode: 400, headers: {}, body };
	const started = performance.now();
	const request = { url: '/', method: 'POST', timeout: 300 } as const;
	const result = await exchange(contextOf(response), request, credential);
	expect(result).toMatchObject({ trouble: { kind: 'status', statusCode: 400 } });
	expect(performance.now() - started).toBeLessThan(8_000);
});

it('the body of a rejection is no longer read when the run is stopped', async () => {
	const body = new Readable({ read() {} });
	body.push('{"message": "The ');
	const abandon = new Stop();
	body.once('data', () => setImmediate(() => abandon.stop()));
	const response = { statusCode: 400, headers: {}, body };
	const started = performance.now();
	const result = await exchange(contextOf(response), { url: '/' }, credential, abandon);
	expect(result).toMatchObject({ trouble: { kind: 'status', statusCode: 400 } });
	expect(performance.now() - started).toBeLessThan(8_000);
});

describe('a request that has ended', () => {
	useSteppedClock();

	it.each([200, 400])('with %i leaves no timer behind', async (statusCode) => {
		const body = Readable.from([Buffer.from('{}')]);
		const response = { statusCode, headers: {}, body };
		await exchange(contextOf(response), { url: '/' }, credential);
		expect(listenedTo()).toBe(0);
	});
});
