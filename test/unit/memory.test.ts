import fc from 'fast-check';
import { stringify } from 'flatted';
import type { IContextObject, IExecuteData, IHttpRequestOptions } from 'n8n-workflow';

import { fingerprint, Memory } from '../../nodes/BusinessListingSearch/transport/memory';
import { seededRandom } from '../../sandbox/random';

const REQUEST: IHttpRequestOptions = {
	method: 'POST',
	baseURL: 'http://127.0.0.1:1',
	url: '/api/v1/jobs',
	body: { keyword: 'dentist' },
};
const OUTPUT = [{ job_id: '9b1f6c1e-0000-4000-8000-000000000001' }];

const executeData = () => ({ data: {}, source: null }) as unknown as IExecuteData;

/** A memory as each try of a run makes one. */
const memoryOf = (context: IContextObject, run = 0, data = executeData()) =>
	new Memory(context, run, data);

describe('what was finished', () => {
	it('is recalled in the next try of the run', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(4, REQUEST, OUTPUT);
		expect(memoryOf(context).recall(4, REQUEST)).toEqual(OUTPUT);
		// The same request, built anew by that try.
		expect(memoryOf(context).recall(4, structuredClone(REQUEST))).toEqual(OUTPUT);
	});

	it('is recalled with as many items as it had', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(0, REQUEST, []);
		memoryOf(context).finish(1, REQUEST, [{ a: 1 }, { b: [null, { c: 'd' }] }]);
		expect(memoryOf(context).recall(0, REQUEST)).toEqual([]);
		expect(memoryOf(context).recall(1, REQUEST)).toEqual([{ a: 1 }, { b: [null, { c: 'd' }] }]);
	});

	it('is not that of another item', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(4, REQUEST, OUTPUT);
		expect(memoryOf(context).recall(3, REQUEST)).toBeUndefined();
		expect(memoryOf(context).recall(5, REQUEST)).toBeUndefined();
	});

	it('is not that of another run, such as the next pass of a loop', () => {
		const context: IContextObject = {};
		memoryOf(context, 0).finish(0, REQUEST, OUTPUT);
		expect(memoryOf(context, 1).recall(0, REQUEST)).toBeUndefined();
	});

	it('is not that of another account', () => {
		const context: IContextObject = {};
		const data = executeData();
		new Memory(context, 0, data, 'http://127.0.0.1:1').finish(0, REQUEST, OUTPUT);
		expect(new Memory(context, 0, data, 'http://127.0.0.1:2').recall(0, REQUEST)).toBeUndefined();
		expect(new Memory(context, 0, data, 'http://127.0.0.1:1').recall(0, REQUEST)).toEqual(OUTPUT);
	});

	it('is gone once a later run has finished something', () => {
		const context: IContextObject = {};
		memoryOf(context, 0).finish(0, REQUEST, OUTPUT);
		memoryOf(context, 1).finish(1, REQUEST, OUTPUT);
		expect(memoryOf(context, 0).recall(0, REQUEST)).toBeUndefined();
		expect(memoryOf(context, 1).recall(0, REQUEST)).toBeUndefined();
		expect(memoryOf(context, 1).recall(1, REQUEST)).toEqual(OUTPUT);
	});

	it.each<[what: string, change: Partial<IHttpRequestOptions>]>([
		['another body', { body: { keyword: 'plumber' } }],
		['another address', { url: '/api/v1/blacklist/a' }],
		['another service', { baseURL: 'http://127.0.0.1:2' }],
		['another method', { method: 'DELETE' }],
	])('is not that of a request with %s', (_what, change) => {
		const context: IContextObject = {};
		memoryOf(context).finish(0, REQUEST, OUTPUT);
		expect(memoryOf(context).recall(0, { ...REQUEST, ...change })).toBeUndefined();
	});

	it('is the latest where an item was sent with one input and then with another', () => {
		const context: IContextObject = {};
		const changed = { ...REQUEST, body: { keyword: 'plumber' } };
		memoryOf(context).finish(0, REQUEST, OUTPUT);
		memoryOf(context).finish(0, changed, [{ job_id: 'other' }]);
		expect(memoryOf(context).recall(0, REQUEST)).toBeUndefined();
		expect(memoryOf(context).recall(0, changed)).toEqual([{ job_id: 'other' }]);
	});

	it('is nothing of a GET, which costs nothing and may answer otherwise by now', () => {
		for (const method of ['GET', undefined] as const) {
			const context: IContextObject = {};
			memoryOf(context).finish(0, { ...REQUEST, method }, OUTPUT);
			expect(context).toEqual({});
			expect(memoryOf(context).recall(0, { ...REQUEST, method })).toBeUndefined();
		}
	});

	it('leaves alone what else is in the context', () => {
		const context: IContextObject = { other: 1 };
		const memory = memoryOf(context);
		memory.finish(0, REQUEST, OUTPUT);
		memory.forget();
		expect(context).toEqual({ other: 1 });
	});

	it('is gone once the run is forgotten', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		memory.finish(0, REQUEST, OUTPUT);
		memory.forget();
		expect(context).toEqual({});
		expect(memoryOf(context).recall(0, REQUEST)).toBeUndefined();
	});

	it('outlives being stored and read back', () => {
		const context: IContextObject = {};
		memoryOf(context).finish(0, REQUEST, OUTPUT);
		const stored = JSON.parse(JSON.stringify(context)) as IContextObject;
		expect(memoryOf(stored).recall(0, REQUEST)).toEqual(OUTPUT);
	});

	it('is what was put in, whatever the input and the output', () => {
		const value = fc.jsonValue();
		fc.assert(
			fc.property(
				fc.nat(100_000),
				value,
				fc.array(fc.dictionary(fc.string(), value)),
				(item, body, entered) => {
					const context: IContextObject = {};
					const request = { ...REQUEST, body: body as IHttpRequestOptions['body'] };
					const output = JSON.parse(JSON.stringify(entered)) as typeof OUTPUT;
					memoryOf(context).finish(item, request, output);
					expect(memoryOf(context).recall(item, structuredClone(request))).toEqual(output);
				},
			),
		);
	});

	it('of 10,000 jobs takes less than 2 MB, also as n8n stores it', () => {
		const context: IContextObject = {};
		const memory = memoryOf(context);
		for (let item = 0; item < 10_000; item++) {
			const body = { keyword: `keyword ${item}`, group_name: 'API' };
			memory.finish(item, { ...REQUEST, body }, [{ job_id: crypto.randomUUID() }]);
		}
		expect(JSON.stringify(context).length).toBeLessThan(2_000_000);
		expect(stringify(context).length).toBeLessThan(2_000_000);
	});
});

describe('what may have been carried out', () => {
	it('is known to all tries of a run, which share their execution data', () => {
		const data = executeData();
		memoryOf({}, 0, data).leaveOpen(2, REQUEST);
		expect(memoryOf({}, 0, data).isOpen(2, structuredClone(REQUEST))).toBe(true);
	});

	it('is not known to another run', () => {
		const context: IContextObject = {};
		memoryOf(context, 0).leaveOpen(2, REQUEST);
		expect(memoryOf(context, 0).isOpen(2, REQUEST)).toBe(false);
	});

	it('is not that of another item, nor of a changed request', () => {
		const data = executeData();
		const memory = memoryOf({}, 0, data);
		expect(memory.isOpen(2, REQUEST)).toBe(false);
		memory.leaveOpen(2, REQUEST);
		expect(memory.isOpen(1, REQUEST)).toBe(false);
		expect(memory.isOpen(2, { ...REQUEST, body: { keyword: 'plumber' } })).toBe(false);
		expect(memory.isOpen(2, REQUEST)).toBe(true);
	});

	it('leaves no trace in what n8n stores', () => {
		const context: IContextObject = {};
		memoryOf(context).leaveOpen(0, REQUEST);
		expect(context).toEqual({});
	});
});

describe('fingerprint', () => {
	it('is 11 characters for whatever is sent', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (url, body) => {
				const request = { ...REQUEST, url, body: body as IHttpRequestOptions['body'] };
				expect(fingerprint(request)).toMatch(/^[0-9a-z]{11}$/);
				expect(fingerprint(structuredClone(request))).toBe(fingerprint(request));
			}),
		);
	});

	it('tells requests apart, also such that differ in one character', () => {
		const requests: IHttpRequestOptions[] = [
			{ url: '/a' },
			{ url: '/a', method: 'POST' },
			{ url: '/a', method: 'DELETE' },
			{ url: '/b', method: 'POST' },
			{ url: '/a', method: 'POST', baseURL: 'http://a' },
			{ url: '/a', method: 'POST', baseURL: 'http://b' },
			{ url: '/a', method: 'POST', body: {} },
			{ url: '/a', method: 'POST', body: { keyword: '1' } },
			{ url: '/a', method: 'POST', body: { keyword: 1 } },
			{ url: '/a', method: 'POST', body: { keyword: '1', group_name: 'API' } },
		];
		expect(new Set(requests.map(fingerprint)).size).toBe(requests.length);
	});

	it('is that of one request alone among 150,000', () => {
		const random = seededRandom(1);
		const prints = Array.from({ length: 150_000 }, () =>
			fingerprint({ url: `${random()}${random()}` }),
		);
		expect(new Set(prints).size).toBe(prints.length);
	});

	it('differs where one character does', () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 1 }),
				fc.nat(),
				fc.integer({ min: 1, max: 0x7f }),
				(keyword, at, by) => {
					const index = at % keyword.length;
					const changed =
						keyword.slice(0, index) +
						String.fromCharCode(keyword.charCodeAt(index) ^ by) +
						keyword.slice(index + 1);
					expect(fingerprint({ ...REQUEST, body: { keyword: changed } })).not.toBe(
						fingerprint({ ...REQUEST, body: { keyword } }),
					);
				},
			),
			{ numRuns: 1_000 },
		);
	});
});
