import { serviceMessage } from '../../nodes/BusinessListingSearch/transport/answer';

const json = (body: unknown) => ({ statusCode: 400, headers: {}, body, isJson: true });
const text = (body: string) => ({ statusCode: 400, headers: {}, body, isJson: false });

describe('serviceMessage', () => {
	it.each([
		['a message', json({ message: 'Said so.' }), 'Said so'],
		['an error text', json({ status: 'bad', error: 'Said so' }), 'Said so'],
		['a nested message', json({ error: { code: 7, message: 'Said so' } }), 'Said so'],
		['a message under a blank one', json({ message: ' ', detail: 'Said so' }), 'Said so'],
		['JSON that is text', json('Said so'), 'Said so'],
		['a shape nobody knows', json({ fields: { keyword: 'bad' } }), '{"fields":{"keyword":"bad"}}'],
		['plain text over lines', text('Said\r\n  so.\n'), 'Said so'],
		['nothing', text(''), undefined],
		['an empty object', json({}), undefined],
		['an empty list', json([]), undefined],
		['null', json(null), undefined],
		['a web page', text('<!DOCTYPE html><h1>Hello</h1>'), undefined],
	])('reads %s', (_what, answer, expected) => expect(serviceMessage(answer)).toBe(expected));

	it('shortens what is too long for a sentence', () => {
		expect(serviceMessage(text('x'.repeat(1000)))).toBe(`${'x'.repeat(300)}…`);
	});
});
