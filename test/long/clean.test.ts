import fc from 'fast-check';

import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import {
	ITEM_TYPES,
	LONGEST_VALUE,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';
import { split } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/split';
import { PASTED } from '../unit/clean.table';

const TYPES = Object.keys(ITEM_TYPES) as ItemType[];
const CHOICES = [...TYPES, 'auto'] as const;

const partsOf = (text: string) => [...split(text)].map(String).filter((part) => part !== '');

describe('any value', () => {
	const runs = { numRuns: 2_000 };

	/** Parts of real values in any order, so that many of the results are valid. */
	const pieces = fc
		.array(
			fc.oneof(
				fc.constantFrom(...[...'@.:/?&#! <>"\'()-,;%\n', '//', '%20', '%40']),
				fc.constantFrom(...['www.', 'https://', 'mailto:', 'google.com/maps', 'maps.google.com']),
				fc.constantFrom(...['cid=', 'ludocid=', 'place_id:', '!1s', '0x', '0x1:0x2', 'xn--']),
				fc.constantFrom(
					...[' www.', ' https://', '/~', '=', 'comwww.', '/@1,2', 'jane', 'latofonts.com'],
				),
				fc.constantFrom(...['*', '**', '*@', "b'", 'u"', '- ', '1. ', '•\t', '919-2425a']),
				fc.constantFrom(...['&amp;', '!5s', 'u003e', '.png', '/@1', 'gmail.com', 'sentry.io']),
				fc.constantFrom(...['ChIJLU7jZClu5kcR4PcOOO6p3I0', '10222232094831998944', '12345000']),
				fc.constantFrom(...['example', 'com', 'müller', 'ß', '例え', '🍕', '\u200b', '\ufeff']),
				fc.string({ unit: 'grapheme', maxLength: 3 }),
				fc.string({ unit: 'binary', maxLength: 2 }),
			),
			{ maxLength: 12 },
		)
		.map((parts) => parts.join(''));
	const pasted = fc.constantFrom(...PASTED.map(([value]) => value));
	const anyText = fc.oneof(
		fc.string({ unit: 'binary' }),
		pieces,
		pasted,
		fc.tuple(pieces, pasted, pieces).map((parts) => parts.join('')),
		fc.tuple(pieces, pieces).map(([local, host]) => `${local}x@${host}y.com`),
		fc.emailAddress(),
		fc.webUrl(),
	);

	it('that is accepted is of its type, and the same when cleaned again', () => {
		fc.assert(
			fc.property(fc.constantFrom(...CHOICES), anyText, (type, text) => {
				const cleaned = cleanValue(type, text);
				if ('reason' in cleaned) return;
				expect(type === 'auto' || type === cleaned.type).toBe(true);
				expect(cleanValue(cleaned.type, text)).toEqual(cleaned);
				expect(ITEM_TYPES[cleaned.type].pattern.test(cleaned.value)).toBe(true);
				// In hexadecimal and in a link of the Places API a CID is exact, also if its digits look rounded.
				const onlyLooksRounded = /0x|[?&]g_mp=/i.test(text) && /0$/.test(cleaned.value);
				// A short CID is one only with its label, in hexadecimal or in a link.
				const isShort = cleaned.type === 'cid' && /^0*\d{1,13}$/.test(cleaned.value);
				if (onlyLooksRounded || isShort) return;
				expect(cleanValue(cleaned.type, cleaned.value)).toEqual(cleaned);
			}),
			runs,
		);
	});

	it('is split into trimmed texts without line breaks', () => {
		fc.assert(
			fc.property(fc.array(anyText), (texts) => {
				const parts = partsOf(texts.join('\n'));
				for (const part of parts) {
					expect(part).toBe(part.trim());
					expect(part).not.toMatch(/[\r\n]/);
					expect(partsOf(part)).toEqual([part]);
				}
				expect(parts).toEqual(texts.flatMap((text) => text.split('\n')).flatMap(partsOf));
			}),
			runs,
		);
	});
});

/* Each takes a third of a second; in quadratic time, many minutes. */
describe('a value of 10,000 characters, and a text of a million, are read in linear time', () => {
	it.each([
		...[' ', ',', '<', '"', 'a', '1', '@', '.', ':', '/', '%', '\u200b', '\u200d', '\ud800', 'é'],
		...['%41', 'a@', '1,', '" ', '"a" ', '<a', '\n', 'www.', '://', 'xn--', ',+Berlin', ';+a'],
		...['ChIJ', '!1sChIJaaaaaaaa', '0x1:', '&cid=1'],
		...[',a', '&amp;', ',a&amp;', 'google.com/,a', 'u003', '%3', 'mailto', 'sentry', '.png'],
		...['http:', 'http//', ' ?'],
		...[' www.', ' http://a', 'http:// ', 'www.a/ b.c', '=a', '&a=', '.awww.', '/~', ',a&cid='],
		...['*', '**', '*a', "'", "b'", '- ', '1. ', '\t', '..', '.a', 'a1', '123-4567', 'a123456789'],
	])(
		'%j',
		(unit) => {
			const long = unit.repeat(Math.ceil(1_000_000 / unit.length));
			const links = [`google.com/maps/${long}`, `https://a.com/ ${long}`];
			for (const text of [long, ...links, `"${long}<`]) {
				const value = text.slice(0, LONGEST_VALUE);
				for (const type of CHOICES) cleanValue(type, value);
				const parts = split(text);
				while (!parts.next().done);
			}
		},
		60_000,
	);
});
