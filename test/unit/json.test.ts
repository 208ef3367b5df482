import fc from 'fast-check';

import { parseExactly } from '../../nodes/shared/http/response';

describe('a whole number', () => {
	it.each<[text: string, value: unknown]>([
		['0', 0],
		['-7', -7],
		['999999999999999', 999999999999999],
		['9007199254740991', 9007199254740991],
		['-9007199254740991', -9007199254740991],
		['9007199254740992', '9007199254740992'],
		['9007199254740993', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		['12345678901234567890', '12345678901234567890'],
		[' 12345678901234567890\n', '12345678901234567890'],
		['1'.repeat(400), '1'.repeat(400)],
		['1234567890123456.5', 1234567890123456.5],
		['1234567890123456e2', 1234567890123456e2],
		['1.2345678901234567', 1.2345678901234567],
		['1.12345678901234567890123', 1.12345678901234567890123],
		['1e400', Infinity],
		['1e+12345678901234567890', Infinity],
		['1234567890123456E2', 1234567890123456e2],
	])('%s keeps its digits', (text, value) => expect(parseExactly(text)).toBe(value));

	it('keeps its digits at any position', () => {
		const parsed = parseExactly(
			'{"cid":12345678901234567890,"a":[1,12345678901234567891,{"b":-12345678901234567892}],"c":2}',
		);
		expect(parsed).toEqual({
			cid: '12345678901234567890',
			a: [1, '12345678901234567891', { b: '-12345678901234567892' }],
			c: 2,
		});
	});

	it('keeps any digits', () => {
		fc.assert(
			fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), (number) => {
				const parsed = parseExactly(`[${number}]`) as unknown[];
				expect(String(parsed[0])).toBe(String(number));
				expect(typeof parsed[0]).toBe(Number.isSafeInteger(Number(number)) ? 'number' : 'string');
			}),
		);
	});
});

/** Long enough to be converted to a text. */
const LONG = '12345678901234567890';

describe('a text', () => {
	it.each([
		LONG,
		`"${LONG}"`,
		`\\${LONG}`,
		`\\"${LONG}\\`,
		`${LONG}\\\\"`,
		`a, ${LONG}, b`,
		`{"a":${LONG}}`,
		`\u2028${LONG}\u2029`,
		`\u0000\n\t${LONG}\ud800`,
		'',
	])('is not changed: %j', (text) => {
		const value = { [text]: [text, text], other: text };
		const json = JSON.stringify(value);
		expect(parseExactly(json)).toEqual(value);
		expect(parseExactly(`[${json},${LONG}]`)).toEqual([value, LONG]);
		// With raw characters that JSON allows and JSON.stringify escapes, or vice versa.
		const escaped = json.replace(
			/[^ -~]/g,
			(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
		);
		expect(parseExactly(`[${escaped},${LONG}]`)).toEqual([value, LONG]);
	});

	it('is not changed, whatever it is made of', () => {
		const parts = ['"', '\\', LONG, '-', ',', ':', '{', '\n', 'a', '🐎'];
		const text = fc
			.array(fc.constantFrom(...parts), { maxLength: 8 })
			.map((chosen) => chosen.join(''));
		fc.assert(
			fc.property(text, text, fc.maxSafeInteger(), (a, b, number) => {
				const value = { [a]: [b, number, null, { [b]: a }] };
				expect(parseExactly(`[${JSON.stringify(value)}, ${LONG}]`)).toEqual([value, LONG]);
			}),
		);
	});
});

it.each(['', '{', `{"a":${LONG}`, `"${LONG}`, `0${LONG}`, `-`, `+${LONG}`, `<p>${LONG}</p>`])(
	'rejects invalid JSON: %j',
	(text) => expect(() => parseExactly(text)).toThrow(SyntaxError),
);
