import { Readable } from 'node:stream';

import type { Credential, RequestContext } from '../../nodes/shared/http/credential';
import { exchange } from '../../nodes/shared/http/exchange';
import { Secret } from '../../nodes/shared/http/secret';

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

it.each([
	{ code: 'ECONNREFUSED', syscall: 'connect' },
	{ code: 'ENOTFOUND' },
	{ code: 'CERT_HAS_EXPIRED' },
	{ name: 'SsrfBlockedIpError' },
])('a response that breaks off with %j leaves the outcome unknown', async (error) => {
	for (const statusCode of [200, 201]) {
		const response = { statusCode, headers: {}, body: broken(error) };
		const result = await exchange(contextOf(response), { url: '/', method: 'POST' }, credential);
		expect(result).toMatchObject({ trouble: { kind: 'connection', what: 'broken' } });
	}
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
