import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import {
	isItemType,
	ITEM_TYPES,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';
import { split } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/split';
import { PASTED, REFUSED, type Outcome } from './clean.table';

const TYPES = Object.keys(ITEM_TYPES) as ItemType[];
const CHOICES = [...TYPES, 'auto'] as const;

const brief = (value: string) =>
	JSON.stringify(value.length > 90 ? `${value.slice(0, 90)}…` : value);

describe('a cleaned value', () => {
	it.each(PASTED.map(([pasted, outcome]) => [brief(pasted), pasted, outcome] as const))(
		'is read from %s',
		(_brief, pasted, expected) => {
			const detected = cleanValue('auto', pasted);
			const outcome: Outcome = { auto: 'reason' in detected ? detected.reason : detected.type };
			for (const type of TYPES) {
				const cleaned = cleanValue(type, pasted);
				if ('value' in cleaned) outcome[cleaned.type] = cleaned.value;
			}
			expect(outcome).toEqual(expected);
			const detectedType = isItemType(outcome.auto) ? outcome.auto : undefined;
			if (detectedType) expect(detected).toEqual(cleanValue(detectedType, pasted));
		},
	);

	it.each(REFUSED)('is refused as %s: %s %s', (type, pasted, ...[reason, sharedSite]) => {
		expect(cleanValue(type, pasted)).toEqual({ reason, sharedSite });
	});
});

it.each(CHOICES)('a value as %s has up to 10,000 characters', (type) => {
	expect(cleanValue(type, '1'.repeat(10_001))).toEqual({ reason: 'is too long' });
	expect(cleanValue(type, '1'.repeat(10_000))).not.toEqual({ reason: 'is too long' });
});

describe('a text of many values', () => {
	const link = 'https://www.google.com/maps/place/Café,+Paris/@48.85,-2.29,17z/data=!4m2';

	// Each with its parts, which have a bar between them.
	it.each([
		[' ,;\r\n , ', ''],
		['a,b , c; d;e;', 'a|b|c|d|e'],
		['a\nb\r\nc\rd\n\n', 'a|b|c|d'],
		['"Doe, J" <j@x.com>, "K, L"<k@x.com>', '"Doe, J" <j@x.com>|"K, L"<k@x.com>'],
		['1,234,567; a', '1,234,567|a'],
		['12,34,567', '12|34|567'],
		['1,02E+19; 1,5e+19', '1,02E+19|1,5e+19'],
		['a&amp;b@x.com;o&#39;b@x.com', 'a&amp;b@x.com|o&#39;b@x.com'],
		['example,co.uk', 'example|co.uk'],
		['https://example.com/a,1,2', 'https://example.com/a|1|2'],
		// Maps links, with commas or &amp; in them, and what comes after them
		...[
			link,
			'https://www.google.com/maps/place/Doe,Inc.,Berlin/@52.5,13.4,17z',
			"https://www.google.com/maps/place/Ada's+Café,Bar/data=!4m2!3m1!1s0x1:0x2",
			'https://maps.google.com/?q=Doe,Inc&ftid=0x1:0x2',
			'https://www.google.com/maps/search/?api=1&query=Doe,Inc&query_place_id=ChIJ',
			'https://maps.google.com/?q=Doe,Inc&amp;hl=en&amp;cid=1',
			'https://www.google.com/maps/place/Ada+&amp;+Bob/@52.5,13.4,17z',
			'https://www.google.com/maps/place/Example+Bakery,/data=!4m7!3m6!1s0x1:0x2',
			'https://www.google.com/maps/place/Beauty+Center;+Dr.+Ann+Example/data=!4m2!3m1!1s0x1:0x2',
			'https://www.google.com/maps/place/Doe;%20Ann,+Berlin;+Bar/@52.5,13.4,17z',
		].map((place) => [`a.com,${place},b.com;${place}`, `a.com|${place}|b.com|${place}`]),
		['google.com/maps/place/Doe,tiktok.com/@doe', 'google.com/maps/place/Doe|tiktok.com/@doe'],
		['maps.google.com/?cid=1,24.example.com', 'maps.google.com/?cid=1|24.example.com'],
		['maps.google.com/?cid=1,10222232094831998944', 'maps.google.com/?cid=1|10222232094831998944'],
		['maps.google.com/?cid=1;+43 1 234;+43', 'maps.google.com/?cid=1|+43 1 234|+43'],
		[
			'google.com/maps/place/A/@4.5,1.5,7z/data=!4d1;+431',
			'google.com/maps/place/A/@4.5,1.5,7z/data=!4d1|+431',
		],
		['google.com/maps/@48.8,-2.2,17z; b.com', 'google.com/maps/@48.8,-2.2,17z|b.com'],
		['"google.com/maps/@48.8,2.2,3a,75y",b.com', '"google.com/maps/@48.8,2.2,3a,75y"|b.com'],
		// Addresses with spaces between them, if each is one
		['www.a.com HTTP://b.com', 'www.a.com|HTTP://b.com'],
		[
			'https://www.a.com/ HTTP://b.com/c d  www.d.com',
			'https://www.a.com/|HTTP://b.com/c d|www.d.com',
		],
		["a@b.com  o'x@c.co.uk\td@e.рф,f@g.de h@i.de", "a@b.com|o'x@c.co.uk|d@e.рф|f@g.de|h@i.de"],
		...[
			...['wwwa.com www.b.com', 'a@b.com und c@d.com', 'Ada@Home a@b.com', 'a@b.com <a@b.com>'],
			...['"a@b.com" c@d.com', 'mailto:a@b.com c@d.com', 'a@b.com (c@d.com)'],
			...['a@b.com c@localhost', 'Example www.example.com', 'a.com https://b.com'],
			...['https://a.com b.com', 'https://a.com wwwb.com', 'https://a.com httpsb.com'],
			...['xwww.a.com www.b.com', 'see https://a.com https://b.com'],
			...['https://a.com\thttps://b.com', '"https://a.com https://b.com" <a@b.com>'],
		].map((text) => [`a.com,${text}`, `a.com|${text}`]),
	])('is split: %s', (text, parts) => {
		expect([...split(text!)].filter((part) => part !== '').join('|')).toBe(parts);
	});

	it('keeps a Maps link whole with names of up to 2,000 characters after a comma', () => {
		const sizesOf = (length: number) => {
			const name = 'Doe,Inc,'.padEnd(length + 4, 'a');
			const place = `https://www.google.com/maps/place/${name}/@52.5,13.4,17z`;
			return [...split(`${place};a.com`)].filter(String).length;
		};
		expect([301, 2_000, 2_001].map(sizesOf)).toEqual([2, 2, 6]);
	});
});

/* More of them, in any combination of parts: test/long/clean.test.ts */
