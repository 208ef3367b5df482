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
import { changesSomething, isUnknown } from '../../nodes/shared/http/verdict';

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
});

/** The single outcomes are in outcomes.test.ts. */
it.each(['POST', 'DELETE', 'PUT'])('a %s is sent again only if it was never sent', (method) => {
	const statuses = Array.from({ length: 1_400 }, (_, index): Trouble => {
		const retryAfter = index % 2 === 0 ? undefined : 7_000;
		return { kind: 'status', statusCode: 300 + Math.floor(index / 2), retryAfter };
	});
	const connections = (
		['blocked', 'noAddress', 'notConnected', 'notSecure', 'timedOut', 'broken'] as const
	).map((what): Trouble => ({ kind: 'connection', code: 'ECODE', what }));
	const others: Trouble[] = [
		{ kind: 'shape', statusCode: 200, expected: 'JSON', received: 'none' },
		{ kind: 'unsuccessful', statusCode: 200 },
		{ kind: 'abandoned' },
	];
	const all = [...statuses, ...connections, ...others].map((trouble) => new Failure(trouble));
	expect(all.filter((failure) => isRetried(failure, method))).toMatchObject([
		{ trouble: { what: 'noAddress' } },
		{ trouble: { what: 'notConnected' } },
	]);
	expect(changesSomething(method)).toBe(true);
	expect(all.filter((failure) => isUnknown(failure, 'GET'))).toEqual([]);
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
