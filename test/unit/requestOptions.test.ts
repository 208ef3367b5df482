import type { Call } from '../../nodes/BusinessListingSearch/input/call';
import { Item } from '../../nodes/BusinessListingSearch/input/item';
import {
	REQUEST_OPTIONS,
	type Option,
} from '../../nodes/BusinessListingSearch/options/requestOptions';
import { readRunOptions } from '../../nodes/BusinessListingSearch/options/runOptions';
import { Failure } from '../../nodes/shared/errors/failure';
import { TimeSlice } from '../../nodes/shared/time/timeSlice';

const {
	skipSslCertificateValidation: IGNORE_SSL_ISSUES,
	batchSize: BATCH_SIZE,
	batchInterval: BATCH_INTERVAL,
	proxy: PROXY,
	timeout: TIMEOUT,
} = REQUEST_OPTIONS;
const LONGEST = 2_147_483_647;

function refusalOf(option: Option, entered: unknown): Failure {
	try {
		option.read(entered, false);
	} catch (error) {
		expect(error).toBeInstanceOf(Failure);
		return error as Failure;
	}
	throw new Error(`Nothing was refused of ${JSON.stringify(entered)}`);
}

it.each<unknown>([{}, undefined, { batching: {} }, { batching: { batch: {} }, timeout: 0 }])(
	'nothing entered leaves the defaults to n8n: %j',
	async (requestOptions) => {
		const node = { parameters: { requestOptions } };
		const item = new Item({ node } as unknown as Call, { index: 0, item: { json: {} } });
		item.parameter = (_label, path) => item.entered(path);
		const { sending, connection } = await readRunOptions([item], [], new TimeSlice());
		expect(sending).toEqual({});
		// They override what n8n's engine made of the options, so they must be set.
		expect(connection).toStrictEqual({
			skipSslCertificateValidation: false,
			timeout: undefined,
			proxy: undefined,
		});
	},
);

it('invalid certificates are accepted only if that is turned on', () => {
	const isAccepted = (value: unknown) => IGNORE_SSL_ISSUES.read(value, false) === true;
	for (const value of [true, 'true', ' True ']) expect(isAccepted(value)).toBe(true);
	for (const value of [false, undefined, null, '', 'false']) expect(isAccepted(value)).toBe(false);
	expect(refusalOf(IGNORE_SSL_ISSUES, 'yes').message).toBe(
		'"Ignore SSL Issues (Insecure)" is neither true nor false: yes',
	);
});

// What a whole number is: unit/input.test.ts.
it.each<[entered: unknown, milliseconds: number | undefined]>([
	[' 10000\n', 10_000],
	[0, 0],
	['0', 0],
	[null, undefined],
	[LONGEST, LONGEST],
])('"Timeout" of %p is %p ms', (entered, milliseconds) =>
	expect(TIMEOUT.read(entered, false)).toBe(milliseconds),
);

it.each<unknown>([-1, 1.5, LONGEST + 1, 'soon', '30.000', '30,000', ' ', true])(
	'%p is refused as a time',
	(time) => {
		for (const option of [TIMEOUT, BATCH_INTERVAL]) {
			const { message, description } = refusalOf(option, time);
			expect(message).toMatch(/^"(Timeout|Batch Interval \(ms\))" is /);
			expect(description).toMatch(/^Enter a whole number of milliseconds from 0 to \d+\.$/);
		}
	},
);

it('"Items per Batch" is a whole number', () => {
	expect([0, -1, 3].map((size) => BATCH_SIZE.read(size, false))).toEqual([0, -1, 3]);
	expect(refusalOf(BATCH_SIZE, 2.5).message).toMatch(/^"Items per Batch" is not a whole/);
});

describe('"Proxy"', () => {
	const plain = { protocol: 'http', host: 'proxy.example.com', port: 3128 };
	it.each<[entered: string, proxy: object]>([
		['http://proxy.example.com:3128', plain],
		['HTTP://proxy.example.com:3128', plain],
		['https://proxy.example.com:3128', { ...plain, protocol: 'https' }],
		[
			'http://user:secret@proxy.example.com:3128',
			{ ...plain, auth: { username: 'user', password: 'secret' } },
		],
		[
			'http://a%40b:p%3Aw%2F%C3%A9@proxy.example.com:3128',
			{ ...plain, auth: { username: 'a@b', password: 'p:w/é' } },
		],
		[
			'http://user:p:w@proxy.example.com:3128',
			{ ...plain, auth: { username: 'user', password: 'p:w' } },
		],
		[
			'http://user:100%@proxy.example.com:3128',
			{ ...plain, auth: { username: 'user', password: '100%' } },
		],
		['http://user@proxy.example.com:3128', { ...plain, auth: { username: 'user', password: '' } }],
	])('reads %j', (entered, proxy) => expect(PROXY.read(entered, false)).toEqual(proxy));

	it.each<unknown>([
		'proxy.example.com:3128',
		'http://proxy.example.com',
		'http://:3128',
		'http://::1:3128',
		'http://[::1]',
		'http://proxy.example.com:3128/path',
		'http://proxy.example.com:3128?a=b',
		'http://proxy example.com:3128',
		'http://user:p@w@proxy.example.com:3128',
		'socks5://proxy.example.com:1080',
		// n8n's helper ignores an invalid port, and the whole proxy if its host is invalid: the request
		// would bypass the proxy.
		'http://proxy.example.com:65536',
		'http://[:::::::]:3128',
		'http://a|b:3128',
		'http://1.2.3.999:3128',
		' ',
		7,
		{ host: 'proxy.example.com', port: 3128 },
	])('refuses %j', (entered) => {
		const { message, description } = refusalOf(PROXY, entered);
		expect(message).toBe('"Proxy" under "Request Options" is not a complete address');
		expect(description).toMatch(/http:\/\/host:port/);
	});

	it('never shows the password', () => {
		for (const entered of ['http://user:secret@proxy.example.com', 'user:secret@host:1']) {
			const { message, description } = refusalOf(PROXY, entered);
			expect(message + description).not.toContain('secret');
		}
	});
});
