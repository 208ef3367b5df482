import {
	parseBody,
	serviceMessage,
	unexpectedResponse,
	type ServiceResponse,
} from '../../nodes/shared/service/response';
import { Secret } from '../../nodes/shared/service/redact';

const response = (more: Partial<ServiceResponse>): ServiceResponse => ({
	method: 'POST',
	statusCode: 400,
	body: '',
	isJson: true,
	...more,
});
const json = (body: unknown) => response({ body });
const text = (body: string) => response({ body, isJson: false });

describe('serviceMessage', () => {
	it.each([
		['a message', json({ message: 'Said so.' }), 'Said so'],
		['an error text', json({ error: 'Said so' }), 'Said so'],
		[
			'a message and what is beside it',
			json({ message: 'Said so', code: 7, data: { job_id: 'a' } }),
			'Said so {"code":7,"data":{"job_id":"a"}}',
		],
		[
			'a nested message with all around it',
			json({ error: { message: 'Said so' }, id: 7 }),
			'{"error":{"message":"Said so"},"id":7}',
		],
		['a text with a name in brackets', text('<john@x> is not allowed'), '<john@x> is not allowed'],
		['a message beside an empty one', json({ message: '', detail: 'a' }), 'a {"message":""}'],
		['an unknown shape', json({ fields: { keyword: 'bad' } }), '{"fields":{"keyword":"bad"}}'],
		['a list', json([{ message: 'Said so' }]), '[{"message":"Said so"}]'],
		['plain text over lines', text('Said\r\n  so.\n'), 'Said so'],
		['nothing', text(''), undefined],
		['an empty object', json({}), undefined],
		['null', json(null), undefined],
		['a web page', text('<!DOCTYPE html><h1>Hello</h1>'), undefined],
		['the beginning of a web page', text('<!-- Hello --><html>Hello'), undefined],
		['a message with tags', text('Hello <b>you</b>'), 'Hello <b>you</b>'],
		[
			'XML',
			text('<?xml version="1.0"?><error>Said so</error>'),
			'<?xml version="1.0"?><error>Said so</error>',
		],
	])('reads %s', (_what, answer, expected) => expect(serviceMessage(answer)).toBe(expected));

	it('shortens a long message', () => {
		expect(serviceMessage(text('x'.repeat(1_000)))).toBe('x'.repeat(1_000));
		expect(serviceMessage(text('x'.repeat(1_001)))).toBe(`${'x'.repeat(999)}…`);
		expect(serviceMessage(json({ message: 'x'.repeat(2_000) }))).toBe(`${'x'.repeat(999)}…`);
	});

	it('leaves no half of an emoji, and no control characters', () => {
		expect(serviceMessage(text(`${'x'.repeat(998)}🐎🐎`))).toBe(`${'x'.repeat(998)}…`);
		expect(serviceMessage(text(`x${' '.repeat(1_997)}🐎🐎`))).toBe('x …');
		expect(serviceMessage(text('Said\u0000\u001b so'))).toBe('Said so');
	});
});

describe('an undocumented response', () => {
	const saidOf = (answer: ServiceResponse) => unexpectedResponse(answer, 'a "job_id"').said;
	const page = { contentType: 'text/html', body: '<html>', isJson: false };
	const half = { contentType: 'application/json', body: '{"a":', isJson: false };

	it.each<[received: string, answer: Partial<ServiceResponse>]>([
		['', { contentType: 'application/json', body: {} }],
		['Content type: text/html.', page],
		['', { ...page, contentType: undefined }],
		['The service says: "{"a":".', half],
	])('is described as "%s"', (received, answer) => {
		expect(saidOf(response(answer))).toBe(`Expected a "job_id". ${received}`.trim());
	});
});

describe('a parsed body', () => {
	const KEY = 'sk_Live-4f9a';
	const parsed = (text: string) => parseBody(text, new Secret(KEY));

	it('has the key nowhere, also where JSON escapes its letters', () => {
		const body = { a: [KEY, { [`x ${KEY}`]: [[`${KEY}!`]] }], b: 1, c: null, d: true, e: '' };
		expect(parsed(JSON.stringify(body))).toMatchObject({
			body: { ...body, a: ['[API key]', { 'x [API key]': [['[API key]!']] }] },
			isJson: true,
		});
		expect(parsed('{"a":"\\u0073k_Live-4f9a"}').body).toEqual({ a: '[API key]' });
	});

	it('has no key of digits as a number either: it is no JSON then', () => {
		expect(parseBody('{"n":12345678}', new Secret('12345678'))).toMatchObject({
			body: '{"n":[API key]}',
			isJson: false,
		});
	});

	it('keeps a field named __proto__', () => {
		const text = '{"__proto__":{"key":"k"},"constructor":"c"}';
		expect(JSON.stringify(parsed(text).body)).toBe(text);
	});
});
