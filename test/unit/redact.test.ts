import fc from 'fast-check';

import { Secret } from '../../nodes/shared/service/redact';

const PLACEHOLDER = '[API key]';
const KEY = 'sk_Live-4f/9a+"<é>\' 7&b';

const inJson = (key: string) => JSON.stringify(key).slice(1, -1);
const codeOf = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
/** Writes all but letters, digits and the like, which are never escaped. */
const each = (write: (character: string) => string) => (key: string) =>
	Array.from(key, (character) => (/[\w~-]/.test(character) ? character : write(character))).join(
		'',
	);
const inUrl = (key: string) => encodeURIComponent(key).replaceAll("'", '%27');

/** How a service can write the key in a response. */
const WAYS: Array<[what: string, write: (key: string) => string]> = [
	['as it is', (key) => key],
	['in other case', (key) => key.toLowerCase()],
	['in JSON', inJson],
	['in JSON with escaped slashes', (key) => inJson(key).replaceAll('/', '\\/')],
	['in \\u escapes', each((character) => `\\u${codeOf(character)}`)],
	['in \\u escapes in capitals', each((character) => `\\u${codeOf(character).toUpperCase()}`)],
	['in a URL', inUrl],
	['in a URL in lower case', (key) => inUrl(key).toLowerCase()],
	['in a form', (key) => new URLSearchParams({ key }).toString().slice('key='.length)],
	['in a path', encodeURI],
];

describe.each(WAYS)('a key written %s', (_what, write) => {
	it('is removed from a text', () => {
		const secret = new Secret(KEY);
		const text = `before ${write(KEY)} after`;
		const clean = `before ${PLACEHOLDER} after`;
		expect(secret.removeFrom(text)).toBe(clean);
		expect(secret.removeFrom(`${write(KEY)}${write(KEY)}`)).toBe(PLACEHOLDER.repeat(2));
	});
});

it('removes any key that the credential accepts, however it is written', () => {
	const character = fc.oneof(
		{ weight: 5, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
		{ weight: 1, arbitrary: fc.integer({ min: 0xa0, max: 0xff }) },
		{ weight: 2, arbitrary: fc.constantFrom(...Array.from('/\\"%&+<\' ', (c) => c.charCodeAt(0))) },
	);
	const anyKey = fc
		.array(character, { minLength: 8, maxLength: 40 })
		.map((codes) => String.fromCharCode(...codes))
		.filter((key) => key === key.trim() && key.length >= 8);
	const anyWay = fc.constantFrom(...WAYS);
	fc.assert(
		fc.property(anyKey, anyWay, (key, [, write]) => {
			const text = new Secret(key).removeFrom(`<${write(key)}>`);
			expect(text).toContain(PLACEHOLDER);
			expect(text.replace(PLACEHOLDER, '').length).toBeLessThanOrEqual(2);
		}),
		{ numRuns: 50 },
	);
});

it('leaves what is not the key unchanged', () => {
	const secret = new Secret(KEY);
	const texts = [
		'',
		'sk_Live',
		KEY.slice(1),
		KEY.slice(0, -1),
		'C:\\u00 & 100 % &#x; "\ud800',
		'例え 🐎',
	];
	for (const text of texts) expect(secret.removeFrom(text)).toBe(text);
});

describe('a key under eight characters', () => {
	it.each([
		['demo', 'added to demo leads'],
		['7', '{"remaining":"7"}'],
		['abc1234', 'The key abc1234.'],
	])('is left in what the service says: %s in %j', (key, text) => {
		expect(new Secret(key).removeFrom(text)).toBe(text);
	});

	it('of eight characters is removed everywhere', () => {
		expect(new Secret('abcd1234').removeFrom('xabcd12345')).toBe(`x${PLACEHOLDER}5`);
	});
});
