import fc from 'fast-check';

import {
	checkValue,
	cleanValue,
} from '../../nodes/BusinessListingSearch/resources/blacklist/clean';
import { splitText } from '../../nodes/BusinessListingSearch/resources/blacklist/split';
import {
	hasInvisible,
	KINDS,
	LONGEST_VALUE,
	type Cleaned,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/values';
import { hasHalfCharacter } from '../../nodes/shared/input';
import { PASTED, REFUSED, type Outcome } from './clean.table';

const TYPES = Object.keys(KINDS) as ItemType[];
const CHOICES = [...TYPES, 'auto'] as const;

const brief = (value: string) =>
	JSON.stringify(value.length > 90 ? `${value.slice(0, 90)}…` : value);
const shown = PASTED.map(([pasted, outcome]) => [brief(pasted), pasted, outcome] as const);

const split = (text: string) => [...splitText(text)].filter((part) => part !== '');

/** The values of a table row, and `undefined` for each type that rejects it. */
function outcomeOf(pasted: string, read: typeof cleanValue): Outcome {
	const outcome: Outcome = {};
	for (const type of TYPES) {
		const cleaned = read(type, pasted);
		if ('value' in cleaned) outcome[type] = cleaned.value;
		if ('value' in cleaned) expect(cleaned.type).toBe(type);
	}
	const recognized = read('auto', pasted);
	if ('value' in recognized) {
		outcome.auto = recognized.type;
		expect(recognized).toEqual(read(recognized.type, pasted));
	}
	return outcome;
}

describe('cleanValue', () => {
	it.each(shown)('reads %s', (_brief, pasted, outcome) =>
		expect(outcomeOf(pasted, cleanValue)).toEqual(outcome),
	);

	it.each(REFUSED.map(([type, pasted, reason]) => [type, brief(pasted), reason, pasted] as const))(
		'as %s: %s %s',
		(type, _brief, reason, pasted) => expect(cleanValue(type, pasted)).toEqual({ reason }),
	);

	it('phrases every reason as the end of a sentence about the value', () => {
		for (const [pasted] of PASTED) {
			for (const type of CHOICES) {
				for (const cleaned of [cleanValue(type, pasted), checkValue(type, pasted)]) {
					if ('value' in cleaned) continue;
					expect(cleaned.reason).toMatch(/^(is|has|does|contains|needs) .*[^.]$/);
					expect(cleaned.reason).not.toMatch(/error|problem|failure|mistake/i);
				}
			}
		}
	});
});

describe('checkValue', () => {
	it.each<[ItemType | 'auto', string, Cleaned]>([
		['email', ' Info@Example.com\n', { type: 'email', value: 'Info@Example.com' }],
		['domain', 'www.Example.com', { type: 'domain', value: 'www.Example.com' }],
		['domain', 'localhost', { type: 'domain', value: 'localhost' }],
		['place_id', 'x', { type: 'place_id', value: 'x' }],
		['cid', '0042', { type: 'cid', value: '0042' }],
		['auto', ' info@example.com ', { type: 'email', value: 'info@example.com' }],
		['auto', 'example.com', { type: 'domain', value: 'example.com' }],
		['auto', '10222232094831998944', { type: 'cid', value: '10222232094831998944' }],
		['email', 'a\ud800@example.com', { reason: 'contains an incomplete character' }],
		['place_id', 'ChIJ\udc00', { reason: 'contains an incomplete character' }],
		['email', 'info@example.com\u200b', { reason: 'contains an invisible character' }],
		['domain', 'exam\u00adple.com', { reason: 'contains an invisible character' }],
		['domain', 'نامه\u200cای.example', { type: 'domain', value: 'نامه\u200cای.example' }],
		['domain', 'a\u0000b.example', { reason: 'contains an invisible character' }],
		['email', '', { reason: 'is empty' }],
		['auto', ' \n', { reason: 'is empty' }],
		[
			'email',
			'info',
			{
				reason: 'is invalid for the type Email; expected one email address, e.g. name@example.com',
			},
		],
		[
			'cid',
			'0x0:0x1',
			{ reason: 'is invalid for the type CID; expected only digits, e.g. 12345678901234567890' },
		],
		[
			'domain',
			'https://example.com',
			{
				reason:
					'is invalid for the type Domain; expected a domain without https://, spaces or slashes, e.g. example.com',
			},
		],
		[
			'place_id',
			'a b',
			{
				reason:
					'is invalid for the type Place ID; expected one identifier without spaces, not a link',
			},
		],
		[
			'auto',
			'https://example.com',
			{ reason: 'needs cleaning to be of the type Domain, but "Clean Values" is off' },
		],
		['auto', '42a', { reason: 'is not clearly an email address, a domain, a place ID or a CID' }],
	])('as %s: %j', (type, value, expected) => expect(checkValue(type, value)).toEqual(expected));

	it.each<[ItemType, string[]]>([
		['email', ['a:b@c', 'a@b:c', 'a,b@c', 'a@b;c', '<a@b>', 'a@b@c', 'a\tb@c']],
		['domain', ['a/b', 'a\\b', 'a:80', 'a@b', 'a?b', 'a#b', 'a,b', 'a;b', '<a>', 'a\tb']],
		['place_id', ['a,b', 'a;b', '<a>', 'a://b', 'a\tb']],
	])('refuses what no %s contains: %j', (type, values) => {
		const { name, looksLike } = KINDS[type];
		const reason = `is invalid for the type ${name}; expected ${looksLike}`;
		for (const value of values)
			expect([value, checkValue(type, value)]).toEqual([value, { reason }]);
	});

	it.each(CHOICES)('as %s: up to 10,000 characters', (type) => {
		expect(checkValue(type, '1'.repeat(10_001))).toEqual({ reason: 'is too long' });
		expect(checkValue(type, '1'.repeat(10_000))).not.toEqual({ reason: 'is too long' });
	});
});

describe('splitText', () => {
	const link = 'https://www.google.com/maps/place/Café,+Paris/@48.85,-2.29,17z/data=!4m2';

	it.each<[string, string, string[]]>([
		['an empty text', '', []],
		['only separators', ' ,;\r\n , ', []],
		['one value', ' a@example.com ', ['a@example.com']],
		['commas', 'a,b , c', ['a', 'b', 'c']],
		['semicolons', 'a;b; c;', ['a', 'b', 'c']],
		['line breaks', 'a\nb\r\nc\rd\u2028e\u2029f\n\n', ['a', 'b', 'c', 'd', 'e', 'f']],
		[
			'names in quotes',
			'"Doe, J" <j@example.com>, "K" <k@example.com>',
			['"Doe, J" <j@example.com>', '"K" <k@example.com>'],
		],
		[
			'names in quotes without a space or with a tab',
			'"van der Berg, Johanna"<j@example.com>, "K, L"\t<k@example.com>',
			['"van der Berg, Johanna"<j@example.com>', '"K, L"\t<k@example.com>'],
		],
		['a number with thousands separators', '1,234,567; a', ['1,234,567', 'a']],
		[
			'a CID with thousands separators',
			'10,222,232,094,831,998,944',
			['10,222,232,094,831,998,944'],
		],
		['short numbers', '12,34,567', ['12', '34', '567']],
		['numbers of different lengths', '1,234,56', ['1', '234', '56']],
		['rounded numbers', '1,02E+19; 1,5e+19', ['1,02E+19', '1,5e+19']],
		[
			'a rounded number after a CID',
			'10222232094831998944,1E+19',
			['10222232094831998944', '1E+19'],
		],
		['characters escaped as in HTML', 'a&amp;b@x.com;c', ['a&amp;b@x.com', 'c']],
		[
			'characters escaped as numbers',
			'o&#39;b@x.com;o&#x27;b@x.com',
			['o&#39;b@x.com', 'o&#x27;b@x.com'],
		],
		[
			'CIDs after a Maps link',
			`${link}?cid=1,12345678,7654321`,
			[`${link}?cid=1`, '12345678', '7654321'],
		],
		['quotes around values', '"a.com","b.com"', ['"a.com"', '"b.com"']],
		['commas of a Maps link', link, [link]],
		...[
			'https://www.google.com/maps/place/Café,%20Paris/',
			'google.com/maps/@48.85,2.29?hl=fr',
			'google.com/maps/@48.85,2.29,17z?hl=fr',
			'GOOGLE.COM/MAPS/@48.85,2.29,17Z',
		].map((other): [string, string, string[]] => [`commas of ${other}`, other, [other]]),
		['a Maps link in a list', `a.com,${link},b.com`, ['a.com', link, 'b.com']],
		['Maps links side by side', `${link},${link}; ${link}`, [link, link, link]],
		['a Maps link in quotes', `"${link}", <${link}>`, [`"${link}"`, `<${link}>`]],
		[
			'a Maps link that ends with a place',
			'google.com/maps/@1.5,2.5,3z,x',
			['google.com/maps/@1.5,2.5,3z', 'x'],
		],
		[
			'a CID after a Maps link',
			'maps.google.com/?cid=1,10222232094831998944',
			['maps.google.com/?cid=1', '10222232094831998944'],
		],
		['a semicolon in a Maps link', 'maps.google.com/?cid=1;2', ['maps.google.com/?cid=1', '2']],
		[
			'an address after a Maps link',
			'maps.google.com/?cid=1,24.example.com',
			['maps.google.com/?cid=1', '24.example.com'],
		],
		['a comma before a Maps link', `,+a,${link}`, ['+a', link]],
		['two commas in a Maps link', 'maps.google.com/?cid=1,,2', ['maps.google.com/?cid=1', '2']],
		['commas of other links', 'https://example.com/a,1,2', ['https://example.com/a', '1', '2']],
	])('splits %s', (_what, text, expected) => expect(split(text)).toEqual(expected));
});

describe('any value', () => {
	const runs = { numRuns: 1000 };

	/** Parts of real values in any order, so that many of the results are valid. */
	const pieces = fc
		.array(
			fc.oneof(
				fc.constantFrom(
					...['@', '.', ':', '/', '//', '?', '&', '#', '!', ' ', '<', '>', '"', "'", '(', ')', '-'],
					...[
						'www.',
						'https://',
						'mailto:',
						'cid=',
						'place_id:',
						'!1s',
						'ludocid=',
						'0x',
						'0x1:0x2',
					],
					...['google.com/maps', 'maps.google.com', 'ChIJLU7jZClu5kcR4PcOOO6p3I0', 'xn--', '%40'],
					...[
						'example',
						'com',
						'müller',
						'İ',
						'\u212a',
						'ß',
						'例え',
						'🍕',
						'。',
						'10222232094831998944',
					],
					...[
						'\u200b',
						'\u200c',
						'\u200d',
						'\u00ad',
						'\ud800',
						'\u0000',
						'\n',
						'%',
						'%20',
						'\ufeff',
					],
				),
				fc.string({ unit: 'grapheme', maxLength: 3 }),
				fc.string({ unit: 'binary', maxLength: 2 }),
			),
			{ maxLength: 12 },
		)
		.map((parts) => parts.join(''));
	const pasted = fc.constantFrom(...PASTED.map(([value]) => value));
	const wrapped = fc.tuple(pieces, pasted, pieces).map((parts) => parts.join(''));
	const emails = fc.tuple(pieces, pieces).map(([local, host]) => `${local}x@${host}y.com`);
	const anyText = fc.oneof(
		fc.string({ unit: 'binary' }),
		pieces,
		pasted,
		wrapped,
		emails,
		fc.emailAddress(),
		fc.webUrl(),
	);
	const anyType = fc.constantFrom(...CHOICES);

	it('never throws, and gives a plausible value of its type or a reason', () => {
		fc.assert(
			fc.property(anyType, anyText, (type, text) => {
				for (const cleaned of [cleanValue(type, text), checkValue(type, text)]) {
					if ('reason' in cleaned) continue;
					expect(KINDS[cleaned.type].isPossible(cleaned.value)).toBe(true);
					expect(type === 'auto' || type === cleaned.type).toBe(true);
				}
			}),
			runs,
		);
	});

	it('is idempotent', () => {
		fc.assert(
			fc.property(anyType, anyText, (type, text) => {
				const cleaned = cleanValue(type, text);
				if ('reason' in cleaned) return;
				expect(checkValue(cleaned.type, cleaned.value)).toEqual(cleaned);
				// In hexadecimal a CID is exact, also if its digits look rounded.
				const onlyLooksRounded = /0x/i.test(text) && /0$/.test(cleaned.value);
				if (!onlyLooksRounded) expect(cleanValue(cleaned.type, cleaned.value)).toEqual(cleaned);
			}),
			runs,
		);
	});

	it('gives the same with Auto-Detect as with the detected type', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const recognized = cleanValue('auto', text);
				if ('value' in recognized) expect(cleanValue(recognized.type, text)).toEqual(recognized);
			}),
			runs,
		);
	});

	it('is accepted without cleaning only if cleaning does not change it', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				const checked = checkValue('auto', text);
				if ('value' in checked) {
					expect(checked.value).toBe(text.trim());
					expect(cleanValue('auto', text)).toEqual(checked);
				}
			}),
			runs,
		);
	});

	it('is either rejected or returned unchanged by the check of its type', () => {
		fc.assert(
			fc.property(fc.constantFrom(...TYPES), anyText, (type, text) => {
				const checked = checkValue(type, text);
				const value = text.trim();
				const isPossible =
					value !== '' &&
					value.length <= LONGEST_VALUE &&
					!hasHalfCharacter(value) &&
					!hasInvisible(value) &&
					KINDS[type].isPossible(value);
				if (isPossible) expect(checked).toEqual({ type, value: text.trim() });
				else expect(checked).toHaveProperty('reason');
			}),
			runs,
		);
	});

	it('is split into trimmed texts without line breaks', () => {
		fc.assert(
			fc.property(fc.array(anyText), (texts) => {
				const parts = split(texts.join('\n'));
				for (const part of parts) {
					expect(part).toBe(part.trim());
					expect(part).not.toMatch(/[\r\n]/);
					expect(split(part)).toEqual([part]);
				}
				expect(parts).toEqual(texts.flatMap((text) => text.split('\n')).flatMap(split));
			}),
			runs,
		);
	});

	it.each([
		...[
			' ',
			',',
			'<',
			'"',
			'a',
			'1',
			'@',
			'.',
			':',
			'\u200d',
			'\u200b',
			'\ud800',
			'%',
			'/',
			'%41',
			'a@',
			'é',
		],
		...[
			'1,',
			'" ',
			'ChIJ',
			'!1sChIJaaaaaaaa',
			'0x1:',
			'&cid=1',
			'<a',
			'\n',
			'www.',
			'://',
			'xn--',
			'"a" ',
		],
		',+Berlin',
	])(
		'takes linear time for ten million characters of %j',
		(unit) => {
			const long = unit.repeat(Math.ceil(10_000_000 / unit.length));
			let longest = 0;
			let last = performance.now();
			const step = () => {
				const now = performance.now();
				longest = Math.max(longest, now - last);
				last = now;
			};
			for (const text of [long, `google.com/maps/${long}`, `"${long}<`]) {
				for (const type of CHOICES) {
					for (const read of [cleanValue, checkValue]) {
						for (const value of [text, text.slice(0, 99_999), text.slice(0, 9_999)]) {
							read(type, value);
							step();
						}
					}
				}
				const parts = splitText(text);
				for (let count = 1; !parts.next().done; count++) if (count % 100 === 0) step();
				step();
			}
			// Quadratic time would take hours; a busy machine sometimes takes a second.
			expect(longest).toBeLessThan(10_000);
		},
		120_000,
	);
});
