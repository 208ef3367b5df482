import { cleanValue } from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/clean';
import {
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
			const detectedType = TYPES.find((type) => type === outcome.auto);
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
	// Each with its parts, which have a bar between them.
	it.each([
		[' ,;\r\n , ', ''],
		['a,b , c; d;e;', 'a|b|c|d|e'],
		['a\nb\r\nc\rd\n\n', 'a|b|c|d'],
		['"Doe, J" <j@x.com>, "K, L"<k@x.com>', '"Doe, J" <j@x.com>|"K, L"<k@x.com>'],
		['1,234,567; a', '1,234,567|a'],
		['12,345,678ada@example.com', '12,345,678ada@example.com'],
		['0163,163.com', '0163|163.com'],
		['1,02E+19; 1,5e+19', '1,02E+19|1,5e+19'],
		['a&amp;b@x.com;o&#39;b@x.com', 'a&amp;b@x.com|o&#39;b@x.com'],
		['https://example.com/a,1,2', 'https://example.com/a|1|2'],
		// What stands behind a Google Maps link, and what spaces separate, is one value, and listed.
		['a.com,google.com/maps/A,+B;c.com\nd.com', 'a.com|google.com/maps/A,+B;c.com|d.com'],
		['ada@google.com,b@x.com', 'ada@google.com|b@x.com'],
		['https://a.com https://b.com', 'https://a.com https://b.com'],
	])('is split: %s', (text, parts) => {
		expect([...split(text)].filter((part) => part !== '').join('|')).toBe(parts);
	});
});

/* More of them, in any combination of parts: test/long/clean.test.ts */
