import fc from 'fast-check';
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { BLACKLIST } from '../../nodes/BusinessListingSearch/resources/blacklist/blacklist';
import {
	ITEM_TYPES,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';
import { parseBlacklists } from '../../nodes/BusinessListingSearch/resources/blacklist/getAll';
import { readItem } from '../../nodes/BusinessListingSearch/resources/blacklist/typeAndValue';
import { parseCreatedJob, jobBody } from '../../nodes/BusinessListingSearch/resources/job/create';
import {
	guardAllowance,
	maxJobsOption,
	minRemainingOption,
	readOption,
} from '../../nodes/BusinessListingSearch/resources/job/guard';
import { readSegment } from '../../nodes/BusinessListingSearch/run/form/path';

import { readConcurrency } from '../../nodes/BusinessListingSearch/run/form/concurrency';
import { Failure, Refusal } from '../../nodes/shared/errors/failure';
import type { ServiceResponse } from '../../nodes/shared/http/response';
import {
	isBlank,
	isUnset,
	readBoolean,
	readText,
	readWholeNumber,
	quote,
	type Form,
} from '../../nodes/shared/input';
import { checkUsage, parseUsage } from '../../nodes/shared/usage';
import { BY_EXPRESSION } from '../support/parameters';

describe('isUnset', () => {
	it.each([undefined, null, ''])('leaves out %p', (value) => expect(isUnset(value)).toBe(true));
	it.each([0, false, ' ', NaN, [], {}])('keeps %p', (value) => {
		expect(isUnset(value)).toBe(false);
	});
});

describe('isBlank', () => {
	it.each(['', ' \n', '\u200b', '\u3164', '\u2800', '\ufe0f', '\u0007', ' \u00ad\u034f'])(
		'is so: %j',
		(text) => expect(isBlank(text)).toBe(true),
	);
	it.each(['.', '0', '\u200ba', 'a\u200b', '🐎'])('is not so: %j', (text) =>
		expect(isBlank(text)).toBe(false),
	);
});

describe('show', () => {
	const circular: unknown[] = [];
	circular.push(circular);

	it.each<[unknown, string]>([
		['as it is', 'as it is'],
		[4, '4'],
		[null, 'null'],
		[NaN, 'NaN'],
		[undefined, 'undefined'],
		[{ a: [1] }, '{"a":[1]}'],
		[circular, ''],
		['x'.repeat(80), 'x'.repeat(80)],
		['x'.repeat(81), `${'x'.repeat(79)}…`],
		[`${'x'.repeat(78)}🐎x`, `${'x'.repeat(78)}…`],
		['a\u0007b\r\n\u001bc', 'a b c'],
	])('makes a text of %p', (value, text) => expect(quote(value)).toBe(text));
});

/** The message of a refusal, in which `…` is the value as `show` writes it; what to do; the values. */
type Refused = [message: string, advice: string, values: unknown[]];

const KEYWORD = { label: 'Keyword', name: 'keyword', gap: 'inPhrase' } as const;

interface Reader {
	what: string;
	read: (value: unknown) => unknown;
	accepts: Array<[value: unknown, result: unknown]>;
	refuses: Refused[];
}

/** Reads an option that guards the allowance; it was entered as an expression if nothing else is said. */
function guard(
	name: 'maxJobs' | 'minRemaining',
	value: unknown,
	parameters: IDataObject = { options: { [name]: '={{ … }}' } },
): number | undefined {
	const context = {
		getNodeParameter: (path: string) => (path === `options.${name}` ? value : 'another'),
		getNode: () => ({ parameters }),
	} as unknown as IExecuteSingleFunctions;
	return name === 'maxJobs'
		? readOption(context, maxJobsOption, 1)
		: readOption(context, minRemainingOption, 0);
}

/** A tool whose fields a model fills in. */
const BY_MODEL: Form = { ...BY_EXPRESSION, isTool: () => true };

/** What to do about a row without a required text. */
const noText = (label: string) =>
	`This row gives no text. Check the expression in "${label}", or leave such rows out with a Filter node before this one.`;

const NO_VALUE = 'Its expression returns nothing. Correct the expression, or remove the option.';
const LIST = 'is a list, but must be text';
const OBJECT = 'is an object, but must be text';
/** The reader of a value of this type. */
function item(
	type: ItemType,
	looksLike: string,
	accepts: Array<[value: unknown, sent: string]>,
	refuses: unknown[],
): Reader {
	const advice = `Enter ${looksLike}, or choose another "Type".`;
	return {
		what: `an item of the type ${type}`,
		read: (value) => readItem(type, value, BY_EXPRESSION),
		accepts: accepts.map(([value, sent]) => [value, { type, value: sent }]),
		refuses: [
			['"Value" is empty', noText('Value'), ['', ' \n', null, undefined]],
			['"Value" is too long: …', advice, ['1'.repeat(10_001)]],
			['"Value" contains an invisible character: …', advice, ['1\u200b2', '1\u00002']],
			[`"Value" is invalid for the type ${ITEM_TYPES[type].name}: …`, advice, refuses],
		],
	};
}

const READERS: Reader[] = [
	{
		what: 'a text',
		read: (value) => readText(KEYWORD, value, BY_EXPRESSION),
		accepts: [
			[' as it is ', ' as it is '],
			[undefined, ''],
			[null, ''],
			[4.5, '4.5'],
			[0, '0'],
			[9007199254740991, '9007199254740991'],
			[false, 'false'],
			['🐎', '🐎'],
			[new Date(0), '1970-01-01T00:00:00.000Z'],
		],
		refuses: [
			[`"Keyword" ${LIST}`, 'Use an expression that returns text for "Keyword".', [['a'], []]],
			[`"Keyword" ${OBJECT}`, 'Use an expression that returns text for "Keyword".', [{ a: 1 }]],
			[
				'"Keyword" is not a number: …',
				'Check the expression in "Keyword": what it reads is missing, or is no date or number.',
				[NaN, Infinity],
			],
			[
				'"Keyword" has lost its last digits: …',
				'They were lost where it was read: make the column a text there, and read it again.',
				[1e21, 9007199254740992],
			],
			[
				'"Keyword" contains "[object Object]"',
				'The expression in "Keyword" inserts an object into a text. Use one of its fields, e.g. {{ $json.city.name }}.',
				['dentist in [object Object]'],
			],
			[
				'"Keyword" is an invalid date',
				'Check the expression in "Keyword": what it reads is missing, or is no date or number.',
				[new Date('soon')],
			],
		],
	},
	{
		what: 'a whole number',
		read: (value) => readWholeNumber('Minimum Rating', value),
		accepts: [
			[4, 4],
			[0, 0],
			[-3, -3],
			['4', 4],
			[' 4 ', 4],
			['+4', 4],
			['-4', -4],
			['4.0', 4],
			['4.00', 4],
			['4.0000', 4],
			['0.000', 0],
			['1234.000', 1234],
			['007', 7],
			['12', 12],
			[9007199254740991, 9007199254740991],
			['9007199254740991', 9007199254740991],
		],
		refuses: [
			[
				'"Minimum Rating" is not a whole number: …',
				'Enter a whole number for "Minimum Rating", e.g. 4, or remove it.',
				[
					...[4.5, '4.5', '4,0', 'four', '4 stars', 'x4', '0x10', '1e3', '4.', '--4'],
					...['', ' ', null, undefined, true, [4], {}, NaN, 'Infinity'],
					...['1,0000', '1234,000', '01,000', '1,000,000', '1 000'],
				],
			],
			[
				'"Minimum Rating" can mean 1 or 1000: …',
				'Write it without the dot or the comma.',
				['1.000', '1,000', ' 1.000 ', '+1.000'],
			],
			[
				'"Minimum Rating" can mean -1 or -1000: …',
				'Write it without the dot or the comma.',
				['-1.000', '-1,000'],
			],
			[
				'"Minimum Rating" can mean 12.5 or 12500: …',
				'Write it without the dot or the comma.',
				['12.500', '12,500'],
			],
			[
				'"Minimum Rating" is too large: …',
				'Enter a whole number for "Minimum Rating", e.g. 4, or remove it.',
				[9007199254740992, '9007199254740993', '-12345678901234567890', Infinity],
			],
		],
	},
	{
		what: 'a boolean',
		read: (value) => readBoolean('Has Phone', value),
		accepts: [
			[true, true],
			[false, false],
			['true', true],
			['false', false],
			[' TRUE ', true],
			['False\n', false],
		],
		refuses: [
			[
				'"Has Phone" is neither true nor false: …',
				'Use an expression that returns true or false for "Has Phone", or remove it.',
				[0, 1, 'yes', 'no', '', null, undefined, [], [true], {}, 'truefalse'],
			],
		],
	},
	{
		what: 'Concurrency',
		read: readConcurrency,
		accepts: [
			[1, 1],
			['12', 12],
			[100, 100],
			[undefined, undefined],
			[null, undefined],
			['', undefined],
		],
		refuses: [
			[
				'"Concurrency" is below 1: …',
				'Enter a whole number from 1 to 100, or remove the option.',
				[0, -1],
			],
			[
				'"Concurrency" is above 100: …',
				'Enter a whole number from 1 to 100, or remove the option.',
				[101],
			],
			[
				'"Concurrency" is not a whole number: …',
				'Enter a whole number from 1 to 100, or remove the option.',
				[1.5, ' ', true, [4], 'many'],
			],
		],
	},
	{
		what: 'Minimum Remaining Requests, by an expression',
		read: (value) => guard('minRemaining', value),
		accepts: [
			[0, 0],
			['100', 100],
		],
		refuses: [
			[
				'"Minimum Remaining Requests" is below 0: …',
				'Enter a whole number of 0 or more, or remove the option.',
				[-1],
			],
			[
				'"Minimum Remaining Requests" is not a whole number: …',
				'Enter a whole number of 0 or more, or remove the option.',
				[1.5, ' ', 'all', true, [4]],
			],
			// An expression that throws gives undefined.
			['"Minimum Remaining Requests" has no value', NO_VALUE, [undefined, null, '']],
		],
	},
	{
		what: 'Maximum Jobs per Run, by an expression',
		read: (value) => guard('maxJobs', value),
		accepts: [
			[1, 1],
			[' 100 ', 100],
		],
		refuses: [
			[
				'"Maximum Jobs per Run" is below 1: …',
				'Enter a whole number of 1 or more, or remove the option.',
				[0, -1],
			],
			['"Maximum Jobs per Run" has no value', NO_VALUE, [undefined, null, '']],
		],
	},
	{
		what: 'the name of a blacklist, as a segment of a URL,',
		read: (value) => encodeURIComponent(readSegment(BLACKLIST, value, BY_EXPRESSION)),
		accepts: [
			['customers', 'customers'],
			['Old leads', 'Old%20leads'],
			['a/b', 'a%2Fb'],
			['a?b#c', 'a%3Fb%23c'],
			['50%', '50%25'],
			['%2e%2e', '%252e%252e'],
			['...', '...'],
			['. .', '.%20.'],
			[' customers\u00a0\n', 'customers'],
			['Wien – Südtirol', 'Wien%20%E2%80%93%20S%C3%BCdtirol'],
			['🦊', '%F0%9F%A6%8A'],
			['a\nb', 'a%0Ab'],
			["$& $1 $' :name", "%24%26%20%241%20%24'%20%3Aname"],
			[7, '7'],
		],
		refuses: [
			[
				'"Blacklist" is empty',
				noText('Blacklist'),
				['', ' ', '\t\n', '\u00a0', '\u200b', null, undefined],
			],
			[
				'"Blacklist" cannot be "…"',
				'A URL cannot contain this. Choose or enter another one.',
				['.', '..', 'caf\ud83d'],
			],
			[`"Blacklist" ${LIST}`, 'Use an expression that returns text for "Blacklist".', [['a']]],
		],
	},
	item(
		'email',
		'one email address, e.g. name@example.com',
		[
			['name@example.com', 'name@example.com'],
			[' name@example.com\n', 'name@example.com'],
			['näme@exämple.com', 'näme@exämple.com'],
		],
		[
			...['example.com', 'name@', '@example.com', 'a@b@c', 'first last@example.com'],
			...['a@example.com, b@example.com', 'a@example.com;', 'a@example.com, b', '<a@example.com>'],
		],
	),
	item(
		'domain',
		'a domain without https://, spaces or slashes, e.g. example.com',
		[
			['example.com', 'example.com'],
			['example.com.', 'example.com.'],
		],
		[
			...['example.com:80', 'name@example.com', 'example com', '*.example.com'],
			...['localhost', true, 5],
			...['example.com?a', 'example.com#a', 'a.example,b.example'],
			...['a...', 'example..com', '.example.com', 'example.com..'],
		],
	),
	item(
		'place_id',
		'one identifier without spaces, not a link',
		[['ChIJ-x_1', 'ChIJ-x_1']],
		['ChIJ x', 'ChIJ,x', 'https://example.com/ChIJ', 'ChIJ/x', '#N/B', '#RE!'],
	),
	item(
		'cid',
		'only digits, e.g. 12345678901234567890',
		[
			['12345678901234567890', '12345678901234567890'],
			['1'.repeat(10_000), '1'.repeat(10_000)],
			[1234567890, '1234567890'],
			['007', '007'],
		],
		['12a', 'a12', '-1', '1.5', '٧', true],
	),
];

/** A value in the name of a test: short, and a text in quotes. */
const named = (value: unknown) =>
	typeof value === 'string' ? JSON.stringify(quote(value)) : quote(value);

it.each(['https://example.com', 'example.com/path'])(
	'a web address as a domain is told to enter the domain alone: %s',
	(address) => {
		const message = `"Value" is invalid for the type Domain: ${address}`;
		const alone = 'Enter only the domain of the address, e.g. example.com';
		const orElse = ', or use "Add Many Items", which does it';
		expect(() => readItem('domain', address, BY_EXPRESSION)).toThrow(
			expect.objectContaining({ message, description: `${alone}${orElse}.` }),
		);
		// An agent has no other operation.
		expect(() => readItem('domain', address, BY_MODEL)).toThrow(
			expect.objectContaining({ message, description: `${alone}.` }),
		);
	},
);

describe('what many businesses share, as a domain', () => {
	const SITE = 'is on facebook.com, a shared site';
	const PROVIDER = 'is the domain of a mail provider, which many businesses share';
	const typed = (isTool: boolean): Form => ({ entered: () => 'typed', isTool: () => isTool });

	it.each([
		['https://www.facebook.com/joesdiner', SITE, 'facebook.com'],
		['https://gmail.com', PROVIDER, 'gmail.com'],
	])('is not told to enter the domain alone: %s', (address, why, site) => {
		expect(() => readItem('domain', address, BY_EXPRESSION)).toThrow(
			expect.objectContaining({
				message: `"Value" ${why}: ${address}`,
				description: `Choose another "Type", such as "Place ID". To exclude the whole site, enter ${site}.`,
			}),
		);
	});

	it.each([
		['https://www.facebook.com/joesdiner', SITE],
		['facebook.com', SITE],
		['WWW.Facebook.com', SITE],
		['gmail.com', PROVIDER],
	])('is never sent for a model: %s', (value, why) => {
		expect(() => readItem('domain', value, BY_MODEL)).toThrow(
			expect.objectContaining({
				message: `"Value" ${why}: ${value}`,
				description:
					'Use the place ID if this tool takes one; only a person can exclude the whole site.',
			}),
		);
	});

	it.each([
		['by a person', BY_EXPRESSION],
		['typed by a person', typed(false)],
		['typed by a person into a tool', typed(true)],
	])('is sent if it is entered %s', (_how, form) => {
		for (const value of ['facebook.com', 'gmail.com']) {
			expect(readItem('domain', value, form)).toEqual({ type: 'domain', value });
		}
	});

	it('is sent for a model as another type', () => {
		const value = 'joe@gmail.com';
		expect(readItem('email', value, BY_MODEL)).toEqual({ type: 'email', value });
	});
});

describe.each(READERS)('$what', ({ read, accepts, refuses }) => {
	const accepted = accepts.map(([value, result]) => [named(value), value, result] as const);
	it.each(accepted)('is read from %s', (_name, value, result) => {
		expect(read(value)).toEqual(result);
	});

	const refused = refuses.flatMap(([message, advice, values]) =>
		values.map(
			(value) => [named(value), value, message.replace('…', quote(value)), advice] as const,
		),
	);
	it.each(refused)('is refused: %s', (_name, value, message, advice) => {
		let refusal: unknown;
		try {
			read(value);
		} catch (error) {
			refusal = error;
		}
		expect(refusal).toBeInstanceOf(Refusal);
		expect(refusal).toMatchObject({
			message,
			description: advice,
			facts: { forSchedulers: { cause: 'configuration-invalid' } },
		});
	});
});

it('every exact number is read, and its digits', () => {
	fc.assert(
		fc.property(fc.maxSafeInteger(), (number) => {
			expect(readWholeNumber('Limit', number)).toBe(number);
			expect(readWholeNumber('Limit', ` ${number}.0\n`)).toBe(number);
		}),
	);
});

it.each<[string, IDataObject]>([
	['null', { options: { maxJobs: null } }],
	['an empty field', { options: { maxJobs: '' } }],
	['no option', { options: {} }],
	['no options', {}],
])('a guard is not set by %s', (_what, parameters) => {
	for (const value of [null, '']) expect(guard('maxJobs', value, parameters)).toBeUndefined();
});

it('a guard is refused without a value, wherever its expression is', () => {
	const parameters = { options: '={{ $json.options.of }}' };
	expect(() => guard('maxJobs', undefined, parameters)).toThrow(
		'"Maximum Jobs per Run" has no value',
	);
});

it('the name of a blacklist is read with its blanks for Delete, or if it was chosen from the list', () => {
	const chosen = (value: string) => ({
		...BY_EXPRESSION,
		entered: () => ({ mode: 'list', value }),
	});
	expect(readSegment({ ...BLACKLIST, isExact: true }, ' old', BY_EXPRESSION)).toBe(' old');
	expect(readSegment(BLACKLIST, ' old', chosen(' old'))).toBe(' old');
	expect(readSegment(BLACKLIST, ' old', chosen('={{ $json.name }}'))).toBe('old');
});

it('Maximum Jobs per Run is refused with separators in large numbers', async () => {
	const guard = guardAllowance(5_000).call({
		getNodeParameter: (path: string) => (path === 'options.maxJobs' ? 1_000 : ''),
		getNode: () => ({ parameters: {} }),
	} as unknown as IExecuteSingleFunctions);
	await expect(guard.check()).rejects.toThrow(
		'Not created: the run has 5,000 items, and "Maximum Jobs per Run" is 1,000',
	);
});

it('any name of a blacklist reaches the service, without blanks at its ends', () => {
	const name = fc.oneof(
		fc.string({ unit: 'grapheme', minLength: 1 }),
		fc
			.array(fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '?', '#', ' ', '\n', ':name', 'é'))
			.map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(name, (entered) => {
			fc.pre(!isBlank(entered) && entered.trim() !== '.' && entered.trim() !== '..');
			const segment = encodeURIComponent(readSegment(BLACKLIST, entered, BY_EXPRESSION));
			expect(decodeURIComponent(segment)).toBe(entered.trim());
			expect(segment).not.toMatch(/[/?#\\]/);
			const { pathname } = new URL(`http://h/api/v1/blacklist/${segment}`);
			expect(pathname).toBe(`/api/v1/blacklist/${segment}`);
		}),
		{ numRuns: 200 },
	);
});

it('every email address, domain and number is a valid item', () => {
	fc.assert(
		fc.property(fc.emailAddress(), fc.domain(), fc.bigInt({ min: 0n }), (email, domain, cid) => {
			expect(readItem('email', email, BY_EXPRESSION).value).toBe(email);
			expect(readItem('domain', domain, BY_EXPRESSION).value).toBe(domain);
			expect(readItem('cid', String(cid), BY_EXPRESSION).value).toBe(String(cid));
		}),
	);
});

it.each<unknown>(['', 'Email', 'phone', undefined, null, 4, ['email'], 'toString', '__proto__'])(
	'an item of the type %p is refused',
	(type) => {
		expect(() => readItem(type, 'name@example.com', BY_EXPRESSION)).toThrow(
			expect.objectContaining({
				message: `"Type" is unknown: ${quote(type)}`,
				description:
					'Choose a type from the list, or use an expression that returns one of cid, domain, email, place_id.',
			}),
		);
	},
);

describe('a required text that is empty', () => {
	const TYPED: Form = { ...BY_EXPRESSION, entered: () => ' ' };
	const readers: Array<[label: string, advice: string, read: (form: Form) => unknown]> = [
		['Keyword', 'Enter the phrase to search for.', (form) => jobBody({ keyword: ' ' }, form)],
		['Blacklist', BLACKLIST.advice, (form) => readSegment(BLACKLIST, ' ', form)],
		[
			'Value',
			'Enter one email address, e.g. name@example.com, or choose another "Type".',
			(form) => readItem('email', ' ', form),
		],
	];

	it.each(readers)('%s: only an expression of a person is of a row', (label, advice, read) => {
		for (const [form, description] of [
			[BY_EXPRESSION, noText(label)],
			[TYPED, advice],
			[BY_MODEL, advice],
		] as const) {
			expect(() => read(form)).toThrow(
				expect.objectContaining({ message: `"${label}" is empty`, description }),
			);
		}
	});
});

describe('the body of a job', () => {
	const ALL = {
		keyword: 'dentist in Vienna',
		group_name: 'spring',
		min_rating: 4,
		min_reviews: 10,
		max_reviews: 100,
		has_phone: true,
		has_website: false,
		sort_by: 'reviews',
		sort_order: 'desc',
	};
	const unset = (value: unknown) =>
		Object.fromEntries(Object.keys(ALL).map((field) => [field, value]));

	it.each<[what: string, entered: object, sent: object]>([
		['has everything that is set', ALL, ALL],
		[
			'has JSON numbers and booleans for texts',
			{
				...ALL,
				...{ keyword: 42, min_rating: '4', min_reviews: ' 10 ', max_reviews: '100.0' },
				...{ has_phone: 'true', has_website: ' FALSE ', sort_order: 'asc' },
			},
			{ ...ALL, keyword: '42', sort_order: 'asc' },
		],
		['leaves out undefined', { ...unset(undefined), keyword: 'dentist' }, { keyword: 'dentist' }],
		['leaves out null', { ...unset(null), keyword: 'dentist' }, { keyword: 'dentist' }],
		['leaves out empty texts', { ...unset(''), keyword: 'dentist' }, { keyword: 'dentist' }],
		[
			'leaves out blank texts',
			{ keyword: 'dentist', group_name: ' ', sort_by: '\n' },
			{ keyword: 'dentist' },
		],
		[
			'has zero, false and a negative number',
			{ ...ALL, min_rating: -1, min_reviews: 0, max_reviews: 0, has_phone: false },
			{ ...ALL, min_rating: -1, min_reviews: 0, max_reviews: 0, has_phone: false },
		],
		['allows one number of reviews', { ...ALL, min_reviews: 100 }, { ...ALL, min_reviews: 100 }],
		['allows a minimum alone', { keyword: 'a', min_reviews: 9 }, { keyword: 'a', min_reviews: 9 }],
		['allows a maximum alone', { keyword: 'a', max_reviews: 0 }, { keyword: 'a', max_reviews: 0 }],
	])('%s', (_what, entered, sent) => {
		expect(jobBody(entered as IDataObject, BY_EXPRESSION)).toEqual(sent);
	});

	const NOT_A_NUMBER = (label: string) =>
		`Enter a whole number for "${label}", e.g. 4, or remove it.`;
	const NOT_BOTH = 'No listing can match both. Lower "Minimum Reviews" or raise "Maximum Reviews".';
	const ORDER =
		'Choose "Ascending" or "Descending", or use an expression that returns asc or desc.';

	it.each<[field: string, value: unknown, message: string, advice: string]>([
		['keyword', ' \n', '"Keyword" is empty', noText('Keyword')],
		['keyword', null, '"Keyword" is empty', noText('Keyword')],
		['keyword', ['dentist'], `"Keyword" ${LIST}`, expect.any(String)],
		['group_name', { name: 'a' }, `"Group Name" ${OBJECT}`, expect.any(String)],
		[
			'min_rating',
			4.5,
			'"Minimum Rating" is not a whole number: 4.5',
			NOT_A_NUMBER('Minimum Rating'),
		],
		[
			'min_reviews',
			'many',
			'"Minimum Reviews" is not a whole number: many',
			NOT_A_NUMBER('Minimum Reviews'),
		],
		[
			'max_reviews',
			true,
			'"Maximum Reviews" is not a whole number: true',
			NOT_A_NUMBER('Maximum Reviews'),
		],
		['min_reviews', 101, '"Minimum Reviews" (101) is above "Maximum Reviews" (100)', NOT_BOTH],
		['min_reviews', '101', '"Minimum Reviews" (101) is above "Maximum Reviews" (100)', NOT_BOTH],
		['has_phone', 'yes', '"Has Phone" is neither true nor false: yes', expect.any(String)],
		['has_website', 1, '"Has Website" is neither true nor false: 1', expect.any(String)],
		['sort_by', ['rating'], `"Sort By" ${LIST}`, expect.any(String)],
		['sort_order', 'ASC', '"Sort Order" is neither asc nor desc: ASC', ORDER],
		['sort_order', ' asc', '"Sort Order" is neither asc nor desc:  asc', ORDER],
	])('is refused for %s: %p', (field, value, message, description) => {
		const entered = { ...ALL, [field]: value } as IDataObject;
		expect(() => jobBody(entered, BY_EXPRESSION)).toThrow(
			expect.objectContaining({ message, description }),
		);
	});
});

describe('the response', () => {
	const response = (body: unknown): ServiceResponse => ({
		statusCode: 200,
		body,
		text: JSON.stringify(body),
		isJson: true,
	});

	/** Expects a failure that says what the response should have been. */
	function expectFailure(read: () => unknown, expected: string): void {
		expect(read).toThrow(Failure);
		const facts = expect.objectContaining({ expected });
		expect(read).toThrow(expect.objectContaining({ reason: 'unexpectedResponse', facts }));
	}

	it.each(['a-1', 7])('is a job by its job_id: %p', (jobId) => {
		expect(parseCreatedJob(response({ job_id: jobId, more: true }))).toEqual([{ job_id: jobId }]);
	});

	it.each<unknown>([null, {}, { job_id: '' }, { job_id: ' ' }, { job_id: null }, [], 'a-1'])(
		'is no job: %j',
		(body) => expectFailure(() => parseCreatedJob(response(body)), 'a "job_id"'),
	);

	it('is a list of blacklists, with a count under either name', () => {
		const body = [
			{ name: 'a', count: 0, more: 1 },
			{ name: 'b', nb: 3 },
			{ name: 'c', count: 1, nb: 2 },
			{ name: 'd', count: null, nb: 4 },
		];
		expect(parseBlacklists(response(body))).toEqual([
			{ name: 'a', count: 0 },
			{ name: 'b', count: 3 },
			{ name: 'c', count: 1 },
			{ name: 'd', count: 4 },
		]);
		expect(parseBlacklists(response([]))).toEqual([]);
	});

	it.each<[unknown, string]>([
		[null, 'a list of blacklists'],
		[{}, 'a list of blacklists'],
		[[null], 'a "name" and a "count" for each blacklist'],
		[[{ name: 'a' }], 'a "name" and a "count" for each blacklist'],
		[[{ count: 1 }], 'a "name" and a "count" for each blacklist'],
		[[{ name: 1, nb: 1 }], 'a "name" and a "count" for each blacklist'],
	])('is no list of blacklists: %j', (body, expected) => {
		expectFailure(() => parseBlacklists(response(body)), expected);
	});

	it.each<[remaining: unknown, simple: unknown]>([
		['42', 42],
		['0', 0],
		[42, 42],
		['9007199254740991', 9007199254740991],
		['9007199254740993', '9007199254740993'],
		['unlimited', 'unlimited'],
		['', ''],
		['4.5', '4.5'],
		['-1', -1],
		['42 left', '42 left'],
	])('is a usage with %p remaining', (remaining, simple) => {
		const body = { plan: 'Pro', remaining, more: 1 };
		expect(parseUsage(response(body))).toEqual({ plan: 'Pro', remaining: simple });
		expect(checkUsage(response(body))).toEqual(body);
	});

	it.each<unknown>([
		null,
		[],
		'Pro',
		{ plan: 'Pro' },
		{ remaining: '42' },
		{ plan: 7, remaining: '42' },
		{ plan: 'Pro', remaining: null },
		{ plan: 'Pro', remaining: ['42'] },
	])('is no usage without plan or remaining: %j', (body) => {
		expectFailure(() => parseUsage(response(body)), 'a "plan" and the "remaining" requests');
	});
});
