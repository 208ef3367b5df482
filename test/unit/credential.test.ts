import { UserError } from 'n8n-workflow';

import {
	apiKeyHeader,
	BusinessListingSearchApi,
	readApiKey,
	readBaseUrl,
} from '../../credentials/BusinessListingSearchApi.credentials';

describe('readBaseUrl', () => {
	it.each([
		['https://service.example.com', 'https://service.example.com'],
		[' https://service.example.com/ \n', 'https://service.example.com'],
		['http://127.0.0.1:8787//', 'http://127.0.0.1:8787'],
		['https://service.example.com/listing/', 'https://service.example.com/listing'],
		['HTTPS://Service.Example.com', 'https://service.example.com'],
	])('reads %j', (entered, expected) => expect(readBaseUrl(entered)).toBe(expected));

	it.each(['service.example.com', '//service.example.com', 'ftp://service.example.com'])(
		'says how %j must begin',
		(entered) =>
			expect(() => readBaseUrl(entered)).toThrow('does not start with https:// or http://'),
	);

	it.each([
		'https://user:password@host',
		'http://user@host/',
		'http://@host',
		'https:///user@host',
		'https://\\user@host',
	])('refuses %j, which has user info', (entered) =>
		expect(() => readBaseUrl(entered)).toThrow('it contains a user name or a password'),
	);

	it('reads a path that has an @', () =>
		expect(readBaseUrl('https://host/@listing')).toBe('https://host/@listing'));

	it.each([undefined, null, '', ' ', 7, 'service.example.com', '//service.example.com', 'http://'])(
		'refuses %j',
		(entered) => expect(() => readBaseUrl(entered)).toThrow(UserError),
	);
});

it.each([5, true, {}, ['https://service.example.com'], Object.create(null)])(
	'readBaseUrl refuses what is not text',
	(entered) => expect(() => readBaseUrl(entered)).toThrow('is invalid: it is not text'),
);

describe('readApiKey', () => {
	it.each([
		['abc', 'abc'],
		['Token abc', 'abc'],
		['token\tabc\r\n', 'abc'],
		['Tokenabc', 'Tokenabc'],
		['a b', 'a b'],
		['clé', 'clé'],
		[12345678, '12345678'],
	])('reads %j', (pasted, expected) => expect(readApiKey(pasted)).toBe(expected));

	it.each([undefined, '', 'Token', 'a\nb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\u200bb'])(
		'refuses %j',
		(pasted) => expect(() => readApiKey(pasted)).toThrow(UserError),
	);

	it.each([true, false, {}, ['a'], 1.5, 1e21])('refuses %j, which is not text', (entered) =>
		expect(() => readApiKey(entered)).toThrow('"API Key" in the credential is not text'),
	);
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

	it('supports the address of n8n’s older request helper', async () => {
		const older = { uri: 'https://service.example.com/api/v1/jobs' } as never;
		expect(await authenticate(credentials, older)).toMatchObject({
			headers: { 'x-api-key': 'Token abc' },
		});
		const usage = { uri: 'https://service.example.com/api/v1/usage' } as never;
		expect(await authenticate(credentials, usage)).toMatchObject({
			headers: { 'x-api-key': 'abc' },
		});
	});

	it('does not require an address', async () => {
		expect(await authenticate(credentials, {} as never)).toEqual({
			headers: { 'x-api-key': 'Token abc' },
		});
	});

	it('replaces the address n8n put in front of a path', async () => {
		const options = { baseURL: ' https://x/ ', url: '/api/v1/jobs', headers: { a: 'b' } };
		expect(await authenticate(credentials, options)).toEqual({
			url: 'https://service.example.com/api/v1/jobs',
			headers: { a: 'b', 'x-api-key': 'Token abc' },
		});
	});
});

it('hides the key in the form', () => {
	const { properties } = new BusinessListingSearchApi();
	const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
	expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
});

// The other rules of the test are shown in n8n itself.
it.each([
	[[301, 302, 303, 307, 308, 400, 404, 405], '"Base URL"'],
	[[401, 403], '"API Key"'],
	[[429, 500, 502, 503, 504], 'est again'],
])('the credential test says what to do for the status %j', (statuses, advice) => {
	const { rules } = new BusinessListingSearchApi().test;
	for (const status of statuses) {
		expect(rules).toContainEqual({
			type: 'responseCode',
			properties: { value: status, message: expect.stringContaining(advice) },
		});
	}
});
