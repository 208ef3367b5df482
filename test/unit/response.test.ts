import { ifSuccessful } from '../../nodes/BusinessListingSearch/run/operation';
import {
	parseBody,
	serviceMessage,
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../nodes/shared/http/response';
import { Secret } from '../../nodes/shared/http/secret';

const response = (more: Partial<ServiceResponse>): ServiceResponse => ({
	statusCode: 400,
	body: '',
	text: '',
	isJson: true,
	...more,
});
const json = (body: unknown) => response({ body, text: JSON.stringify(body) });
const text = (body: string) => response({ body, text: body, isJson: false });

describe('serviceMessage', () => {
	it.each([
		['a message', json({ message: 'Said so.' }), 'Said so'],
		['an error text', json({ error: 'Said so' }), 'Said so'],
		['a description', json({ description: 'Said so' }), 'Said so'],
		['a reason', json({ reason: 'Said so' }), 'Said so'],
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
		['the first of two messages', json({ title: 'b', message: 'a' }), 'a {"title":"b"}'],
		['a text with a name in brackets', text('<john@x> is not allowed'), '<john@x> is not allowed'],
		['a message beside an empty one', json({ message: '', detail: 'a' }), 'a {"message":""}'],
		['JSON that is text', json('Said so'), 'Said so'],
		['JSON that is a number', json(7), '7'],
		['an unknown shape', json({ fields: { keyword: 'bad' } }), '{"fields":{"keyword":"bad"}}'],
		['a list', json([{ message: 'Said so' }]), '[{"message":"Said so"}]'],
		['plain text over lines', text('Said\r\n  so.\n'), 'Said so'],
		['dots at the end', text('Said so...'), 'Said so'],
		['dots elsewhere', text('Said ... so'), 'Said ... so'],
		['a comparison', text('rating < 5'), 'rating < 5'],
		['nothing', text(''), undefined],
		['spaces', text(' \n'), undefined],
		['an empty object', json({}), undefined],
		['an empty list', json([]), undefined],
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
	const factsOf = (answer: ServiceResponse) => {
		const failure = unexpectedResponse({ ...answer, statusCode: 201 }, 'a "job_id"');
		expect(failure.reason).toBe('unexpectedResponse');
		return failure.facts;
	};
	const contentType = 'application/json; charset=utf-8';

	it('is described by its content type', () => {
		expect(factsOf(response({ contentType, body: {} }))).toEqual({
			statusCode: 201,
			expected: 'a "job_id"',
			received: 'application/json; charset=utf-8 without it',
			serviceMessage: undefined,
		});
		expect(factsOf(text('<html>'))).toMatchObject({
			received: 'a response without a content type',
		});
		expect(
			factsOf(response({ contentType: 'text/html', body: '<html>', isJson: false })),
		).toMatchObject({ received: 'text/html', serviceMessage: undefined });
	});

	it.each([
		['an empty response', '', contentType, 'an empty response'],
		['a response of spaces', ' \n', contentType, 'an empty response'],
		['a half', '{"a":', contentType, 'application/json; charset=utf-8 that is not valid JSON'],
		[
			'a half with a content type in capitals',
			'{"a":',
			'Application/JSON',
			'Application/JSON that is not valid JSON',
		],
		['a page', '<html>', 'text/html', 'text/html'],
	])('that is %s is described as such', (_what, body, sent, received) => {
		expect(factsOf(response({ contentType: sent, body, isJson: false }))).toMatchObject({
			received,
		});
	});

	it('is described with its location: it can end in the id of a paid job', () => {
		const created = response({ location: '/jobs/the-id', isJson: false });
		expect(factsOf(created)).toMatchObject({
			received: 'an empty response, with the location /jobs/the-id',
		});
		const nowhere = response({ location: '', isJson: false });
		expect(factsOf(nowhere)).toMatchObject({ received: 'an empty response' });
	});

	it('quotes the service’s message, or all as it came if JavaScript may have rounded an id', () => {
		expect(factsOf(json({ message: 'Said so' }))).toMatchObject({ serviceMessage: 'Said so' });
		const received = '{"data": {"id": 12345678901234567890}}';
		const response = { ...json(JSON.parse(received)), text: received };
		expect(factsOf(response)).toMatchObject({ serviceMessage: received });
		expect(factsOf(text('Said so'))).toMatchObject({ serviceMessage: 'Said so' });
	});
});

describe('success: false', () => {
	it.each([
		['a reason', { success: false, message: 'Said so' }, 'Said so'],
		['a reason of an unknown shape', { success: false, code: 7 }, '{"code":7}'],
		['no reason', { success: false }, undefined],
	])('with %s', (_what, body, said) => {
		const failure = unsuccessfulResponse(response({ statusCode: 200, body }));
		expect(failure.reason).toBe('unsuccessful');
		expect(failure.facts).toEqual({ statusCode: 200, serviceMessage: said });
	});
});

describe('ifSuccessful', () => {
	it('gives the output for success: true alone', () => {
		expect(ifSuccessful({ done: 1 })(json({ success: true, more: 1 }))).toEqual([{ done: 1 }]);
	});

	it.each([
		['unsuccessful', { success: false }],
		['unexpectedResponse', { success: 'false' }],
		['unexpectedResponse', { success: 'true' }],
		['unexpectedResponse', { success: null }],
		['unexpectedResponse', { ok: true }],
		['unexpectedResponse', {}],
		['unexpectedResponse', null],
		['unexpectedResponse', [true]],
	])('is %s for %j', (reason, body) => {
		let thrown: unknown;
		try {
			ifSuccessful()(json(body));
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toMatchObject({ reason });
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
