import type { IDataObject } from 'n8n-workflow';

import { BLACKLIST } from '../../nodes/BusinessListingSearch/resources/blacklist/field';
import {
	ITEM_TYPES,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/cleaning/itemTypes';
import { parseBlacklists } from '../../nodes/BusinessListingSearch/resources/blacklist/getAll';
import { readItem } from '../../nodes/BusinessListingSearch/resources/blacklist/typeAndValue';
import { parseCreatedJob, jobBody } from '../../nodes/BusinessListingSearch/resources/job/create';
import {
	maxJobsOption,
	minRemainingOption,
} from '../../nodes/BusinessListingSearch/resources/job/limits';
import type { Call } from '../../nodes/BusinessListingSearch/input/call';
import { Item } from '../../nodes/BusinessListingSearch/input/item';
import { readSegment } from '../../nodes/BusinessListingSearch/run/urlPath';

import { concurrencyOption } from '../../nodes/BusinessListingSearch/options/concurrency';
import { ownOption } from '../../nodes/BusinessListingSearch/options/runOptions';
import { Failure } from '../../nodes/shared/errors/failure';
import type { ServiceResponse } from '../../nodes/shared/service/response';
import {
	isUnset,
	readBoolean,
	readText,
	readWholeNumber,
	type Form,
} from '../../nodes/shared/readField';
import { isBlank, quote } from '../../nodes/shared/text';
import { parseUsage } from '../../nodes/shared/service/usage';
import { BY_EXPRESSION } from '../support/parameters';

/** An item for which every parameter gives a value. */
const itemGiving = (value: unknown, form: Form) =>
	({ ...form, parameter: () => value }) as unknown as Item;

it.each([0, false, ' ', NaN, [], {}])('%p is a value', (value) =>
	expect(isUnset(value)).toBe(false),
);

describe('isBlank', () => {
	it.each(['', ' \n', '\u200b', '\u3164', '\u2800', '\ufe0f', '\u0007', ' \u00ad\u034f'])(
		'is so: %j',
		(text) => expect(isBlank(text)).toBe(true),
	);
	it.each(['.', '0', '\u200ba', 'a\u200b', '🐎'])('is not so: %j', (text) =>
		expect(isBlank(text)).toBe(false),
	);
});

describe('a quoted value', () => {
	const circular: unknown[] = [];
	circular.push(circular);

	it.each<[unknown, string]>([
		[NaN, 'NaN'],
		[undefined, 'undefined'],
		[{ a: [1] }, 'an object'],
		[circular, 'a list'],
		['x'.repeat(80), 'x'.repeat(80)],
		['x'.repeat(81), `${'x'.repeat(79)}…`],
		[`${'x'.repeat(78)}🐎x`, `${'x'.repeat(78)}…`],
		['a\u0007b\r\n\u001bc', 'a b c'],
	])('makes a text of %p', (value, text) => expect(quote(value)).toBe(text));
});

/** The message of a refusal, in which `…` is the value as `quote` writes it, and the values. */
type Refused = [message: string, ...values: unknown[]];

const KEYWORD = { label: 'Keyword', name: 'keyword' };

interface Reader {
	what: string;
	read: (value: unknown) => unknown;
	accepts: Array<[value: unknown, result: unknown]>;
	refuses: Refused[];
}

/** A form whose fields are typed. */
const TYPED: Form = { entered: () => 'typed' };

/** The reader of a value of this type. */
function item(
	type: ItemType,
	accepts: Array<[value: unknown, sent: string]>,
	refuses: unknown[],
): Reader {
	return {
		what: `an item of the type ${type}`,
		read: (value) => readItem({ type, value }, BY_EXPRESSION),
		accepts: accepts.map(([value, sent]) => [value, { type, value: sent }]),
		refuses: [
			['"Value" is empty', '', ' \n', null, undefined],
			['"Value" is too long: …', '1'.repeat(10_001)],
			['"Value" contains an invisible character: …', '1\u200b2', '1\u00002'],
			[`"Value" is invalid for the type ${ITEM_TYPES[type].name}: …`, ...refuses],
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
			[9007199254740991, '9007199254740991'],
			[new Date(0), '1970-01-01T00:00:00.000Z'],
		],
		refuses: [
			['"Keyword" is not text: …', ['a'], [], { a: 1 }, NaN, Infinity, true, false],
			['"Keyword" has lost its last digits: …', 1e21, 9007199254740992],
			['"Keyword" contains an object or a function: [object Object]', 'dentist in [object Object]'],
			['"Keyword" is not text: an invalid date', new Date('soon')],
		],
	},
	{
		what: 'a whole number',
		read: (value) => readWholeNumber('Minimum Rating', value),
		accepts: [
			[4, 4],
			[-3, -3],
			[' 4 ', 4],
			['+4', 4],
			['-4', -4],
			['4.0', 4],
			['10.00', 10],
			['007', 7],
			[9007199254740991, 9007199254740991],
			['9007199254740991', 9007199254740991],
		],
		refuses: [
			[
				'"Minimum Rating" is not a whole number: …',
				...[4.5, '4.5', '4,0', 'four', '4 stars', 'x4', '0x10', '1e3', '4.', '--4'],
				...['', ' ', null, undefined, true, [4], {}, NaN, 'Infinity'],
				...['1.000', '1,000', '-12.500', '0.000', '1,000,000', '1 000'],
			],
			[
				'"Minimum Rating" is too large: …',
				...[9007199254740992, '9007199254740993', '-12345678901234567890', Infinity],
			],
		],
	},
	{
		what: 'a boolean',
		read: (value) => readBoolean('Has Phone', value),
		accepts: [
			[true, true],
			[false, false],
			[' TRUE ', true],
			['False\n', false],
		],
		refuses: [
			[
				'"Has Phone" is neither true nor false: …',
				...[0, 1, 'yes', 'no', '', null, undefined, [], [true], {}, 'truefalse'],
			],
		],
	},
	{
		what: 'Concurrency',
		read: (value) => ownOption(concurrencyOption).read(value, true),
		accepts: [
			[1, 1],
			['12', 12],
			[100, 100],
		],
		refuses: [
			['"Concurrency" is below 1: …', 0, -1],
			['"Concurrency" is above 100: …', 101],
			['"Concurrency" has no value', undefined, null, ''],
			['"Concurrency" is not a whole number: …', 1.5, ' ', true, [4], 'many'],
		],
	},
	{
		what: 'Minimum Remaining Requests, by an expression',
		read: (value) => ownOption(minRemainingOption).read(value, true),
		accepts: [
			[0, 0],
			['100', 100],
		],
		refuses: [
			['"Minimum Remaining Requests" is below 0: …', -1],
			['"Minimum Remaining Requests" is not a whole number: …', 1.5, ' ', 'all', true, [4]],
			// An expression that throws gives undefined.
			['"Minimum Remaining Requests" has no value', undefined, null, ''],
		],
	},
	{
		what: 'Maximum Jobs per Run, by an expression',
		read: (value) => ownOption(maxJobsOption).read(value, true),
		accepts: [[' 100 ', 100]],
		refuses: [
			['"Maximum Jobs per Run" is below 1: …', 0, -1],
			['"Maximum Jobs per Run" has no value', undefined, null, ''],
		],
	},
	{
		what: 'the name of a blacklist, as a segment of a URL,',
		read: (value) => encodeURIComponent(readSegment(BLACKLIST, itemGiving(value, BY_EXPRESSION))),
		accepts: [
			['customers', 'customers'],
			['a/b', 'a%2Fb'],
			['%2e%2e', '%252e%252e'],
			['...', '...'],
			[' customers\u00a0\n', 'customers'],
			["$& $1 $' :name", "%24%26%20%241%20%24'%20%3Aname"],
			[7, '7'],
		],
		refuses: [
			['"Blacklist" is empty', '', ' ', '\t\n', '\u00a0', '\u200b', null, undefined],
			['"Blacklist" cannot be "…"', '.', '..', 'caf\ud83d'],
			['"Blacklist" is not text: …', ['a']],
		],
	},
	item(
		'email',
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
		[
			['example.com', 'example.com'],
			['example.com.', 'example.com.'],
		],
		[
			...['example.com:80', 'name@example.com', 'example com', '*.example.com'],
			...['localhost', 'www.', 5],
			...['example.com?a', 'example.com#a', 'a.example,b.example'],
			...['a...', 'example..com', '.example.com', 'example.com..'],
		],
	),
	item(
		'place_id',
		[['ChIJ-x_1', 'ChIJ-x_1']],
		['ChIJ x', 'ChIJ,x', 'https://example.com/ChIJ', 'ChIJ/x', '#n/b'],
	),
	item(
		'cid',
		[
			['12345678901234567890', '12345678901234567890'],
			['1'.repeat(10_000), '1'.repeat(10_000)],
			[1234567890, '1234567890'],
			['007', '007'],
		],
		['12a', 'a12', '-1', '1.5', '٧'],
	),
];

/** A value in the name of a test: short, and a text in quotes. */
const named = (value: unknown) =>
	typeof value === 'string' ? JSON.stringify(quote(value)) : quote(value);

it.each(['https://example.com', 'example.com/path'])(
	'a web address as a domain is told to enter the domain alone: %s',
	(address) => {
		expect(() => readItem({ type: 'domain', value: address }, BY_EXPRESSION)).toThrow(
			expect.objectContaining({
				message: `"Value" is invalid for the type Domain: ${address}`,
				description: expect.stringMatching(/^Enter only the domain .* "Add Many Items"/),
			}),
		);
	},
);

describe('what many businesses share, as a domain', () => {
	const SITE = 'is on facebook.com, a shared site';
	const PROVIDER = 'is the domain of a mail provider, which many businesses share';

	it.each([
		['https://www.facebook.com/joesdiner', SITE, 'facebook.com'],
		['https://gmail.com', PROVIDER, 'gmail.com'],
	])('is sent only if a person types the domain: %s', (address, why, site) => {
		const refused: Array<[value: string, form: Form]> = [
			[address, TYPED],
			...[address, site, site.toUpperCase()].map((value): [string, Form] => [value, BY_EXPRESSION]),
		];
		for (const [value, form] of refused) {
			expect(() => readItem({ type: 'domain', value }, form)).toThrow(
				expect.objectContaining({
					message: `"Value" ${why}: ${value}`,
					description: expect.stringContaining('exclude the whole site'),
				}),
			);
		}
		expect(readItem({ type: 'domain', value: site }, TYPED)).toEqual({
			type: 'domain',
			value: site,
		});
	});

	it('is sent from a column as another type', () => {
		const value = 'joe@gmail.com';
		expect(readItem({ type: 'email', value }, BY_EXPRESSION)).toEqual({ type: 'email', value });
	});
});

describe.each(READERS)('$what', ({ read, accepts, refuses }) => {
	const accepted = accepts.map(([value, result]) => [named(value), value, result] as const);
	it.each(accepted)('is read from %s', (_name, value, result) => {
		expect(read(value)).toEqual(result);
	});

	const refused = refuses.flatMap(([message, ...values]) =>
		values.map((value) => [named(value), value, message.replace('…', quote(value))] as const),
	);
	it.each(refused)('is refused: %s', (_name, value, message) => {
		let refusal: unknown;
		try {
			read(value);
		} catch (error) {
			refusal = error;
		}
		expect(refusal).toBeInstanceOf(Failure);
		expect(refusal).toMatchObject({
			message,
			description: expect.stringMatching(/^[A-Z].*\.$/),
		});
	});
});

it('a guard is not set by an empty field, nor one that is text in place of the options', () => {
	for (const value of [null, '', undefined])
		expect(ownOption(maxJobsOption).read(value, false)).toBeUndefined();
	const node = { parameters: { options: '={{ $json.options.of }}' } };
	const item = new Item({ node } as unknown as Call, { index: 0, item: { json: {} } });
	expect(() => item.has('options.maxJobs')).toThrow('"Options" is text');
});

it('the name of a blacklist is read with its blanks for Delete, or if it was chosen from the list', () => {
	const chosen = (value: string) => ({
		...BY_EXPRESSION,
		entered: () => ({ mode: 'list', value }),
	});
	expect(readSegment({ ...BLACKLIST, isExact: true }, itemGiving(' old', BY_EXPRESSION))).toBe(
		' old',
	);
	expect(readSegment(BLACKLIST, itemGiving(' old', chosen(' old')))).toBe(' old');
	expect(readSegment(BLACKLIST, itemGiving(' old', chosen('={{ $json.name }}')))).toBe('old');
});

it.each<unknown>(['', 'Email', undefined, 4, ['email'], 'toString', '__proto__'])(
	'an item of the type %p is refused',
	(type) => {
		expect(() => readItem({ type, value: 'name@example.com' }, BY_EXPRESSION)).toThrow(
			expect.objectContaining({
				message: `"Type" is none of its choices: ${quote(type)}`,
				description: expect.stringContaining('one of cid, domain, email, place_id'),
			}),
		);
	},
);

it.each([
	['by an expression', BY_EXPRESSION, /^This row gives no text\..*"Keyword"/],
	['typed', TYPED, /^Enter the phrase/],
])('a required text that is empty is of a row if it is entered %s', (...[, form, advice]) => {
	expect(() => jobBody({ keyword: ' ' }, form)).toThrow(
		expect.objectContaining({
			message: '"Keyword" is empty',
			description: expect.stringMatching(advice),
		}),
	);
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
	const LEAST = { min_rating: -1, min_reviews: 0, max_reviews: 0, has_phone: false };

	it.each<[what: string, entered: object, sent: object]>([
		['has everything that is set', ALL, ALL],
		['has zero, false and a negative number', { ...ALL, ...LEAST }, { ...ALL, ...LEAST }],
		['allows one number of reviews', { ...ALL, min_reviews: 100 }, { ...ALL, min_reviews: 100 }],
		['allows a minimum alone', { keyword: 'a', min_reviews: 9 }, { keyword: 'a', min_reviews: 9 }],
		['allows a maximum alone', { keyword: 'a', max_reviews: 0 }, { keyword: 'a', max_reviews: 0 }],
	])('%s', (_what, entered, sent) => {
		expect(jobBody(entered as IDataObject, BY_EXPRESSION)).toEqual(sent);
	});

	it.each<[field: string, value: unknown, message: string]>([
		['keyword', null, '"Keyword" is empty'],
		['group_name', { name: 'a' }, '"Group Name" is not text: an object'],
		['max_reviews', true, '"Maximum Reviews" is not a whole number: true'],
		['min_reviews', '101', '"Minimum Reviews" (101) is above "Maximum Reviews" (100)'],
		['has_website', 1, '"Has Website" is neither true nor false: 1'],
		['sort_by', ['rating'], '"Sort By" is not text: a list'],
		['sort_order', 'ASC', '"Sort Order" is none of its choices: ASC'],
	])('is refused for %s: %p', (field, value, message) => {
		const entered = { ...ALL, [field]: value } as IDataObject;
		expect(() => jobBody(entered, BY_EXPRESSION)).toThrow(message);
	});
});

describe('the response', () => {
	const response = (body: unknown): ServiceResponse => ({
		method: 'POST',
		statusCode: 200,
		body,
		isJson: true,
	});

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

	it.each<[what: string, parse: (answer: ServiceResponse) => unknown, ...bodies: unknown[]]>([
		['job', parseCreatedJob, null, {}, { job_id: ' ' }, { job_id: null }, [], 'a-1'],
		['list of blacklists', parseBlacklists, null, [null], [{ name: 'a' }], [{ name: 1, nb: 1 }]],
		['usage', parseUsage, null, [], 'Pro', { remaining: '42' }, { plan: 7, remaining: '42' }],
		['usage', parseUsage, { plan: 'Pro', remaining: null }, { plan: 'Pro', remaining: ['42'] }],
	])('is no %s', (_what, parse, ...bodies) => {
		for (const body of bodies) {
			let thrown: unknown;
			try {
				thrown = parse(response(body));
			} catch (error) {
				thrown = error;
			}
			expect([body, thrown]).toEqual([
				body,
				expect.objectContaining({
					facts: expect.objectContaining({ reason: 'unexpectedResponse' }),
				}),
			]);
		}
	});
});
