import fc from 'fast-check';
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { blacklistSegment } from '../../nodes/BusinessListingSearch/resources/blacklist/blacklist';
import {
	readBlacklists,
	readLimit,
} from '../../nodes/BusinessListingSearch/resources/blacklist/getAll';
import {
	KINDS,
	readItem,
	type ItemType,
} from '../../nodes/BusinessListingSearch/resources/blacklist/values';
import { readCreatedJob, readJob } from '../../nodes/BusinessListingSearch/resources/job/create';
import { readGuard } from '../../nodes/BusinessListingSearch/resources/job/guard';
import { checkConcurrency } from '../../nodes/BusinessListingSearch/run/concurrency';
import { Failure } from '../../nodes/shared/http/failure';
import type { ServiceResponse } from '../../nodes/shared/http/response';
import {
	isBlank,
	isUnset,
	readBoolean,
	readText,
	readWholeNumber,
	show,
} from '../../nodes/shared/input';
import { Refusal } from '../../nodes/shared/refusal';
import { checkUsage, readUsage } from '../../nodes/shared/usage';

const answer = (body: unknown): ServiceResponse => ({
	statusCode: 200,
	headers: {},
	body,
	isJson: true,
});

/** The refusal of a function; fails if it throws nothing or anything else. */
function refusalOf(read: () => unknown): Refusal {
	try {
		read();
	} catch (error) {
		expect(error).toBeInstanceOf(Refusal);
		return error as Refusal;
	}
	throw new Error('Nothing was refused');
}

/** The result, or undefined if the input is properly refused. */
function unlessRefused<Result>(read: () => Result): Result | undefined {
	try {
		return read();
	} catch (error) {
		expect(error).toBeInstanceOf(Refusal);
		const { message, description } = error as Refusal;
		expect(message).toMatch(/^"[A-Z][A-Za-z ]*" (\(\d+\) )?(is|cannot|contains) /);
		expect(description).toMatch(/^[A-Z][^]*\.$/);
		return undefined;
	}
}

/** Any value of an expression. */
const anything = fc.oneof(
	fc.jsonValue(),
	fc.anything({ withDate: true, withMap: true, withSparseArray: true }),
	fc.string(),
	fc.constantFrom<unknown>(undefined, null, '', ' ', true, false, 'true', ' False ', 'TRUE'),
	fc.constantFrom<unknown>(0, -0, 4, -4, 4.5, NaN, Infinity, 2 ** 53, '4', ' +4 ', '4.0', '4.5'),
	fc.constantFrom<unknown>('asc', 'desc', 'ASC', [], {}, [4], ['4'], Symbol.iterator, () => 4),
);

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
	it.each(['.', '0', '\u200ba', '🐎'])('is not so: %j', (text) =>
		expect(isBlank(text)).toBe(false),
	);
});

describe('readText', () => {
	it.each([
		['a text', ' as it is ', ' as it is '],
		['nothing', undefined, ''],
		['null', null, ''],
		['a number', 4.5, '4.5'],
		['zero', 0, '0'],
		['a boolean', false, 'false'],
	])('reads %s', (_what, value, text) => expect(readText('Keyword', value)).toBe(text));

	it.each([
		['a list', ['a']],
		['an empty list', []],
		['an object', { a: 1 }],
	])('refuses %s', (what, value) => {
		const { message, description } = refusalOf(() => readText('Keyword', value));
		expect(message).toBe(
			`"Keyword" is ${what.replace('empty ', '').replace('an list', 'a list')}, but must be text`,
		);
		expect(description).toContain('"Keyword"');
	});

	it.each([
		[NaN, '"Keyword" is not a number: NaN'],
		[Infinity, '"Keyword" is not a number: Infinity'],
		[1e21, '"Keyword" is a rounded number: 1e+21'],
		[12345678901234567890, '"Keyword" is a rounded number: 12345678901234567000'],
	])('refuses the number %p, which is not exact', (value, message) =>
		expect(refusalOf(() => readText('Keyword', value)).message).toBe(message),
	);
});

describe('readWholeNumber', () => {
	it.each<[unknown, number]>([
		[4, 4],
		[0, 0],
		[-3, -3],
		['4', 4],
		[' 4 ', 4],
		['+4', 4],
		['-4', -4],
		['4.0', 4],
		['4.000', 4],
		['007', 7],
		[9007199254740991, 9007199254740991],
		['9007199254740991', 9007199254740991],
	])('reads %p', (value, number) => expect(readWholeNumber('Limit', value)).toBe(number));

	it.each<unknown>([
		4.5,
		'4.5',
		'4,0',
		'four',
		'4 stars',
		'0x10',
		'1e3',
		'',
		' ',
		null,
		undefined,
		true,
		[4],
		{},
		NaN,
		Infinity,
		'Infinity',
		9007199254740992,
		'9007199254740993',
	])('refuses %p', (value) => {
		const { message, description } = refusalOf(() => readWholeNumber('Limit', value));
		expect(message).toMatch(/^"Limit" is not a whole number: /);
		expect(description).toContain('"Limit"');
	});

	it('returns the entered number, or nothing', () => {
		fc.assert(
			fc.property(anything, (value) => {
				const number = unlessRefused(() => readWholeNumber('Limit', value));
				if (number === undefined) return;
				expect(Number.isSafeInteger(number)).toBe(true);
				expect(['number', 'string']).toContain(typeof value);
				expect(number).toBe(Number(value));
			}),
			{ numRuns: 1_000 },
		);
	});

	it('reads every exact number and its digits', () => {
		fc.assert(
			fc.property(fc.maxSafeInteger(), (number) => {
				expect(readWholeNumber('Limit', number)).toBe(number);
				expect(readWholeNumber('Limit', `${number}`)).toBe(number);
				expect(readWholeNumber('Limit', ` ${number}.0\n`)).toBe(number);
			}),
		);
	});
});

describe('readBoolean', () => {
	it.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
		[' TRUE ', true],
		['False\n', false],
	])('reads %p', (value, expected) => expect(readBoolean('Has Phone', value)).toBe(expected));

	it.each<unknown>([0, 1, 'yes', 'no', '', null, undefined, [], [true], {}, 'truefalse'])(
		'refuses %p',
		(value) => {
			const { message } = refusalOf(() => readBoolean('Has Phone', value));
			expect(message).toMatch(/^"Has Phone" is neither true nor false: /);
		},
	);

	it('refuses an object that cannot be read as text', () => {
		for (const value of [{ toString: 1 }, Object.create(null)]) {
			refusalOf(() => readBoolean('Has Phone', value));
		}
	});
});

describe('show', () => {
	it.each<[unknown, string]>([
		['as it is', 'as it is'],
		[4, '4'],
		[null, 'null'],
		[NaN, 'NaN'],
		[-Infinity, '-Infinity'],
		[undefined, 'undefined'],
		[{ a: [1] }, '{"a":[1]}'],
		['x'.repeat(80), 'x'.repeat(80)],
		['x'.repeat(81), `${'x'.repeat(80)}…`],
	])('makes a text of %p', (value, text) => expect(show(value)).toBe(text));
});

describe('checkConcurrency', () => {
	it.each<[unknown, number]>([
		[1, 1],
		['12', 12],
		[50, 50],
	])('takes %p', (value, expected) => expect(checkConcurrency(value)).toBe(expected));

	it.each<unknown>([undefined, null, ''])('returns undefined if nothing is set: %p', (value) =>
		expect(checkConcurrency(value)).toBeUndefined(),
	);

	it.each<unknown>([0, -1, 101, 1.5, ' ', true, [4], 'many'])('refuses %p', (value) => {
		expect(refusalOf(() => checkConcurrency(value)).message).toMatch(/^"Concurrency" is not /);
	});
});

describe('readGuard', () => {
	const FIELDS = {
		minRemaining: ['Minimum Remaining', 0],
		maxJobs: ['Maximum Jobs', 1],
	} as const;

	/** @param entered as in the form; else the value is that of an expression */
	function read(name: keyof typeof FIELDS, value: unknown, entered: unknown = '={{ … }}') {
		const context = {
			getNodeParameter: () => value,
			getNode: () => ({ parameters: { options: { [name]: entered } } }),
		} as unknown as IExecuteSingleFunctions;
		const [label, lowest] = FIELDS[name];
		return readGuard(context, name, label, lowest);
	}

	it('accepts a whole number from the lowest', () => {
		expect(read('minRemaining', 0)).toBe(0);
		expect(read('minRemaining', '100')).toBe(100);
		expect(read('maxJobs', ' 1 ')).toBe(1);
	});

	it.each<unknown>([-1, '-1', 1.5, ' ', 'all', true, [4]])('refuses %p', (value) => {
		const { message } = refusalOf(() => read('minRemaining', value));
		expect(message).toMatch(/^"Minimum Remaining" is /);
	});

	it.each<unknown>([0, '0'])('refuses %p below the lowest', (value) => {
		const { message, description } = refusalOf(() => read('maxJobs', value));
		expect(message).toBe('"Maximum Jobs" is below 1: 0');
		expect(description).toBe('Enter a whole number of 1 or more, or remove the option.');
	});

	it.each<unknown>([null, ''])('takes %p as not set if it was entered so', (value) => {
		expect(read('maxJobs', value, value)).toBeUndefined();
	});

	it.each<unknown>([undefined, null, ''])('refuses %p from an expression', (value) => {
		const { message } = refusalOf(() => read('maxJobs', value));
		expect(message).toBe('"Maximum Jobs" has no value');
	});
});

describe('readLimit', () => {
	it('accepts a whole number of at least 1', () => {
		expect(readLimit(1)).toBe(1);
		expect(readLimit('50')).toBe(50);
	});

	it.each<unknown>([0, -1, 1.5, '', 'all'])('refuses %p', (value) => {
		expect(refusalOf(() => readLimit(value)).message).toMatch(/^"Limit" is /);
	});
});

describe('blacklistSegment', () => {
	it.each([
		['customers', 'customers'],
		['Old leads', 'Old%20leads'],
		['a/b', 'a%2Fb'],
		['a?b#c', 'a%3Fb%23c'],
		['50%', '50%25'],
		['%2e%2e', '%252e%252e'],
		['...', '...'],
		['. .', '.%20.'],
		[' .', '%20.'],
		['Wien – Südtirol', 'Wien%20%E2%80%93%20S%C3%BCdtirol'],
		['🦊', '%F0%9F%A6%8A'],
		['a\nb', 'a%0Ab'],
		["$& $1 $' :name", "%24%26%20%241%20%24'%20%3Aname"],
		[7, '7'],
	])('of %p', (name, segment) => expect(blacklistSegment(name)).toBe(segment));

	it.each<unknown>(['', ' ', '\t\n', '\u00a0', null, undefined, '.', '..', [], ['a'], {}])(
		'refuses %p',
		(name) => {
			expect(refusalOf(() => blacklistSegment(name)).message).toMatch(/^"Blacklist" /);
		},
	);

	it.each(['\ud800', 'a\udc00', '🦊'.slice(0, 1)])('refuses a lone surrogate: %p', (name) => {
		expect(refusalOf(() => blacklistSegment(name)).message).toMatch(/incomplete character/);
	});

	it('transmits any accepted name unchanged', () => {
		const name = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.string({ unit: 'binary' }),
			// Including lone surrogates.
			fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
			fc
				.array(fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '?', '#', ' ', '\n', ':name', 'é'))
				.map((parts) => parts.join('')),
		);
		const before = 'http://h/api/v1/blacklist/';
		fc.assert(
			fc.property(name, (entered) => {
				const segment = unlessRefused(() => blacklistSegment(entered));
				const isPossible =
					!isBlank(entered) &&
					entered !== '.' &&
					entered !== '..' &&
					!/\p{Surrogate}/u.test(entered);
				expect(segment !== undefined).toBe(isPossible);
				if (segment === undefined) return;
				expect(decodeURIComponent(segment)).toBe(entered);
				expect(segment).not.toMatch(/[/?#\\]/);
				expect(new URL(before + segment).pathname).toBe(`/api/v1/blacklist/${segment}`);
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe('readItem', () => {
	it.each<[type: ItemType, value: unknown, sent: string]>([
		['email', 'name@example.com', 'name@example.com'],
		['email', ' name@example.com\n', 'name@example.com'],
		['email', 'näme@exämple.com', 'näme@exämple.com'],
		['domain', 'example.com', 'example.com'],
		['domain', 'localhost', 'localhost'],
		['place_id', 'ChIJ-x_1', 'ChIJ-x_1'],
		['cid', '12345678901234567890', '12345678901234567890'],
		['cid', 1234567890, '1234567890'],
		['cid', '007', '007'],
	])('accepts a value of the type %s: %p', (type, value, sent) => {
		expect(readItem(type, value)).toEqual({ type, value: sent });
	});

	it.each<[type: ItemType, value: unknown]>([
		['email', 'example.com'],
		['email', 'name@'],
		['email', '@example.com'],
		['email', 'a@b@c'],
		['email', 'first last@example.com'],
		['email', 'a@example.com, b@example.com'],
		['domain', 'https://example.com'],
		['domain', 'example.com/path'],
		['domain', 'example.com:80'],
		['domain', 'name@example.com'],
		['domain', 'example com'],
		['place_id', 'ChIJ x'],
		['cid', '12a'],
		['cid', '-1'],
		['cid', '1.5'],
		['cid', '٧'],
		['cid', true],
		['email', ''],
		['email', ' \n'],
		['domain', null],
		['cid', undefined],
		['cid', 12345678901234567890],
		['cid', NaN],
		['email', ['name@example.com']],
		['email', { value: 'name@example.com' }],
	])('refuses for the type %s: %p', (type, value) => {
		const { message, description } = refusalOf(() => readItem(type, value));
		expect(message).toMatch(/^"Value" /);
		expect(description).toMatch(/\.$/);
	});

	it.each<unknown>(['', 'Email', 'phone', undefined, null, 4, ['email'], 'toString', '__proto__'])(
		'refuses the type %p',
		(type) => {
			const { message, description } = refusalOf(() => readItem(type, 'name@example.com'));
			expect(message).toMatch(/^"Type" is unknown/);
			expect(description).toMatch(/cid, domain, email, place_id/);
		},
	);

	it('sends the trimmed input, or nothing', () => {
		const type = fc.oneof(
			{ weight: 5, arbitrary: fc.constantFrom(...Object.keys(KINDS)) },
			{ weight: 1, arbitrary: anything },
		);
		const spaces = fc.constantFrom('', ' ', '\t', '\n', '\u00a0');
		const value = fc.oneof(
			anything,
			fc.tuple(spaces, fc.emailAddress(), spaces).map((parts) => parts.join('')),
			fc.tuple(spaces, fc.domain(), spaces).map((parts) => parts.join('')),
			fc.tuple(spaces, fc.stringMatching(/^\d{1,25}$/), spaces).map((parts) => parts.join('')),
			fc.nat(),
		);
		fc.assert(
			fc.property(type, value, (enteredType, entered) => {
				const item = unlessRefused(() => readItem(enteredType, entered));
				if (item === undefined) return;
				expect(Object.keys(item)).toEqual(['type', 'value']);
				expect(item.type).toBe(enteredType);
				expect(KINDS[item.type].isPossible(item.value)).toBe(true);
				expect(item.value).toBe(String(entered).trim());
			}),
			{ numRuns: 2_000 },
		);
	});

	it('accepts every address, domain and number', () => {
		fc.assert(
			fc.property(fc.emailAddress(), fc.domain(), fc.bigInt({ min: 0n }), (email, domain, cid) => {
				expect(readItem('email', email).value).toBe(email);
				expect(readItem('domain', domain).value).toBe(domain);
				expect(readItem('cid', String(cid)).value).toBe(String(cid));
			}),
		);
	});
});

describe('readJob', () => {
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

	it('sends everything that is set', () => expect(readJob(ALL)).toEqual(ALL));

	it('converts texts to JSON numbers and booleans', () => {
		const entered = {
			...ALL,
			keyword: 42,
			min_rating: '4',
			min_reviews: ' 10 ',
			max_reviews: '100.0',
			has_phone: 'true',
			has_website: ' FALSE ',
		};
		expect(readJob(entered)).toEqual({ ...ALL, keyword: '42' });
	});

	it('leaves out what is not set', () => {
		for (const unset of [undefined, null, '']) {
			const entered = Object.fromEntries(Object.keys(ALL).map((field) => [field, unset]));
			expect(readJob({ ...entered, keyword: 'dentist' } as IDataObject)).toEqual({
				keyword: 'dentist',
			});
		}
		expect(readJob({ keyword: 'dentist', group_name: ' ', sort_by: '\n' })).toEqual({
			keyword: 'dentist',
		});
	});

	it('sends zero and false', () => {
		const entered = { keyword: 'dentist', min_rating: 0, min_reviews: 0, has_phone: false };
		expect(readJob({ ...entered, max_reviews: 0 })).toEqual({ ...entered, max_reviews: 0 });
	});

	it('sends nothing that the service does not document', () => {
		expect(readJob({ keyword: 'dentist', color: 'red' })).toEqual({ keyword: 'dentist' });
	});

	it.each<[field: string, value: unknown, message: RegExp]>([
		['keyword', '', /^"Keyword" is empty$/],
		['keyword', ' \n', /^"Keyword" is empty$/],
		['keyword', null, /^"Keyword" is empty$/],
		['keyword', ['dentist'], /^"Keyword" is a list/],
		['group_name', { name: 'a' }, /^"Group Name" is an object/],
		['min_rating', 4.5, /^"Minimum Rating" is not a whole number: 4\.5$/],
		['min_reviews', 'many', /^"Minimum Reviews" is not a whole number: many$/],
		['max_reviews', true, /^"Maximum Reviews" is not a whole number: true$/],
		['min_reviews', 101, /^"Minimum Reviews" \(101\) is above "Maximum Reviews" \(100\)$/],
		['min_reviews', '101', /^"Minimum Reviews" \(101\) is above "Maximum Reviews" \(100\)$/],
		['has_phone', 'yes', /^"Has Phone" is neither true nor false: yes$/],
		['has_website', 1, /^"Has Website" is neither true nor false: 1$/],
		['sort_by', ['rating'], /^"Sort By" is a list/],
		['sort_order', 'ASC', /^"Sort Order" is neither asc nor desc: ASC$/],
		['sort_order', ' asc', /^"Sort Order" is neither asc nor desc:  asc$/],
	])('refuses %s: %p', (field, value, message) => {
		const refusal = refusalOf(() => readJob({ ...ALL, [field]: value } as IDataObject));
		expect(refusal.message).toMatch(message);
		expect(refusal.description).toMatch(/^[A-Z].*\.$/);
	});

	it('accepts equal minimum and maximum reviews', () => {
		expect(readJob({ ...ALL, min_reviews: 100 })).toEqual({ ...ALL, min_reviews: 100 });
	});

	it('only sends documented fields of the documented types, for any input', () => {
		const TYPES: Record<string, (value: unknown) => boolean> = {
			keyword: (value) => typeof value === 'string' && value.trim() !== '',
			group_name: (value) => typeof value === 'string' && value.trim() !== '',
			sort_by: (value) => typeof value === 'string' && value.trim() !== '',
			sort_order: (value) => value === 'asc' || value === 'desc',
			min_rating: Number.isSafeInteger,
			min_reviews: Number.isSafeInteger,
			max_reviews: Number.isSafeInteger,
			has_phone: (value) => typeof value === 'boolean',
			has_website: (value) => typeof value === 'boolean',
		};
		const field = <Value>(good: fc.Arbitrary<Value>) =>
			fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: anything });
		const unset = fc.constantFrom(undefined, null, '');
		const number = fc.oneof(unset, fc.nat(9), fc.constantFrom('3', '5.0', ' 7 '));
		const boolean = fc.oneof(unset, fc.boolean(), fc.constantFrom('true', 'FALSE'));
		const text = fc.oneof(unset, fc.string(), fc.nat());
		const entered = fc.record(
			{
				keyword: field(fc.oneof(fc.string(), fc.nat())),
				group_name: field(text),
				sort_by: field(text),
				sort_order: field(fc.oneof(unset, fc.constantFrom('asc', 'desc'))),
				min_rating: field(number),
				min_reviews: field(number),
				max_reviews: field(number),
				has_phone: field(boolean),
				has_website: field(boolean),
				color: anything,
			},
			{ requiredKeys: ['keyword'] },
		);
		let sent = 0;
		fc.assert(
			fc.property(entered, (input) => {
				const job = unlessRefused(() => readJob(input as IDataObject));
				if (job === undefined) return;
				sent += 1;
				for (const [name, value] of Object.entries(job)) {
					expect(Object.keys(TYPES)).toContain(name);
					expect([name, value, TYPES[name]!(value)]).toEqual([name, value, true]);
				}
				for (const [name, value] of Object.entries(input)) {
					if (isUnset(value)) expect(job).not.toHaveProperty(name);
					else if (name !== 'color' && String(value).trim() !== '') {
						expect(String(job[name])).toBe(sentAs(name, value));
					}
				}
				// As JSON, so that 0 and -0 are equal.
				const json = JSON.stringify(job);
				expect(JSON.stringify(JSON.parse(json))).toBe(json);
				expect(job.min_reviews ?? -Infinity).toBeLessThanOrEqual(
					Number(job.max_reviews ?? Infinity),
				);
			}),
			{ numRuns: 3_000 },
		);
		// Ensures that enough of the generated inputs are valid.
		expect(sent).toBeGreaterThan(500);
	});

	/** What is sent for an accepted value, as text. */
	function sentAs(name: string, value: unknown): string {
		if (name.startsWith('has_')) return String(value).trim().toLowerCase();
		if (/^m(in|ax)_/.test(name)) return String(Number(value));
		return String(value);
	}
});

describe('the response', () => {
	it('is a job by its job_id', () => {
		expect(readCreatedJob(answer({ job_id: 'a-1', more: true }))).toEqual([{ job_id: 'a-1' }]);
		expect(readCreatedJob(answer({ job_id: 7 }))).toEqual([{ job_id: 7 }]);
		for (const body of [null, {}, { job_id: '' }, { job_id: ' ' }, { job_id: null }, [], 'a-1']) {
			expect(() => readCreatedJob(answer(body))).toThrow(Failure);
		}
	});

	it('is a list of blacklists, with a count under either name', () => {
		const body = [
			{ name: 'a', count: 0 },
			{ name: 'b', nb: 3 },
			{ name: 'c', count: 1, nb: 2 },
			{ name: 'd', count: null, nb: 4 },
		];
		expect(readBlacklists(answer(body))).toEqual([
			{ name: 'a', count: 0 },
			{ name: 'b', count: 3 },
			{ name: 'c', count: 1 },
			{ name: 'd', count: 4 },
		]);
		expect(readBlacklists(answer([]))).toEqual([]);
		for (const wrong of [null, {}, [null], [{ name: 'a' }], [{ count: 1 }], [{ name: 1, nb: 1 }]]) {
			expect(() => readBlacklists(answer(wrong))).toThrow(Failure);
		}
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
		['-1', '-1'],
	])('is a usage with %p remaining', (remaining, simple) => {
		expect(readUsage(answer({ plan: 'Pro', remaining, more: 1 }))).toEqual({
			plan: 'Pro',
			remaining: simple,
		});
	});

	it('is the unchanged usage without Simplify', () => {
		const body = { plan: 'Pro', remaining: '42', more: 1 };
		expect(checkUsage(answer(body))).toEqual(body);
	});

	it.each<unknown>([
		null,
		[],
		'Pro',
		{},
		{ plan: 'Pro' },
		{ remaining: '42' },
		{ plan: 7, remaining: '42' },
		{ plan: 'Pro', remaining: null },
		{ plan: 'Pro', remaining: ['42'] },
	])('is not a usage without plan or remaining: %j', (body) => {
		expect(() => readUsage(answer(body))).toThrow(Failure);
		expect(() => checkUsage(answer(body))).toThrow(Failure);
	});
});
