import { UserError } from 'n8n-workflow';

import { BusinessListingSearchApi } from '../../credentials/BusinessListingSearchApi.credentials';
import { apiKeyHeader, readApiKey, readBaseUrl } from '../../nodes/shared/service/credentialFields';

describe('readBaseUrl', () => {
	it.each<[string, string]>([
		['https://service.example.com', 'https://service.example.com'],
		[' https://service.example.com/ \n', 'https://service.example.com'],
		['http://127.0.0.1:8787//', 'http://127.0.0.1:8787'],
		['https://service.example.com/listing/', 'https://service.example.com/listing'],
		['https://service.example.com/@listing', 'https://service.example.com/@listing'],
		['https://service.example.com/api/v10', 'https://service.example.com/api/v10'],
		['https://https://service.example.com', 'https://service.example.com'],
		['https://HTTP://service.example.com', 'http://service.example.com'],
		['\u200b`https://service.example.com`\u200b', 'https://service.example.com'],
		[' "https://service.example.com/api/v1"; ', 'https://service.example.com'],
		['HTTPS://Service.Example.com', 'https://service.example.com'],
		['«https://service.example.com/»', 'https://service.example.com'],
		[' https://service.example.com/listing//api/v1// ', 'https://service.example.com/listing'],
		['https://service.example.com/api/v1/api/v1', 'https://service.example.com/api/v1'],
		['https://service.example.com/myapi/v1', 'https://service.example.com/myapi/v1'],
		['https://service.example.com/listing/api/v1/usage/', 'https://service.example.com/listing'],
		['https://service.example.com/api/v1/blacklist/my%20list', 'https://service.example.com'],
		['https://service.example.com/api/v1/blacklist/my+list', 'https://service.example.com'],
		...[
			'https://gw.example.com/api/v1/listing',
			'https://gw.example.com/api/v1/jobs/1',
			'https://gw.example.com/api/v1/jobsearch',
			'https://gw.example.com/api/v1/blacklist/a/b',
			'https://gw.example.com/jobs',
		].map((prefix): [string, string] => [prefix, prefix]),
	])('reads %j', (entered, expected) => expect(readBaseUrl(entered)).toBe(expected));

	it.each<[why: string, entered: unknown[]]>([
		['is empty', [undefined, null, '', ' ']],
		['is invalid', [5, true, {}, ['https://a.example'], Object.create(null)]],
		['is invalid', ['service.example.com', '//service.example.com', 'ftp://a.example']],
		['is invalid', ['see https://a.example', 'http://', 'https://a b']],
		['is invalid', ['https://user:password@host', 'http://user@host/', 'http://@host']],
		['is invalid', ['https:///user@host', 'https://\\user@host']],
		['is invalid', ['https://host/path?a=b', 'https://host?', 'https://host/#a', 'https://host#']],
	])('refuses what %s', (why, entered) => {
		for (const each of entered) {
			expect(() => readBaseUrl(each)).toThrow(UserError);
			expect(() => readBaseUrl(each)).toThrow(
				expect.objectContaining({
					message: `"Base URL" in the credential ${why}`,
					description: expect.stringMatching(
						/^Enter (it, or check|only the address of the service)/,
					),
				}),
			);
		}
	});
});

describe('readApiKey', () => {
	it.each([
		['abc', 'abc'],
		['Token abc', 'abc'],
		['token\tabc\r\n', 'abc'],
		['Bearer abc', 'abc'],
		['bearerabc', 'bearerabc'],
		['x-api-key: abc', 'abc'],
		['X-API-Key:Token abc\n', 'abc'],
		['\u200b`abc`\u200b', 'abc'],
		['`x-api-key`: `Token` `abc`', 'abc'],
		["'Token abc' ", 'abc'],
		['"x-api-key": "Token abc",', 'abc'],
		...['Token <abc>', '<abc>', 'Authorization: Bearer abc', '"Authorization": "Token abc"'].map(
			(pasted): [string, string] => [pasted, 'abc'],
		),
		['a<b>c', 'a<b>c'],
		['x-api-key', 'x-api-key'],
		...['“abc”', '„abc“', '‘Token abc’', '«abc»', '‹ abc ›', '“x-api-key”: “abc”'].map(
			(pasted): [string, string] => [pasted, 'abc'],
		),
		['abc"d', 'abc"d'],
		['a b', 'a b'],
		['clé', 'clé'],
		[12345678, '12345678'],
	])('reads %j', (pasted, expected) => expect(readApiKey(pasted)).toBe(expected));

	it.each<[what: string, entered: unknown[]]>([
		['empty', [undefined, null, '', ' ', 'Token', 'x-api-key: Bearer', '""']],
		['invalid', ['a\nb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\u200bb']],
		['invalid', [true, false, {}, ['a'], 1.5, 1e21]],
	])('refuses what is %s', (what, entered) => {
		for (const each of entered) {
			expect(() => readApiKey(each)).toThrow(UserError);
			expect(() => readApiKey(each)).toThrow(`"API Key" in the credential is ${what}`);
		}
	});
});

describe('apiKeyHeader', () => {
	it.each([
		['documented', '/api/v1/jobs', 'Token abc'],
		['documented', '/api/v1/blacklist/usage', 'Token abc'],
		['documented', '/api/v1/blacklist/a%2Fapi%2Fv1%2Fusage', 'Token abc'],
		['documented', '/prefix/api/v1/usage/', 'abc'],
		['token', '/api/v1/usage', 'Token abc'],
		['bare', '/api/v1/jobs', 'abc'],
	])('%s on %s is %s', (keyFormat, path, expected) =>
		expect(apiKeyHeader('abc', keyFormat, path)).toBe(expected),
	);
});

describe('authenticate', () => {
	const { authenticate } = new BusinessListingSearchApi();
	if (typeof authenticate !== 'function') throw new Error('authenticate is a function');
	const credentials = { baseUrl: ' https://service.example.com/ ', apiKey: 'abc' };

	it('does not change the address of another node’s request', async () => {
		const url = 'https://service.example.com/api/v1/usage?x=1';
		expect(await authenticate({ ...credentials, baseUrl: '' }, { url })).toEqual({
			url,
			headers: { 'x-api-key': 'abc' },
		});
	});

	it.each([
		['jobs', 'Token abc'],
		['usage', 'abc'],
	])('supports the address of n8n’s older request helper: %s', async (path, key) => {
		const older = { uri: `https://service.example.com/api/v1/${path}` } as never;
		const headers = { 'x-api-key': key };
		expect(await authenticate(credentials, older)).toMatchObject({ headers });
	});

	it('replaces the address n8n put in front of a path', async () => {
		const options = { baseURL: ' https://x/ ', url: '/api/v1/jobs', headers: { a: 'b' } };
		expect(await authenticate(credentials, options)).toEqual({
			url: 'https://service.example.com/api/v1/jobs',
			headers: { a: 'b', 'x-api-key': 'Token abc' },
		});
	});
});
