import { readSuccess } from '../../nodes/BusinessListingSearch/resources/blacklist/blacklist';
import { Failure } from '../../nodes/shared/http/failure';
import {
	serviceMessage,
	unexpectedResponse,
	unsuccessfulResponse,
	type ServiceResponse,
} from '../../nodes/shared/http/response';

const response = (more: Partial<ServiceResponse>): ServiceResponse => ({
	statusCode: 400,
	headers: {},
	body: '',
	isJson: true,
	...more,
});
const json = (body: unknown) => response({ body });
const text = (body: string) => response({ body, isJson: false });

/** A message nested in this many objects. */
const nested = (depth: number): unknown =>
	depth === 0 ? 'Said so' : { error: nested(depth - 1), code: depth };

describe('serviceMessage', () => {
	it.each([
		['a message', json({ message: 'Said so.' }), 'Said so'],
		['an error text', json({ status: 'bad', error: 'Said so' }), 'Said so'],
		['a message and the status', json({ message: 'Said so', code: 400, ok: true }), 'Said so'],
		[
			'a message and the status under another name',
			json({ message: 'Said so', httpStatus: 400 }),
			'Said so',
		],
		['a description', json({ ok: false, description: 'Said so' }), 'Said so'],
		['a reason', json({ ok: false, reason: 'Said so' }), 'Said so'],
		[
			'a message and what else is said',
			json({ message: 'Said so', path: '', data: { job_id: 'a' }, id: 7, errors: [], why: 'No' }),
			'Said so {"data":{"job_id":"a"},"id":7,"why":"No"}',
		],
		[
			'what is beside a nested message',
			json({ error: { message: 'Said so', details: ['too short'] }, detail: 'Why', status: 'bad' }),
			'Said so {"detail":"Why","details":["too short"]}',
		],
		[
			'fields of the same name inside and outside',
			json({ error: { title: 'Said so', id: 'inner' }, id: 'outer' }),
			'Said so {"id":"outer","error.id":"inner"}',
		],
		['an id that equals the status', json({ message: 'Said so', id: 400 }), 'Said so {"id":400}'],
		[
			'the id after a long message',
			json({ message: 'x'.repeat(310), id: 'paid' }),
			`${'x'.repeat(200)} {"id":"paid"}`,
		],
		['a text with a name in brackets', text('<john@x> is not allowed'), '<john@x> is not allowed'],
		['a nested message', json({ error: { code: 7, message: 'Said so' } }), 'Said so {"code":7}'],
		['a message beside an empty one', json({ message: ' ', detail: 'Said so' }), 'Said so'],
		['a message next to an empty object', json({ error: {}, title: 'Said so' }), 'Said so'],
		[
			'a message six objects deep',
			json(nested(6)),
			'Said so {"code":6,"error.code":5,"error.error.code":4,"error.error.error.code":3,"error.error.error.error.code":2,"error.error.error.error.error.code":1}',
		],
		['a message deeper than that', json(nested(7)), JSON.stringify(nested(7))],
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
		['the beginning of a web page', text('<!DOCTYPE html>Hello'), undefined],
		['a message with tags', text('Hello <b>you</b>'), 'Hello <b>you</b>'],
		[
			'XML',
			text('<?xml version="1.0"?><error>Said so</error>'),
			'<?xml version="1.0"?><error>Said so</error>',
		],
		[
			'a piece of a web page',
			response({
				...text('<p>Hello</p>'),
				headers: { 'content-type': 'text/html; charset=utf-8' },
			}),
			undefined,
		],
		[
			'a text that is called a web page',
			response({ ...text('Said so'), headers: { 'content-type': 'text/html' } }),
			'Said so',
		],
	])('reads %s', (_what, answer, expected) => expect(serviceMessage(answer)).toBe(expected));

	it('shortens a long message', () => {
		expect(serviceMessage(text('x'.repeat(300)))).toBe('x'.repeat(300));
		expect(serviceMessage(text('x'.repeat(301)))).toBe(`${'x'.repeat(300)}…`);
		expect(serviceMessage(json({ message: 'x'.repeat(1000) }))).toBe(`${'x'.repeat(300)}…`);
	});

	it('shortens a success less: the id of a paid job can be anywhere in it', () => {
		const success = (body: unknown) => ({ ...json(body), statusCode: 201 });
		const job = { keyword: 'x'.repeat(1000), job_id: 'the-id' };
		expect(serviceMessage(success({ status: 'created', job }))).toContain('the-id');
		expect(serviceMessage(success({ message: 'Created', job }))).toContain('the-id');
		const message = `${'x'.repeat(1000)} the-id`;
		expect(serviceMessage(success({ message, more: 'more' }))).toContain('the-id');
		expect(serviceMessage(success('x'.repeat(5000)))).toHaveLength(2001);
	});
});

describe('an undocumented response', () => {
	const troubleOf = (answer: ServiceResponse) => {
		const failure = unexpectedResponse({ ...answer, statusCode: 201 }, 'a "job_id"');
		expect(failure).toBeInstanceOf(Failure);
		return failure.trouble;
	};
	const headers = { 'content-type': 'application/json; charset=utf-8' };

	it('is described by its content type', () => {
		expect(troubleOf(response({ headers, body: {} }))).toEqual({
			kind: 'shape',
			statusCode: 201,
			expected: 'a "job_id"',
			received: 'application/json; charset=utf-8 without it',
			serviceMessage: undefined,
		});
		expect(troubleOf(text('<html>'))).toMatchObject({
			received: 'a response without a content type',
		});
		expect(
			troubleOf(
				response({ headers: { 'content-type': 'text/html' }, body: '<html>', isJson: false }),
			),
		).toMatchObject({ received: 'text/html', serviceMessage: undefined });
	});

	it.each([
		['an empty response', '', headers, 'an empty response'],
		['a response of spaces', ' \n', headers, 'an empty response'],
		['a half', '{"a":', headers, 'application/json; charset=utf-8 that is not valid JSON'],
		[
			'a half with a content type in capitals',
			'{"a":',
			{ 'content-type': 'Application/JSON' },
			'Application/JSON that is not valid JSON',
		],
		['a page', '<html>', { 'content-type': 'text/html' }, 'text/html'],
	])('that is %s is described as such', (_what, body, sent, received) => {
		expect(troubleOf(response({ headers: sent, body, isJson: false }))).toMatchObject({ received });
	});

	it('is described with its location: it can end in the id of a paid job', () => {
		const created = response({ headers: { location: '/jobs/the-id' }, isJson: false });
		expect(troubleOf(created)).toMatchObject({
			received: 'an empty response, with the location /jobs/the-id',
		});
		const nowhere = response({ headers: { location: '' }, isJson: false });
		expect(troubleOf(nowhere)).toMatchObject({ received: 'an empty response' });
	});

	it('without a content type is described as JSON', () => {
		expect(troubleOf(json({}))).toMatchObject({ received: 'JSON without it' });
	});

	it('quotes the service’s message', () => {
		expect(troubleOf(json({ message: 'Said so' }))).toMatchObject({ serviceMessage: 'Said so' });
		expect(troubleOf(text('Said so'))).toMatchObject({ serviceMessage: 'Said so' });
	});
});

describe('success: false', () => {
	it.each([
		['a reason', { success: false, message: 'Said so' }, 'Said so'],
		['a reason of an unknown shape', { success: false, code: 7 }, '{"code":7}'],
		['no reason', { success: false }, undefined],
	])('with %s', (_what, body, said) => {
		const failure = unsuccessfulResponse(response({ statusCode: 200, body }));
		expect(failure).toBeInstanceOf(Failure);
		expect(failure.trouble).toEqual({
			kind: 'unsuccessful',
			statusCode: 200,
			serviceMessage: said,
		});
	});
});

describe('readSuccess', () => {
	it('accepts success: true alone', () => {
		expect(() => readSuccess(json({ success: true, more: 1 }))).not.toThrow();
	});

	it.each([
		['unsuccessful', { success: false }],
		['shape', { success: 'false' }],
		['shape', { success: 'true' }],
		['shape', { success: null }],
		['shape', { ok: true }],
		['shape', {}],
		['shape', null],
		['shape', [true]],
	])('is %s for %j', (kind, body) => {
		let thrown: unknown;
		try {
			readSuccess(json(body));
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toMatchObject({ trouble: { kind } });
	});
});
