import fc from 'fast-check';

import { parseExactly } from '../../nodes/shared/http/json';
import { Secret } from '../../nodes/shared/http/secret';

const PLACEHOLDER = '[API key]';
const KEY = 'sk_Live-4f/9a+"é" 7&b';

/** JSON inside JSON: each level escapes the one before. */
const inJson =
	(levels: number) =>
	(key: string): string => {
		let text = key;
		for (let level = 0; level < levels; level++) text = JSON.stringify(text).slice(1, -1);
		return text;
	};
const slashed = (text: string) => text.replaceAll('/', '\\/');
const code = (character: string) => character.charCodeAt(0).toString(16);
const each = (write: (character: string) => string) => (key: string) =>
	Array.from(key, write).join('');
const upper = (hex: string) => hex.toUpperCase();
/** JSON with escapes for everything but ASCII. */
const asciiJson = each((character) =>
	/[ -~]/.test(character)
		? JSON.stringify(character).slice(1, -1)
		: `\\u${code(character).padStart(4, '0')}`,
);
const allPercent = (key: string) =>
	Array.from(new TextEncoder().encode(key), (byte) => `%${byte.toString(16)}`).join('');
const NAMED: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Every way in which a service can encode the key in a response. */
const WAYS: Array<[what: string, write: (key: string) => string]> = [
	['as it is', (key) => key],
	['in lower case', (key) => key.toLowerCase()],
	['in JSON', inJson(1)],
	['in JSON in JSON', inJson(2)],
	['in JSON in JSON in JSON', inJson(3)],
	['in JSON with escaped slashes', (key) => slashed(inJson(1)(key))],
	['in JSON in JSON with escaped slashes', (key) => inJson(1)(slashed(inJson(1)(key)))],
	['in ASCII-only JSON', asciiJson],
	['in ASCII-only JSON in JSON', (key) => inJson(1)(asciiJson(key))],
	['in \\u escapes', each((character) => `\\u${code(character).padStart(4, '0')}`)],
	[
		'in \\u escapes in capitals',
		each((character) => `\\u${upper(code(character)).padStart(4, '0')}`),
	],
	[
		'in \\u escapes, escaped twice more',
		(key) => inJson(2)(each((character) => `\\u${code(character).padStart(4, '0')}`)(key)),
	],
	['in a URL', encodeURIComponent],
	['in a URL in lower case', (key) => encodeURIComponent(key).toLowerCase()],
	['in a URL in a URL', (key) => encodeURIComponent(encodeURIComponent(key))],
	['in a URL, three times', (key) => [1, 2, 3].reduce(encodeURIComponent, key)],
	['form-encoded', (key) => new URLSearchParams({ key }).toString().slice('key='.length)],
	['in a path', encodeURI],
	['fully percent-encoded', allPercent],
	['fully percent-encoded in capitals', (key) => upper(allPercent(key))],
	['percent-encoded as Latin-1', each((character) => `%${code(character).padStart(2, '0')}`)],
	['in HTML', each((character) => NAMED[character] ?? character)],
	['in decimal entities', each((character) => `&#${character.charCodeAt(0)};`)],
	['in decimal entities with leading zeros', each((character) => `&#0${character.charCodeAt(0)};`)],
	['in hexadecimal entities', each((character) => `&#x${code(character)};`)],
	['in hexadecimal entities in capitals', each((character) => `&#X${upper(code(character))};`)],
	['in UTF-8 read as Latin-1', (key) => Buffer.from(key, 'utf8').toString('latin1')],
	['in Latin-1 read as UTF-8', (key) => Buffer.from(key, 'latin1').toString('utf8')],
];

/** Two Latin-1 letters that are one letter in UTF-8; left out of generated keys. */
const isUtf8OfLatin1 = (key: string) => /[\xc2-\xf4][\x80-\xbf]/.test(key);

/** A key that the credential accepts: visible ASCII, spaces and Latin-1, trimmed. */
const character = fc.oneof(
	{ weight: 5, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
	{ weight: 1, arbitrary: fc.integer({ min: 0xa0, max: 0xff }) },
	{ weight: 2, arbitrary: fc.constantFrom(...Array.from('/\\"%&+<\' ', (c) => c.charCodeAt(0))) },
);
const keyOf = (least: number, most: number) =>
	fc
		.array(character, { minLength: least, maxLength: most })
		.map((codes) => String.fromCharCode(...codes))
		.filter((key) => key === key.trim() && key.length >= least);

describe.each(WAYS)('a key %s', (_what, write) => {
	it('leaves no trace', () => {
		expect(new Secret(KEY).removeFrom(`before ${write(KEY)} after`)).toBe(
			`before ${PLACEHOLDER} after`,
		);
		expect(new Secret(KEY).removeFrom(`${write(KEY)}${write(KEY)}`)).toBe(PLACEHOLDER.repeat(2));
	});

	it('leaves no trace for any key', () => {
		const texts = fc.constantFrom('', ' ', '"', ':', '=', '{"key":"', 'Token ', 'a');
		fc.assert(
			fc.property(keyOf(8, 40), texts, fc.constantFrom('', ' ', '"', 'z'), (key, before, after) => {
				fc.pre(!isUtf8OfLatin1(key));
				const text = new Secret(key).removeFrom(`${before}${write(key)}${after}`);
				expect(text).toContain(PLACEHOLDER);
				// Only parts of the placeholder and of the surrounding text may be left.
				expect(text.replace(PLACEHOLDER, '').length).toBeLessThanOrEqual(
					before.length + after.length,
				);
			}),
			{ numRuns: 200 },
		);
	});

	it('that is short leaves no trace when it stands alone', () => {
		const short = 'q/9"é1';
		for (const around of [' ', '"', ':', '=', ',', '\n', '']) {
			expect(new Secret(short).removeFrom(`${around}${write(short)}${around}`)).toBe(
				`${around}${PLACEHOLDER}${around}`,
			);
		}
	});
});

it('is removed from hand-made JSON, both from the parsed value and from the text', () => {
	fc.assert(
		fc.property(keyOf(8, 40), fc.integer({ min: 0, max: 3 }), (key, levels) => {
			const secret = new Secret(key);
			const text = JSON.stringify({ message: `No: ${inJson(levels)(key)}.` });
			expect(secret.removeFromValue(parseExactly(text))).toEqual({
				message: `No: ${PLACEHOLDER}.`,
			});
			expect(JSON.parse(secret.removeFrom(text))).toEqual({ message: `No: ${PLACEHOLDER}.` });
		}),
		{ numRuns: 500 },
	);
});

it.each([500, 3_000, 20_000])('a key of %i characters leaves no trace', (length) => {
	// It repeats itself, so that its parts are alike.
	const key = Array.from({ length }, (_, index) => (index % 36).toString(36)).join('');
	const secret = new Secret(key);
	for (const [, write] of WAYS.slice(0, 3)) {
		expect(secret.removeFrom(`before ${write(key)} after`)).toBe(`before ${PLACEHOLDER} after`);
	}
	expect(secret.removeFrom('before after')).toBe('before after');
});

it('finds a long key whose beginning also stands before it', () => {
	const key = `${'ab'.repeat(60)}cdefghijkl`;
	expect(new Secret(key).removeFrom(`x ab${key} y`)).toBe('x ab[API key] y');
});

it.each(['%25', '&amp;', '&#38;', '\\u005c', '\\é', '\\<'])(
	'a long key with %s leaves no trace, wherever that is',
	(piece) => {
		for (let before = 95; before <= 205; before++) {
			const key = `${'k'.repeat(before)}${piece}${'Z'.repeat(120)}`;
			for (const [what, write] of WAYS.slice(0, 3)) {
				expect([what, new Secret(key).removeFrom(write(key))]).toEqual([what, PLACEHOLDER]);
			}
		}
	},
);

it('does not change a text without the key', () => {
	const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl());
	fc.assert(
		fc.property(texts, (text) => {
			expect(new Secret('0123456789abcdef').removeFrom(text)).toBe(text);
		}),
	);
	expect(new Secret(KEY).removeFrom(KEY.slice(1))).toBe(KEY.slice(1));
	expect(new Secret(KEY).removeFrom(KEY.slice(0, -1))).toBe(KEY.slice(0, -1));
});

describe('a short key', () => {
	const removed = (key: string, text: string) => new Secret(key).removeFrom(text);

	it.each([
		['abc123', 'The key abc123.', `The key ${PLACEHOLDER}.`],
		['abc123', '{"key":"abc123"}', `{"key":"${PLACEHOLDER}"}`],
		['abc123', 'x_abc123', `x_${PLACEHOLDER}`],
		['abc1234', 'The key abc1234.', `The key ${PLACEHOLDER}.`],
		['abc123', 'abc1234', 'abc1234'],
		['abc123', 'xabc123', 'xabc123'],
		['abc1234', 'xabc1234', 'xabc1234'],
		['abc123', 'éabc123', 'éabc123'],
		['on', 'on concern', `${PLACEHOLDER} concern`],
		['a', 'a cat', `${PLACEHOLDER} cat`],
		['abcd1234', 'xabcd12345', `x${PLACEHOLDER}5`],
	])('%s in %j is removed only where it stands alone', (key, text, expected) => {
		expect(removed(key, text)).toBe(expected);
	});

	it.each([
		['in a URL', 'https://h/login?next=%2Fx%3Fkey%3Dabc123'],
		['after its encoded "Token "', 'x-api-key=Token%20abc123'],
		['after an escape of JSON', 'key\\u003dabc123'],
		['after an escaped line break', 'The key:\\nabc123'],
	])('is also removed after an escape: %s', (_what, text) => {
		expect(removed('abc123', text)).toBe(text.replace('abc123', PLACEHOLDER));
	});

	it('is kept in field names, which may be documented ones', () => {
		expect(new Secret('job_id').removeFromValue({ job_id: 'a-1' })).toEqual({ job_id: 'a-1' });
		expect(new Secret('name').removeFromValue([{ name: 'x', nb: 1 }])).toEqual([
			{ name: 'x', nb: 1 },
		]);
	});
});

describe('a value', () => {
	it('is searched in all texts and field names', () => {
		const value = { a: [KEY, { [`x ${KEY}`]: [[`${KEY}!`]] }], b: 1, c: null, d: true, e: '' };
		expect(new Secret(KEY).removeFromValue(value)).toEqual({
			a: [PLACEHOLDER, { [`x ${PLACEHOLDER}`]: [[`${PLACEHOLDER}!`]] }],
			b: 1,
			c: null,
			d: true,
			e: '',
		});
	});

	it('without the key is returned unchanged, and none is modified in place', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const before = JSON.stringify(value);
				const result = new Secret('0123456789abcdef').removeFromValue(value);
				expect(JSON.stringify(result)).toBe(before);
				expect(JSON.stringify(value)).toBe(before);
			}),
		);
		const value = { key: KEY };
		new Secret(KEY).removeFromValue(value);
		expect(value).toEqual({ key: KEY });
	});

	it('keeps a field named __proto__', () => {
		const value = JSON.parse('{"__proto__":{"key":"k"},"constructor":"c"}') as unknown;
		expect(JSON.stringify(new Secret(KEY).removeFromValue(value))).toBe(JSON.stringify(value));
	});

	it('does not keep a key that is a number', () => {
		const key = '1234567890';
		const value = parseExactly(`{"key":${key}}`);
		expect(JSON.stringify(new Secret(key).removeFromValue(value))).not.toContain(key);
	});

	it('is rejected if it is nested too deeply', () => {
		const nested = (depth: number) =>
			parseExactly(`${'['.repeat(depth)}${JSON.stringify(KEY)}${']'.repeat(depth)}`);
		const secret = new Secret(KEY);
		expect(JSON.stringify(secret.removeFromValue(nested(400)))).toContain(PLACEHOLDER);
		for (const depth of [600, 200_000]) {
			expect(() => secret.removeFromValue(nested(depth))).toThrow(RangeError);
		}
	});
});

describe('a documented field', () => {
	const DOCUMENTED = ['name', 'remaining'];

	it.each(['customers', 'Old leads', 'spring_list', 'wien-süd'])(
		'may have the key %s, an ordinary word, as its text',
		(word) => {
			const value = [{ name: word, note: `${word}: no`, more: { name: [word] } }];
			expect(new Secret(word).removeFromValue(value, DOCUMENTED)).toEqual([
				{ name: word, note: `${PLACEHOLDER}: no`, more: { name: [PLACEHOLDER] } },
			]);
		},
	);

	it.each(['sk_live_4', 'a.b.c.d.e', 'key/key/key', 'abcd1234'])(
		'cannot contain any other key: %s',
		(key) => {
			expect(new Secret(key).removeFromValue([{ name: key }], DOCUMENTED)).toEqual([
				{ name: PLACEHOLDER },
			]);
		},
	);

	it('is recognized at any depth, and only by its full name', () => {
		expect(new Secret('customers').removeFromValue({ Name: 'customers' }, DOCUMENTED)).toEqual({
			Name: PLACEHOLDER,
		});
		expect(
			new Secret('customers').removeFromValue({ a: { name: 'customers' } }, DOCUMENTED),
		).toEqual({ a: { name: 'customers' } });
		expect(new Secret('customers').removeFromValue({ name: 'customers' })).toEqual({
			name: PLACEHOLDER,
		});
	});

	it('keeps its name if that equals the key', () => {
		const value = { remaining: '42' };
		expect(new Secret('remaining').removeFromValue(value, DOCUMENTED)).toEqual(value);
	});
});

describe('takes linear time', () => {
	const MEGABYTES = 5_000_000;
	const milliseconds = (key: string, text: string) => {
		const secret = new Secret(key);
		const started = performance.now();
		secret.removeFrom(text);
		return performance.now() - started;
	};

	it.each([
		'\\',
		'\\\\\\/',
		'%',
		'%25',
		'%2525',
		'\\u',
		'\\u0',
		'&#',
		'&#0',
		'&#x0',
		'sk',
		'sk_Live',
	])('5 MB of %j', (part) => {
		const text = part.repeat(MEGABYTES / part.length);
		for (const key of [KEY, 'sk_Live', '0%25&#x0;\\u0', '%25%25%25%25', '0000000000']) {
			expect(milliseconds(key, text)).toBeLessThan(10_000);
		}
	});

	it.each(['\\\\\\\\abcd', 'C:\\\\\\\\x', 'a\\\\\\\\\\\\b'])(
		'also for a key with backslashes in it: %s',
		(key) => {
			const started = `${key.slice(0, key.indexOf('\\'))}${'\\'.repeat(1_000)}`;
			expect(milliseconds(key, started)).toBeLessThan(3_000);
		},
	);
});

describe('a text that breaks off within the key', () => {
	it.each(WAYS)('does not expose its beginning, written %s', (_what, write) => {
		const key = `${KEY}0123456789${'abcdefghij'.repeat(30)}`;
		const written = write(key);
		const secret = new Secret(key);
		for (let length = write(key.slice(0, 9)).length; length < written.length; length += 97) {
			const text = secret.removeFromPart(`Key: ${written.slice(0, length)}`);
			expect(text).toBe(`Key: ${PLACEHOLDER}`);
		}
	});

	it('keeps a text without it, and a word that the key begins with', () => {
		expect(new Secret(KEY).removeFromPart('No key sk_Live.')).toBe('No key sk_Live.');
		expect(new Secret('passwordly').removeFromPart('Your passwords')).toBe('Your passwords');
		expect(new Secret('dog').removeFromPart('Your dog')).toBe(`Your ${PLACEHOLDER}`);
	});
});
