import fc from 'fast-check';

import { Failure, type Trouble } from '../../nodes/shared/http/failure';
import {
	backoff,
	isRetried,
	LONGEST_RETRY_AFTER,
	MOST_ATTEMPTS,
	readRetryAfter,
	serviceTime,
} from '../../nodes/shared/http/retry';
import { changesSomething, isUnknown, verdictOf } from '../../nodes/shared/http/verdict';
import { connectionTrouble } from '../support/arbitraries';

const again = (trouble: Trouble, method: string) => isRetried(new Failure(trouble), method);

it('makes five attempts, and waits at most two minutes', () => {
	expect(MOST_ATTEMPTS).toBe(5);
	expect(LONGEST_RETRY_AFTER).toBe(120_000);
});

describe('backoff', () => {
	it.each([
		[1, 500, 1_000],
		[2, 1_000, 2_000],
		[3, 2_000, 4_000],
		[4, 4_000, 8_000],
	])('after attempt %i is from %i to %i ms', (attempt, least, most) => {
		expect(backoff(attempt, 0)).toBe(least);
		expect(backoff(attempt, 0.5)).toBe((least + most) / 2);
		expect(backoff(attempt, 1)).toBe(most);
	});

	it('is half fixed and half random for any attempt', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: MOST_ATTEMPTS }), random, (attempt, number) => {
				const whole = 1_000 * 2 ** (attempt - 1);
				expect(backoff(attempt, number)).toBeCloseTo(whole / 2 + (whole / 2) * number);
				expect(backoff(attempt, number)).toBeGreaterThanOrEqual(whole / 2);
				expect(backoff(attempt, number)).toBeLessThanOrEqual(whole);
			}),
		);
	});
});

const random = fc.double({ min: 0, max: 1, noNaN: true });
/** Any result of `readRetryAfter`. */
const retryAfter = fc.option(
	fc.oneof(fc.nat(200_000), fc.nat(), fc.constantFrom(0, 120_000, 120_001, Infinity)),
	{ nil: undefined },
);
const anyTrouble: fc.Arbitrary<Trouble> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('status' as const),
			statusCode: fc.oneof(fc.integer({ min: 300, max: 999 }), fc.constantFrom(429, 500, 503)),
			retryAfter,
		}),
	},
	fc.record({
		kind: fc.constant('connection' as const),
		code: fc.constantFrom('ECONNRESET', 'no code'),
		what: connectionTrouble,
	}),
	fc.constant<Trouble>({ kind: 'shape', statusCode: 200, expected: 'JSON', received: 'none' }),
	fc.constant<Trouble>({ kind: 'unsuccessful', statusCode: 200 }),
	fc.constant<Trouble>({ kind: 'abandoned' }),
);
const method = fc.constantFrom('GET', 'POST', 'DELETE');
const changing = fc.constantFrom('POST', 'DELETE', 'PUT', 'PATCH');

/** The individual outcomes are tested in outcomes.test.ts. */
describe('for any outcome', () => {
	const always = (
		methods: fc.Arbitrary<string>,
		check: (trouble: Trouble, method: string) => void,
	) => fc.assert(fc.property(anyTrouble, methods, check), { numRuns: 2_000 });

	it('retries a POST or DELETE only if nothing was sent', () => {
		always(changing, (trouble, method) => {
			if (!again(trouble, method)) return;
			expect(trouble.kind).toBe('connection');
			expect(['noAddress', 'notConnected']).toContain((trouble as { what: string }).what);
		});
	});

	it('leaves requests that were told to wait to the account', () => {
		always(method, (trouble, method) => {
			const isTold =
				trouble.kind === 'status' &&
				(trouble.statusCode === 429 ||
					(trouble.statusCode === 503 && trouble.retryAfter !== undefined));
			expect(verdictOf(trouble, method) === 'toldToWait').toBe(isTold);
			if (isTold) expect(again(trouble, method)).toBe(false);
		});
	});

	it('considers Retry-After only with a 503', () => {
		always(method, (trouble, method) => {
			if (trouble.kind !== 'status' || trouble.statusCode === 503) return;
			for (const retryAfter of [undefined, 0, 7_000]) {
				const other = { ...trouble, retryAfter };
				expect(verdictOf(other, method)).toBe(verdictOf(trouble, method));
			}
		});
	});

	it('treats all methods that change something alike, and a GET as free', () => {
		always(changing, (trouble, method) => {
			expect(changesSomething(method)).toBe(true);
			expect(verdictOf(trouble, method)).toBe(verdictOf(trouble, 'POST'));
			expect(isUnknown(new Failure(trouble), method)).toBe(
				verdictOf(trouble, 'POST') === 'unknown',
			);
			expect(isUnknown(new Failure(trouble), 'GET')).toBe(false);
		});
		expect(changesSomething('GET')).toBe(false);
	});

	it('never retries an unknown outcome', () => {
		always(changing, (trouble, method) => {
			if (isUnknown(new Failure(trouble), method)) expect(again(trouble, method)).toBe(false);
		});
	});
});

describe('Retry-After', () => {
	const NOW = Date.UTC(2026, 0, 1, 12);

	it.each([
		['seconds', '7', 7_000],
		['zero seconds', '0', 0],
		['seconds with spaces', ' 120 ', 120_000],
		['seconds with leading zeros', '007', 7_000],
		['a fraction', '0.25', 250],
		['a fraction that ends inside a millisecond, rounded up', '1.0001', 1_001],
		['more seconds than a number can hold', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
		['a date', 'Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
		['a date in the long form', 'Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
		['the present', 'Thu, 01 Jan 2026 12:00:00 GMT', 0],
		['a date that has passed', 'Thu, 01 Jan 2026 11:59:59 GMT', 0],
		['the first date', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
		['a date in the form of asctime', 'Thu Jan  1 12:00:30 2026', 30_000],
		['one with a day of two digits', 'Fri Jan 16 12:00:00 2026', 15 * 24 * 3_600_000],
	])('reads %s', (_what, value, expected) => expect(readRetryAfter(value, NOW)).toBe(expected));

	it.each([undefined, '', ' '])('is missing if it is %p', (value) =>
		expect(readRetryAfter(value, NOW)).toBeUndefined(),
	);

	it.each([
		'soon',
		'-1',
		'+1',
		'1e3',
		'0x10',
		'.5',
		'5.',
		'1,5',
		'1, 2',
		'5s',
		'5 seconds',
		'NaN',
		'Infinity',
		'2026-01-01T12:00:30Z',
		'January 1, 2026',
		'1 January 2026 GMT',
		'Mon GMT',
		'Thu, 99 Foo 2026 12:00:30 GMT',
		'٧',
		'Thu Jan 99 12:00:30 2026',
		'thu Jan  1 12:00:30 2026',
		'Thu Jan  1 12:00:30 2026 UTC',
	])('asks to wait, but not for how long, if it is %p', (value) =>
		expect(readRetryAfter(value, NOW)).toBe(0),
	);

	it('returns a time of at least 0, or nothing, for any value', () => {
		const text = fc.oneof(
			fc.string(),
			fc.string({ unit: 'binary' }),
			fc.stringMatching(/^[0-9.eE+ -]*$/),
			fc.stringMatching(/^[A-Z][a-z]{2}.*GMT$/),
			fc.constant('9'.repeat(400)),
		);
		fc.assert(
			fc.property(text, fc.nat(), (value, now) => {
				const wait = readRetryAfter(value, now);
				if (wait === undefined) return;
				expect(wait).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('reads any number of seconds', () => {
		fc.assert(
			fc.property(fc.nat(), (seconds) => {
				expect(readRetryAfter(String(seconds), NOW)).toBe(seconds * 1_000);
			}),
		);
	});

	it('reads any date, to the second', () => {
		const years = { min: new Date(0), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true };
		fc.assert(
			fc.property(fc.date(years), fc.date(years), (date, now) => {
				const second = Math.floor(date.getTime() / 1_000) * 1_000;
				expect(readRetryAfter(date.toUTCString(), now.getTime())).toBe(
					Math.max(0, second - now.getTime()),
				);
			}),
		);
	});
});

describe('serviceTime', () => {
	const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
	const THEIRS = Date.parse(DATE);

	it('reads a date in the form of asctime', () =>
		expect(serviceTime('Sat Nov 21 12:00:00 2026', THEIRS + 600_000)).toBe(THEIRS));

	it.each([-600_000, -5_001, 5_001, 600_000])('is theirs if ours differs by %i ms', (skew) =>
		expect(serviceTime(DATE, THEIRS + skew)).toBe(THEIRS),
	);

	it.each([-5_000, -1, 0, 999, 5_000])('is ours if it differs by %i ms', (skew) =>
		expect(serviceTime(DATE, THEIRS + skew)).toBe(THEIRS + skew),
	);

	it.each([undefined, '', 'yesterday'])('is ours if theirs is %j', (date) =>
		expect(serviceTime(date, THEIRS)).toBe(THEIRS),
	);
});
